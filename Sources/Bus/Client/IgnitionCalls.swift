import Systemd

extension DaemonStatus {
    /// `on`, `off` or `unknown`; nil for a daemon that knows no ignition.
    package var ignition: String? { properties["Ignition"]?.asString }

    /// The receiver is left to sleep.
    package var isResting: Bool { properties["Resting"]?.asBool ?? false }
}

extension DaemonClient {
    /// Says how the ignition is; polkit may ask the user.
    package func setIgnition(_ isOn: Bool) throws(ClientError) {
        _ = try call("SetIgnition", [.bool(isOn)], interactive: true)
    }
}
