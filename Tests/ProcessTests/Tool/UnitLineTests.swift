import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing

/// What `geofencectl status` makes of the units of companions.
@MainActor
@Suite struct UnitLineTests {
    /// A service manager that has all units in one state.
    @MainActor
    private final class Manager {
        var active = ""
        var sub = ""
        private let connection: BusConnection
        private var slots: [BusSlot] = []

        init(_ daemon: ServedDaemon) throws {
            connection = try daemon.bus.connect(daemon.loop)
            let root = "org.freedesktop.systemd1"
            let manager = BusInterface(
                name: "\(root).Manager",
                methods: [
                    BusMethod("LoadUnit", in: [.init("name", "s")], out: [.init("unit", "o")]) {
                        $0.reply([.objectPath("/unit")])
                    }
                ])
            slots = [try connection.export(manager, at: "/org/freedesktop/systemd1")]
            let unit = BusInterface(
                name: "\(root).Unit",
                properties: [
                    BusProperty("LoadState", "s", .silent) { _ in .string("loaded") },
                    BusProperty("ActiveState", "s", .silent) { [weak self] _ in
                        .string(self?.active ?? "")
                    },
                    BusProperty("SubState", "s", .silent) { [weak self] _ in
                        .string(self?.sub ?? "")
                    },
                ])
            slots.append(try connection.export(unit, at: "/unit"))
            // It stays when the program has ended.
            let service = BusInterface(
                name: "\(root).Service",
                properties: [
                    BusProperty("StatusText", "s", .silent) { _ in .string("waiting (all sent)") }
                ])
            slots.append(try connection.export(service, at: "/unit"))
            var isOwned = false
            try connection.requestName(root) { _ in isOwned = true }
            try #require(try daemon.loop.run(until: { isOwned }))
        }
    }

    @Test("what a unit said last is not told of one that has ended, or ends again and again")
    func ended() throws {
        let daemon = try ServedDaemon()
        for name in ["org.geofenced.Alert1", "org.geofenced.Uplink1.fleet"] {
            try daemon.monitoring.register(
                Consumer(name: name, uid: 7, acknowledged: 0, options: "{}"))
        }
        let manager = try Manager(daemon)
        for (active, sub, uplink) in [
            ("active", "running", "waiting"), ("activating", "start", "waiting"),
            ("activating", "auto-restart", "failed"),
            ("activating", "auto-restart-queued", "failed"),
            ("failed", "failed", "failed"), ("inactive", "dead", "stopped"),
        ] {
            (manager.active, manager.sub) = (active, sub)
            let text = try daemon.run("status").output
            #expect(text.contains("fleet: \(uplink); nothing waits"), "\(active) \(sub): \(text)")
            let alert = uplink == "waiting" ? "waiting (all sent)" : "no unit of the system says"
            #expect(text.contains("alert     \(alert)"), "\(active) \(sub): \(text)")
        }
    }
}
