import Program
import Service
import Settings
import Systemd
import Uplinking

runService("geofenced-uplink") { (arguments: UplinkArguments, log) in
    let path = arguments.config ?? "/etc/geofenced/uplink.d/\(arguments.name).conf"
    let (settings, problems) = UplinkSettings.read(ProgramSettings(path: path))
    for problem in problems { log.complain("\(problem)") }
    // It does not start with half a filter.
    guard let settings else { return arguments.isCheck ? .failed : .unusable }
    if arguments.isCheck { return check(settings, of: arguments.name, log) }
    return try Uplink(arguments, settings, Service(log)).run()
}

/// What the unit will meet beside its configuration.
@MainActor
private func check(_ settings: UplinkSettings, of name: String, _ log: Log) -> ExitStatus {
    do throws(BadValue) {
        let unit = try UnitCredentials(of: name, loaded: environment("CREDENTIALS_DIRECTORY"))
        guard let credentials = unit.credentials else {
            log.complain(
                "\(unit.directory): only root may look whether the credentials are there", .warning)
            return .good
        }
        do throws(BadValue) { try settings.check(credentials) } catch {
            throw BadValue(reason: "\(error.reason); it is a file of \(unit.directory)")
        }
        return .good
    } catch {
        log.complain(error.reason)
        return .failed
    }
}
