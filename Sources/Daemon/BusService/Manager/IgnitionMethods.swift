import Geofence1
import Monitoring
import Systemd

// The method and the property about the ignition.
extension ManagerService {
    func ignitionMethods() -> [BusMethod] {
        [
            method("SetIgnition", needs: .setVehicle, in: [("on", "b")]) {
                service, call, arguments in
                call.answer {
                    guard let isOn = arguments[0].asBool else {
                        throw BusError.invalid("on is no boolean")
                    }
                    service.monitoring.setIgnition(isOn, at: service.now)
                    return []
                }
            }
        ]
    }

    /// The property `Ignition`: `on`, `off`, or `unknown` if it was never set.
    var ignitionProperty: BusValue {
        .string(monitoring.ignition.map { $0 ? "on" : "off" } ?? "unknown")
    }
}
