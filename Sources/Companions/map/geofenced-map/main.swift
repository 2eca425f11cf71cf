import Geofence1
import Glibc
import LiveMap
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
    private var watchdog: Watchdog?
    private let address: String?

    init(_ arguments: MapArguments) throws {
        self.arguments = arguments
        loop = try EventLoop()
        manager = try ServiceManager()
        let (settings, problems) = try MapSettings.load(arguments.config)
        for problem in problems { log.write(.warning, "geofenced-map: \(problem)") }
        let bus: BusAddress
        switch arguments.bus {
        case "system": bus = .system
        case "session": bus = .session
        default: bus = .address(arguments.bus)
        }
        let feed = try MapFeed(loop, to: bus, busName: arguments.bus)
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
        let span = TimeSpan.seconds(Double(arguments.idleSeconds))
        if arguments.idleSeconds > 0 {
            idle = try TimerSource(loop, accuracy: .seconds(1)) { [loop, manager] in
                manager.stopping()
                loop.exit()
            }
            server.onConnections = { [weak self] in
                guard let self else { return }
                if server.connectionCount > 0 {
                    idle?.disarm()
                } else {
                    idle?.arm(at: EventLoop.uptime + span)
                }
            }
            idle?.arm(at: EventLoop.uptime + span)
        }
        if address != nil, let refusal = feed.authorize() {
            log.write(.warning, "geofenced-map: \(refusal)")
        }
        manager.ready(status: "showing the map")
        if let address { print(address) }
        // The address is read by the program that has started this one.
        fflush(nil)
        defer {
            feed.close()
            server.stop()
        }
        return try loop.run()
    }
}

@MainActor
func start() -> UInt8 {
    signal(SIGPIPE, SIG_IGN)
    let log = Log(identifier: "geofenced-map")
    let arguments: MapArguments
    do throws(MapArguments.EarlyExit) {
        arguments = try MapArguments(CommandLine.arguments.dropFirst())
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
