import Systemd

/// What a unit says of itself in its `STATUS=`.
@MainActor
enum UnitStatus {
    /// Nil where the unit does not run, a user's service manager has it, or nobody answers within some
    /// seconds.
    static func text(of unit: String, _ connection: BusConnection) -> String? {
        guard let unit = loaded(unit, connection),
            // What it said last stays when it has ended.
            let state = unit("Unit", "ActiveState"), !["inactive", "failed"].contains(state),
            let text = unit("Service", "StatusText"), !text.isEmpty
        else { return nil }
        return text
    }

    /// What is so of a unit that does not run, `stopped` or `failed`; nil where it runs, or that is not
    /// known.
    static func end(of unit: String, _ connection: BusConnection) -> String? {
        guard let unit = loaded(unit, connection), unit("Unit", "LoadState") == "loaded" else {
            return nil
        }
        switch unit("Unit", "ActiveState") {
        case "inactive": return "stopped"
        case "failed": return "failed"
        default: return nil
        }
    }

    /// Its properties, by interface and name; nil where nobody answers. One that is stopped is forgotten,
    /// and is read again.
    private static func loaded(
        _ unit: String, _ connection: BusConnection
    ) -> (@MainActor (String, String) -> String?)? {
        let systemd = "org.freedesktop.systemd1"
        let manager = BusPeer(
            destination: systemd, path: "/org/freedesktop/systemd1",
            interface: "\(systemd).Manager")
        guard let path = connection.first(manager, "LoadUnit", .string(unit))?.asString else {
            return nil
        }
        let properties = BusPeer(
            destination: systemd, path: path, interface: "org.freedesktop.DBus.Properties")
        return { interface, name in
            connection.first(
                properties, "Get", .string("\(systemd).\(interface)"), .string(name))?.asString
        }
    }
}
