package import Systemd
package import VehicleBus

/// The object of geofenced-can on the bus, `org.geofenced.Can1`: see geofenced-can(8).
@MainActor
package final class CANObject {
    /// Name, and interface.
    package static let name = "org.geofenced.Can1"
    /// Its path.
    package static let path = "/org/geofenced/Can1"
    private static let ignitionInterface = "org.geofenced.Can1.Ignition"
    private static let motion = BusSignal(path: path, interface: name, member: "VehicleMotion")

    private let bus: BusConnection
    private var slots: [BusSlot] = []
    private var ignition: Bool?
    private var state = ""

    /// - Parameters:
    ///   - interface: of the network.
    ///   - counters: frames that said something, and words of nodes that are not believed.
    ///   - ready: the name is ours.
    ///   - failed: it cannot be, with the reason.
    package init(
        _ bus: BusConnection, interface: String,
        counters: @escaping @MainActor () -> (frames: UInt64, ignored: UInt64),
        ready: @escaping @MainActor () -> Void, failed: @escaping @MainActor (String) -> Void
    ) throws(SystemError) {
        self.bus = bus
        slots.append(
            try bus.export(
                BusInterface(
                    name: Self.name,
                    signals: [
                        BusSignalDeclaration("VehicleMotion", [BusParameter("motion", "a{sv}")])
                    ],
                    properties: [
                        BusProperty("State", "s", .emitsValue) { [weak self] _ in
                            .string(self?.state ?? "")
                        },
                        BusProperty("Interface", "s", .constant) { _ in .string(interface) },
                        BusProperty("Frames", "t", .silent) { _ in .uint64(counters().frames) },
                        BusProperty("Ignored", "t", .silent) { _ in .uint64(counters().ignored) },
                    ]), at: Self.path))
        // On an interface of its own: what is not known cannot be read, and would spoil GetAll.
        slots.append(
            try bus.export(
                BusInterface(
                    name: Self.ignitionInterface,
                    properties: [
                        BusProperty("On", "b", .emitsInvalidation) {
                            [weak self] _ throws(BusError) in
                            guard let isOn = self?.ignition else {
                                throw BusError(
                                    name: "\(Self.name).Error.Unknown",
                                    message: "the vehicle does not say")
                            }
                            return .bool(isOn)
                        }
                    ]), at: Self.path))
        try bus.requestName(Self.name) { outcome in
            switch outcome {
            case .success(.owned), .success(.alreadyOwned): ready()
            case .success: failed("\(Self.name) belongs to another program")
            case .failure(let error): failed("the bus refuses \(Self.name): \(error)")
            }
        }
    }

    /// Tells what the wheels do.
    package func tell(_ motion: BusMotion) {
        var fields = [
            BusOption("speed_mps", .double(motion.speed)),
            BusOption("standing", .bool(motion.isStanding)),
        ]
        if let odometer = motion.odometer {
            fields.append(BusOption("odometer_m", .double(odometer)))
            fields.append(BusOption("odometer_source", .string(motion.odometerSource)))
        }
        // Where the bus does not take it, the next one says the same, and more.
        _ = try? bus.emit(Self.motion, [.options(fields)])
    }

    /// The ignition is on, off, or not known.
    package func tell(ignition: Bool?) {
        self.ignition = ignition
        if slots.count > 1 { try? bus.emitPropertiesChanged(of: slots[1], ["On"]) }
    }

    /// How the network is.
    package func tell(state: String) {
        self.state = state
        if let slot = slots.first { try? bus.emitPropertiesChanged(of: slot, ["State"]) }
    }
}
