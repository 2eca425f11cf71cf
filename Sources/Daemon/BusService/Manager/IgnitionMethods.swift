import Geofence1
import Monitoring
import Systemd

// The method about the ignition.
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
}
