import Geofence1
import Systemd

extension DaemonClient {
    /// Sets the state of the ignition; polkit may ask the user.
    package func setIgnition(_ isOn: Bool) throws(ClientError) {
        _ = try call(.setIgnition, [.bool(isOn)], interactive: true)
    }
}
