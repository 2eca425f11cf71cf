import Geofence1
import Monitoring
import Systemd

// The method about the ignition.
extension ManagerService {
    func ignitionMethods() -> [BusMethod] {
        [
            answer(.setIgnition) { service, _, arguments in
                guard let isOn = arguments[0].asBool else {
                    throw BusError.invalid("on is no boolean")
                }
                service.monitoring.setIgnition(isOn, at: service.now)
                return []
            }
        ]
    }
}
