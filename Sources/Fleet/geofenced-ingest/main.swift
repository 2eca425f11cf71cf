import Glibc
import Ingesting
import PostgreSQL
import Settings
import Systemd

/// The wiring: the brokers, the database and the service manager, on one loop.
@MainActor
final class Ingest {
    private let loop: EventLoop
    private let manager: ServiceManager
    private let log: Log
    private var intake: Intake?
    private var watchdog: Watchdog?
    private var signals: [SignalSource] = []

    init(_ log: Log) throws {
        self.log = log
        loop = try EventLoop()
        manager = try ServiceManager()
        // Before any other thread starts. What was not acknowledged comes again.
        for number in [SIGTERM, SIGINT] {
            signals.append(
                try SignalSource(loop, number) { [loop, manager] in
                    manager.stopping()
                    loop.exit()
                })
        }
    }

    /// Until a signal ends it; returns the exit status.
    func run(_ settings: IngestSettings, worker: String) throws -> UInt8 {
        watchdog = try Watchdog(loop, manager)
        intake = try Intake(
            settings, worker: worker, loop: loop,
            log: { [log] priority, text in log.write(priority, text) },
            status: { [manager] in manager.status($0) })
        manager.ready()
        return try loop.run()
    }
}

@MainActor
func ask(_ arguments: IngestArguments, _ database: Database, retention: Int?) throws -> String {
    switch arguments.verb {
    case .run: return ""
    case .setup:
        let lines = try Questions.setUp(
            database, tenant: arguments.selection.tenant, retention: retention)
        return lines.joined(separator: "\n") + "\n"
    case .status:
        return try Questions.status(of: database).map { "\($0)\n" }.joined()
    case .sets:
        let lines = try Questions.sets(of: database, tenant: arguments.selection.tenant)
        return lines.map { "\($0)\n" }.joined()
    case .report:
        return arguments.format.text(try Visit.read(arguments.selection, from: database))
    case .assign:
        try Questions.assign(
            arguments.selection, driver: arguments.driver ?? "", in: database)
        return ""
    }
}

@MainActor
func start() -> UInt8 {
    signal(SIGPIPE, SIG_IGN)
    let log = Log(identifier: "geofenced-ingest")
    let arguments: IngestArguments
    do throws(IngestArguments.EarlyExit) {
        arguments = try IngestArguments(commandLineWords(of: "geofenced-ingest"))
    } catch {
        switch error {
        case .help:
            print(IngestArguments.help)
            return 0
        case .version:
            print("geofenced-ingest \(Version.current)")
            return 0
        case .usage(let why):
            log.write(.error, "geofenced-ingest: \(why); see geofenced-ingest --help")
            return 2
        }
    }
    var address = arguments.database
    var retention: Int?
    var settings: IngestSettings?
    // Questions need no brokers: with --database they need no file.
    if arguments.verb == .run || address == nil {
        let (read, problems) = IngestSettings.read(
            ProgramSettings(path: arguments.config),
            credentials: Credentials(directory: environment("CREDENTIALS_DIRECTORY")))
        for problem in problems { log.write(.error, "geofenced-ingest: \(problem)") }
        guard var found = read else { return 2 }
        if let address { found.database = address }
        address = found.database
        retention = found.retention
        settings = found
    }
    do {
        if arguments.verb == .run, let settings {
            return try Ingest(log).run(settings, worker: arguments.worker ?? "\(getpid())")
        }
        let database = try Database(address ?? "", program: "geofenced-ingest")
        print(try ask(arguments, database, retention: retention), terminator: "")
        return 0
    } catch {
        log.write(.error, "geofenced-ingest: \(error)")
        return 1
    }
}

exit(Int32(start()))
