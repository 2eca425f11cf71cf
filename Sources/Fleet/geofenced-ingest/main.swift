import Glibc
import Ingesting
import PostgreSQL
import Program
import Service
import Settings
import Systemd

runService("geofenced-ingest") { (arguments: IngestArguments, log) in
    let asked = [
        ("--database", arguments.database),
        ("--to", arguments.verb == .move ? arguments.destination : nil),
    ]
    for case (let option, let address?) in asked {
        do throws(DatabaseError) {
            _ = try ConnectionText.options(onCommandLine: address)
        } catch { throw Failure.usage(error.message, option) }
    }
    var address = arguments.database
    var retention: Int?
    // Questions need no brokers: with --database they need no file.
    if arguments.verb == .run || address == nil {
        let (settings, problems) = IngestSettings.read(
            ProgramSettings(path: arguments.config),
            credentials: Credentials(directory: environment("CREDENTIALS_DIRECTORY")))
        for problem in problems { log.complain("\(problem)") }
        guard var settings else { return .unusable }
        settings.database = address ?? settings.database
        if arguments.verb == .run {
            return try Ingest(
                settings, worker: arguments.worker ?? "\(getpid())",
                takesOver: arguments.takesOver, Service(log)
            ).run()
        }
        address = settings.database
        retention = settings.retention
    }
    let areas = try arguments.areas.map { try Jurisdictions.areas(ofFile: $0) } ?? [:]
    do {
        let database = try Database(address ?? "", program: "geofenced-ingest")
        let silent = arguments.verb == .setup ? [] : try Federation.leaveOutSilent(database)
        for line in silent { log.complain(line) }
        print(try answer(arguments, areas, database, retention: retention), terminator: "")
        return silent.isEmpty ? .good : .failed
    } catch let error as DatabaseError { throw Failure("\(error)") }
}
