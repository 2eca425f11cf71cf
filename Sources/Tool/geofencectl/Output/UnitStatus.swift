import Systemd

/// What a unit says of itself in its `STATUS=`.
@MainActor
enum UnitStatus {
    /// Nil where the unit does not run, a user's service manager has it, or nobody answers within some
    /// seconds.
    static func text(of unit: String, _ connection: BusConnection) -> String? {
        let systemd = "org.freedesktop.systemd1"
        let manager = BusPeer(
            destination: systemd, path: "/org/freedesktop/systemd1",
            interface: "\(systemd).Manager")
        guard let path = connection.first(manager, "GetUnit", .string(unit))?.asString else {
            return nil
        }
        let properties = BusPeer(
            destination: systemd, path: path, interface: "org.freedesktop.DBus.Properties")
        func get(_ interface: String, _ name: String) -> String? {
            connection.first(
                properties, "Get", .string("\(systemd).\(interface)"), .string(name))?.asString
        }
        // What it said last stays when it has ended.
        guard let state = get("Unit", "ActiveState"), !["inactive", "failed"].contains(state),
            let text = get("Service", "StatusText"), !text.isEmpty
        else { return nil }
        return text
    }
}
