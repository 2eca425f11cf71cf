import Systemd

/// The objects from which BlueZ reads our patterns, and which it calls when it hears them.
@MainActor
final class MonitorObjects {
    /// The patterns of the monitors.
    let monitors: [[MonitorPattern]]
    private var slots: [BusSlot] = []

    /// The path below which BlueZ finds them.
    static let root = "/org/geofenced/beacons"
    private static let interface = "org.bluez.AdvertisementMonitor1"

    /// - Parameters:
    ///   - caller: the unique name of BlueZ; nobody else may call them.
    ///   - found: called with the path of a device.
    ///   - released: called when BlueZ has dropped a monitor, which it will not call again.
    init(
        _ monitors: [[MonitorPattern]], on bus: BusConnection, for caller: String,
        found: @escaping @MainActor (String) -> Void, released: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        self.monitors = monitors
        slots.append(try bus.exportObjectManager(at: Self.root))
        for (index, patterns) in monitors.enumerated() {
            let object = Self.object(patterns, caller, found, released)
            slots.append(try bus.export(object, at: "\(Self.root)/\(index)"))
        }
    }

    private static func object(
        _ patterns: [MonitorPattern], _ caller: String,
        _ found: @escaping @MainActor (String) -> Void, _ released: @escaping @MainActor () -> Void
    ) -> BusInterface {
        let list = BusValue.array(
            of: "(yyay)",
            patterns.map { .structure([.byte($0.offset), .byte($0.type), .bytes($0.bytes)]) })
        let device = BusParameter("device", "o")
        return BusInterface(
            name: interface,
            methods: [
                BusMethod("Release") { call in
                    guard accept(call, from: caller) else { return }
                    call.reply()
                    released()
                },
                BusMethod("Activate") { $0.reply() },
                BusMethod("DeviceFound", in: [device]) { call in
                    guard accept(call, from: caller) else { return }
                    let path = (try? call.arguments())?.first?.asString
                    call.reply()
                    if let path { found(path) }
                },
                // BlueZ has timeouts of its own, by the wall clock.
                BusMethod("DeviceLost", in: [device]) { $0.reply() },
            ],
            properties: [
                BusProperty("Type", "s", .constant) { _ in .string("or_patterns") },
                BusProperty("Patterns", "a(yyay)", .constant) { _ in list },
            ])
    }

    /// Whether BlueZ has called; another caller gets an error.
    private static func accept(_ call: BusCall, from caller: String) -> Bool {
        if call.sender == caller { return true }
        call.fail(BusError(name: BusError.accessDenied, message: "only BlueZ calls monitors"))
        return false
    }
}
