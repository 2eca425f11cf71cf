import Geofence1
import Law
import Model
import Monitoring
import Systemd

// The vehicle.
extension ManagerService {
    func vehicleMethods() -> [BusMethod] {
        [answer(.setVehicle) { try $0.setVehicle($2[0], caller: $1.sender) }]
    }

    /// Nothing is changed where one of the values is refused.
    private func setVehicle(_ values: BusValue, caller: String) throws -> [BusValue] {
        var change = VehicleChange()
        for (key, value) in (values.asDictionary ?? [:]).sorted(by: { $0.key < $1.key }) {
            if let kind = Limits.Kind.allCases.first(where: { $0.vehicleKey == key }) {
                guard let number = value.asDouble, number.isFinite else {
                    throw BusError.invalid("\(key) is no number")
                }
                change.values[kind] = number
                continue
            }
            switch key {
            case "profile":
                guard let name = value.asString else {
                    throw BusError.invalid("profile is no string")
                }
                change.profile = name.echoed()
            case "confirm":
                guard let confirms = value.asBool else {
                    throw BusError.invalid("confirm is no boolean")
                }
                change.confirms = confirms
            default: throw BusError.invalid("unknown: \(key.echoed())")
            }
        }
        guard change != VehicleChange() else { throw BusError.invalid("nothing to set") }
        let doubt = change.values[.height].flatMap {
            let state = monitoring.vehicleState(at: now)
            return Vehicle.doubt(height: $0, after: state.statedHeight ?? state.vehicle.height)
        }
        // It takes a second word.
        if doubt != nil { change.confirms = false }
        let uid = clients.known(caller)?.credentials?.uid
        change.caller = uid.map { "uid \($0)" } ?? caller
        do {
            try monitoring.setVehicle(change, at: now)
        } catch let refusal as VehicleRefusal {
            throw BusError.invalid(refusal.description)
        }
        log("the vehicle was set by \(change.caller): \(monitoring.vehicle.summary)")
        if let doubt { log("the height is still to be confirmed: \(doubt)") }
        return []
    }
}

extension Vehicle {
    /// For the log: `height 4 m, weight 40 t`.
    fileprivate var summary: String {
        let values = Limits.Kind.allCases.compactMap { kind in
            self[kind].map { "\(kind.name) \($0) \(kind.unit)" }
        }
        return values.isEmpty ? "nothing" : values.joined(separator: ", ")
    }
}
