import Geofence1
import Model
import Monitoring
import Systemd
import Time

// Who drives. No line of the log contains the id: it would stay there.
extension ManagerService {
    func driverMethods() -> [BusMethod] {
        [
            answer(.setDriver) { try $0.setDriver($2, caller: $1.sender) },
            answer(.getDriver) { service, _, _ in [service.driver] },
            answer(.forgetDriver) { try $0.forgetDriver($2, caller: $1.sender) },
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
