import Glibc
import LiveBoard
import Program
import Service
import Settings
import Systemd

runService("geofenced-board") { (arguments: BoardArguments, log) in
    var settings = BoardSettings()
    // With --database it needs no file.
    if arguments.config != nil || arguments.database == nil {
        let (read, problems) = BoardSettings.read(
            ProgramSettings(path: arguments.config ?? BoardSettings.path),
            credentials: Credentials(directory: environment("CREDENTIALS_DIRECTORY")))
        for problem in problems { log.complain("\(problem)") }
        guard let read else { return .unusable }
        settings = read
    }
    settings.database = arguments.database ?? settings.database
    settings.role = arguments.role ?? settings.role
    return try Board(
        arguments.place, settings, Service(log, endedBy: [SIGTERM, SIGINT, SIGHUP])
    ).run()
}
