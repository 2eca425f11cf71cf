import Systemd

extension DaemonClient {
    /// Sets the state of the ignition; polkit may ask the user.
    package func setIgnition(_ isOn: Bool) throws(ClientError) {
        _ = try call("SetIgnition", [.bool(isOn)], interactive: true)
    }
}
