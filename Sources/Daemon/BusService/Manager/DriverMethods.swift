import Geofence1
import Model
import Monitoring
import Systemd
import Time

// Who drives. No line of the log contains the id: it would stay there.
extension ManagerService {
    func driverMethods() -> [BusMethod] {
        [
            method(
                "SetDriver", needs: .setDriver, in: [("id", "s"), ("options", "a{sv}")],
                limits: BusLimits(values: 64, bytes: 4096)
            ) { service, call, arguments in
                call.answer { try service.setDriver(arguments, caller: call.sender) }
            },
            method("GetDriver", needs: .readLocation, out: [("driver", "a{sv}")]) {
                service, call, _ in
                call.answer { [service.driver] }
            },
            method(
                "ForgetDriver", needs: .manageFences, in: [("id", "s")], out: [("found", "b")],
                limits: BusLimits(values: 8, bytes: 4096)
            ) { service, call, arguments in
                call.answer { try service.forgetDriver(arguments, caller: call.sender) }
            },
        ]
    }

    private func setDriver(_ arguments: [BusValue], caller: String) throws -> [BusValue] {
        if let unknown = arguments[1].asDictionary?.keys.min() {
            throw BusError.invalid("option \"\(unknown.echoed())\" is not known")
        }
        let id = arguments[0].asString ?? ""
        try monitoring.setDriver(id.isEmpty ? nil : id, at: now)
        log("the driver was \(id.isEmpty ? "cleared" : "set") by \(name(of: caller))")
        return []
    }

    /// Empty if there is none.
    private var driver: BusValue {
        guard let driver = monitoring.driver else { return .dictionary([]) }
        return ToldDriver.told.options(
            of: ToldDriver(
                id: driver.id, since: driver.since, source: driver.source.rawValue))
    }

    private func forgetDriver(_ arguments: [BusValue], caller: String) throws -> [BusValue] {
        let found = try monitoring.forgetDriver(arguments[0].asString ?? "")
        if found { log("a driver was forgotten, by \(name(of: caller))") }
        return [.bool(found)]
    }

    /// For the log.
    func name(of caller: String) -> String {
        clients.known(caller)?.credentials?.uid.map { "uid \($0)" } ?? caller
    }
}
