import Geofence1
import Glibc
import LiveMap
import Memory
import Settings
import Systemd
import Time
import WebServer

/// The wiring: the socket, the page, the daemon's bus, on one loop.
@MainActor
final class Map {
    private let arguments: MapArguments
    private let loop: EventLoop
    private let manager: ServiceManager
    private let log = Log(identifier: "geofenced-map")
    private let server: WebServer
    private let feed: MapFeed
    private var signals: [SignalSource] = []
    private var idle: TimerSource?
    private var readOnly = ReadOnlySegments()
    private var shrinking: TimerSource?
    private var watchdog: Watchdog?
    private let address: String?

    init(_ arguments: MapArguments) throws {
        self.arguments = arguments
        loop = try EventLoop()
        manager = try ServiceManager()
        let (settings, problems) = try MapSettings.load(arguments.config)
        for problem in problems { log.write(.warning, "geofenced-map: \(problem)") }
        let feed = try MapFeed(loop, to: arguments.bus)
        self.feed = feed
        let listener: ListenSocket
        switch arguments.place {
        case .activated: listener = try .activated()
        case .socket(let path): listener = try .file(path)
        case .loopback(let port): listener = try .loopback(port: port)
        }
        address = listener.address
        let map = try LiveMap(feed, listener.rules, settings)
        server = try WebServer(
            loop, listener: listener.descriptor, headers: LiveMap.headers,
            arguments: LiveMap.arguments
        ) { request, answer in map.answer(request, answer) }
    }

    /// When no connection has been opened or closed for a while, the program only sends changes.
    private static let quiet = TimeSpan.seconds(10)

    /// Until nobody looks any more, or a signal ends it; returns the exit status.
    func run() throws -> UInt8 {
        for number in [SIGTERM, SIGINT, SIGHUP] {
            signals.append(
                try SignalSource(loop, number) { [loop, manager] in
                    manager.stopping()
                    loop.exit()
                })
        }
        watchdog = try Watchdog(loop, manager)
        // The code of the start, and the libraries of GnuTLS in libmicrohttpd, are needed only
        // once.
        shrinking = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in
            self?.readOnly.giveBack()
        }
        if arguments.idleSeconds > 0 {
            idle = try TimerSource(loop, accuracy: .seconds(1)) { [loop, manager] in
                manager.stopping()
                loop.exit()
            }
        }
        server.onConnections = { [weak self] in self?.connectionsChanged() }
        connectionsChanged()
        if address != nil, let refusal = feed.authorize() {
            log.write(.warning, "geofenced-map: \(refusal)")
        }
        manager.ready(status: "showing the map")
        if let address { print(address) }
        // The address is read by the program that has started this one.
        fflush(nil)
        readOnly.giveBack()
        defer {
            feed.close()
            server.stop()
        }
        return try loop.run()
    }

    private func connectionsChanged() {
        shrinking?.arm(at: EventLoop.uptime + Self.quiet)
        if server.connectionCount > 0 {
            idle?.disarm()
        } else {
            idle?.arm(at: EventLoop.uptime + .seconds(Double(arguments.idleSeconds)))
        }
    }
}

@MainActor
func start() -> UInt8 {
    signal(SIGPIPE, SIG_IGN)
    let log = Log(identifier: "geofenced-map")
    let arguments: MapArguments
    do throws(MapArguments.EarlyExit) {
        arguments = try MapArguments(commandLineWords(of: "geofenced-map"))
    } catch {
        switch error {
        case .help:
            print(MapArguments.help)
            return 0
        case .version:
            print("geofenced-map \(Version.current)")
            return 0
        case .usage(let why):
            log.write(.error, "geofenced-map: \(why); see geofenced-map --help")
            return 2
        }
    }
    do {
        return try Map(arguments).run()
    } catch {
        log.write(.error, "geofenced-map: cannot start: \(error)")
        return 1
    }
}

exit(Int32(start()))
