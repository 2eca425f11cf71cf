import BusClient
import Geofence1
import Glibc
import Memory
import Settings
import Systemd
import Time
import Uplinking

/// The wiring: the daemon's bus, the destination and the service manager, on one loop.
@MainActor
final class Program {
    private let loop: EventLoop
    private let manager: ServiceManager
    private let log: Log
    private let arguments: UplinkArguments
    private let settings: UplinkSettings
    private var uplink: (any EventUplink)?
    private var watchdog: Watchdog?
    private var readOnly = ReadOnlySegments()
    private var shrinking: TimerSource?
    private var signals: [SignalSource] = []

    init(_ arguments: UplinkArguments, _ settings: UplinkSettings, _ log: Log) throws {
        self.arguments = arguments
        self.settings = settings
        self.log = log
        // Before any other thread starts: signals are blocked in all of them.
        loop = try EventLoop()
        manager = try ServiceManager()
        for number in [SIGTERM, SIGINT] {
            signals.append(
                try SignalSource(loop, number) { [weak self] in
                    self?.manager.stopping()
                    if let uplink = self?.uplink { uplink.stop() } else { self?.loop.exit() }
                })
        }
    }

    /// When its state has not changed for this long, the program is idle.
    private static let quiet = TimeSpan.seconds(10)

    /// Until a signal ends it; returns the exit status.
    func run() throws -> UInt8 {
        watchdog = try Watchdog(loop, manager)
        // The code for handshakes is rarely needed: OpenSSL and the libraries of libcurl are most
        // of an idle program's memory.
        shrinking = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in
            self?.readOnly.giveBack()
        }
        // The service manager starts it again; the daemon keeps what was not acknowledged.
        let client = try DaemonClient(to: arguments.bus, loop: loop) {
            [weak self] in self?.fail("the bus has gone")
        }
        let credentials = Credentials(directory: environment("CREDENTIALS_DIRECTORY"))
        do { uplink = try make(client, credentials) } catch let error as BadValue {
            // A credential that is not there: it does not get better by itself.
            log.write(.error, "geofenced-uplink: \(error.reason)")
            return 2
        }
        // Ready to wait for the daemon and for the network, too.
        manager.ready()
        return try loop.run()
    }

    private func make(
        _ client: DaemonClient, _ credentials: Credentials
    ) throws -> any EventUplink {
        let name = "org.geofenced.Uplink1.\(arguments.name)"
        let handlers = UplinkHandlers(
            status: { [weak self] in
                self?.manager.status($0)
                self?.shrinking?.arm(at: EventLoop.uptime + Self.quiet)
            },
            log: { [log, arguments] id, text in
                log.write(
                    id == nil ? .notice : .warning, text, messageID: id?.rawValue,
                    fields: [("GEOFENCE_UPLINK", arguments.name)])
            },
            failed: { [weak self] in self?.fail($0) }, stopped: { [loop] in loop.exit() })
        switch settings.destination {
        case .mqtt(let broker):
            return try MQTTUplink(
                client, name: name, settings, broker, credentials, version: Version.current,
                loop: loop, handlers)
        case .web(let web):
            return try WebUplink(
                client, name: name, settings, web, credentials, loop: loop, handlers)
        }
    }

    private func fail(_ why: String) {
        log.write(.error, why)
        loop.exit(code: 1)
    }
}

@MainActor
func start() -> UInt8 {
    signal(SIGPIPE, SIG_IGN)
    let log = Log(identifier: "geofenced-uplink")
    let arguments: UplinkArguments
    do throws(UplinkArguments.EarlyExit) {
        arguments = try UplinkArguments(commandLineWords(of: "geofenced-uplink"))
    } catch {
        switch error {
        case .help:
            print(UplinkArguments.help)
            return 0
        case .version:
            print("geofenced-uplink \(Version.current)")
            return 0
        case .usage(let why):
            log.write(.error, "geofenced-uplink: \(why); see geofenced-uplink --help")
            return 2
        }
    }
    let path = arguments.config ?? "/etc/geofenced/uplink.d/\(arguments.name).conf"
    let (settings, problems) = UplinkSettings.read(ProgramSettings(path: path))
    for problem in problems { log.write(.error, "geofenced-uplink: \(problem)") }
    // It does not start with half a filter.
    guard let settings else { return arguments.isCheck ? 1 : 2 }
    if arguments.isCheck { return 0 }
    do { return try Program(arguments, settings, log).run() } catch {
        log.write(.error, "geofenced-uplink: cannot start: \(error)")
        return 1
    }
}

exit(Int32(start()))
