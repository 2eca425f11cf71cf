import Systemd

/// What a unit says of itself in its `STATUS=`.
@MainActor
enum UnitStatus {
    /// By interface and name.
    private typealias Properties = @MainActor (String, String) -> String?

    /// Nil where the unit does not run, a user's service manager has it, or nobody answers within some
    /// seconds.
    static func text(of unit: String, _ connection: BusConnection) -> String? {
        guard let unit = loaded(unit, connection),
            // What it said last stays when it has ended.
            let state = unit("Unit", "ActiveState"), !["inactive", "failed"].contains(state),
            !waitsForNextTry(unit),
            let text = unit("Service", "StatusText"), !text.isEmpty
        else { return nil }
        return text
    }

    /// What is so of a unit that does not run, `stopped` or, also between two tries, `failed`; nil where it
    /// runs, or that is not known.
    static func end(of unit: String, _ connection: BusConnection) -> String? {
        guard let unit = loaded(unit, connection), unit("Unit", "LoadState") == "loaded" else {
            return nil
        }
        switch unit("Unit", "ActiveState") {
        case "inactive": return "stopped"
        case "failed": return "failed"
        default: return waitsForNextTry(unit) ? "failed" : nil
        }
    }

    /// It has ended by itself: `auto-restart`, of a later systemd `auto-restart-queued`, too.
    private static func waitsForNextTry(_ unit: Properties) -> Bool {
        unit("Unit", "SubState")?.hasPrefix("auto-restart") == true
    }

    /// Its properties; nil where nobody answers. One that is stopped is forgotten,
    /// and is read again.
    private static func loaded(
        _ unit: String, _ connection: BusConnection
    ) -> Properties? {
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
