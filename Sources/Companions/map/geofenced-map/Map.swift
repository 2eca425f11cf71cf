import Glibc
import Languages
import LiveMap
import MapPage
import Program
import Sentences
import Service
import Systemd
import Time
import WebServer

/// The wiring: the socket, the page, the daemon's bus, on one loop.
@MainActor
final class Map {
    private let arguments: MapArguments
    private let service: Service
    private let server: WebServer
    private let feed: MapFeed
    private var idle: TimerSource?
    private let shrinking: Shrinking
    private let address: String?

    init(_ arguments: MapArguments, _ service: Service) throws {
        self.arguments = arguments
        self.service = service
        shrinking = try Shrinking(service.loop)
        let (settings, problems) = try MapSettings.load(arguments.config)
        for problem in problems { service.log.complain("\(problem)", .warning) }
        let driver = Driver(config: arguments.daemonConfig, environment: { environment($0) })
        for problem in driver.problems { service.log.complain(problem, .warning) }
        let feed = try MapFeed(service.loop, to: arguments.bus)
        self.feed = feed
        let listener = try arguments.place.open(
            unit: "geofenced-map.socket", otherwise: "geofencectl map")
        address = listener.address
        let map = try LiveMap(
            feed, listener.rules, settings,
            PageReader(
                wording: Wording(driver.language, driver.units, isSpoken: false),
                timeZone: driver.timeZone))
        map.log = { service.log.complain($0, .warning) }
        server = try WebServer(
            service.loop, listener: listener.descriptor, headers: LiveMap.headers,
            arguments: LiveMap.arguments
        ) { request, answer in map.answer(request, answer) }
    }

    /// Until nobody looks any more, or a signal ends it; returns the exit status.
    func run() throws -> ExitStatus {
        if arguments.idleSeconds > 0 {
            idle = try TimerSource(service.loop, accuracy: .seconds(1)) { [service] in
                service.stop()
            }
        }
        server.onConnections = { [weak self] in self?.connectionsChanged() }
        connectionsChanged()
        if address != nil, let refusal = feed.authorize() {
            service.log.complain("\(refusal)", .warning)
        }
        service.manager.ready(status: "showing the map")
        if let address { print(address) }
        // The address is read by the program that has started this one.
        fflush(nil)
        shrinking.now()
        defer {
            feed.close()
            server.stop()
        }
        return try service.run()
    }

    private func connectionsChanged() {
        // The code of the start, and the libraries of GnuTLS in libmicrohttpd, are needed only once.
        shrinking.later()
        if server.connectionCount > 0 {
            idle?.disarm()
        } else {
            idle?.arm(at: EventLoop.uptime + .seconds(Double(arguments.idleSeconds)))
        }
    }
}
