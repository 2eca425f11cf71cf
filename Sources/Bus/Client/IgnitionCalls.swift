import Systemd

extension DaemonStatus {
    /// `on`, `off` or `unknown`; nil for a daemon without this property.
    package var ignition: String? { properties["Ignition"]?.asString }

    /// Whether the receiver may sleep.
    package var isResting: Bool { properties["Resting"]?.asBool ?? false }
}

extension DaemonClient {
    /// Sets the state of the ignition; polkit may ask the user.
    package func setIgnition(_ isOn: Bool) throws(ClientError) {
        _ = try call("SetIgnition", [.bool(isOn)], interactive: true)
    }
}
