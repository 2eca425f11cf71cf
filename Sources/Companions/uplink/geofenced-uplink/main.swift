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
    if arguments.isCheck {
        return UnitCredentials.check(of: arguments.name, log, settings.check)
    }
    return try Uplink(arguments, settings, Service(log)).run()
}
