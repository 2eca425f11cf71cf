import CANGateway
import Program
import Service
import Settings
import Systemd

runService("geofenced-can") { (arguments: CANArguments, log) in
    var settings = CANSettings()
    // With --interface it needs no file.
    if arguments.config != nil || arguments.interface == nil {
        let (read, problems) = CANSettings.read(
            ProgramSettings(path: arguments.config ?? CANSettings.path))
        for problem in problems { log.complain("\(problem)") }
        guard let read else { return arguments.isCheck ? .failed : .unusable }
        settings = read
    }
    settings.interface = arguments.interface ?? settings.interface
    guard !arguments.isCheck else { return .good }
    return try Gateway(arguments.bus, settings, Service(log)).run()
}
