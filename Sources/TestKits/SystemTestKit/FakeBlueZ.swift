package import Systemd

/// A simulated org.bluez that behaves as measured with bluetoothd 5.66: one adapter, monitors if it
/// is experimental, and only the signals that bluetoothd sends.
@MainActor
package final class FakeBlueZ {
    /// Members that were called, in order.
    package private(set) var calls: [String] = []
    /// The paths and patterns of the registered monitors.
    package private(set) var monitors: [(path: String, patterns: BusValue)] = []
    /// Whether a discovery runs.
    package private(set) var isDiscovering = false
    /// What the controller has passed on in this discovery; it filters duplicates if there are no
    /// monitors.
    private var passed: Set<[UInt8]> = []
    /// The filter of the last discovery.
    package private(set) var filter: [String: BusValue] = [:]
    /// The adapter has the interface of monitors.
    package let isExperimental: Bool

    /// Devices that are known from earlier, and are listed before the adapter, as bluetoothd does:
    /// the newest object comes first. With as many properties as a device has.
    package var crowd = 0
    /// Services of the last of them; bluetoothd has a few.
    package var services = 2
    /// The error of the next lists of objects.
    package var listingError: BusError?
    /// Called when the objects were listed.
    package var onListed: () throws -> Void = {}

    /// The unique name of its client, nil without one.
    package private(set) var client: String?

    private let bus: PrivateBus
    private let loop: EventLoop
    private var connection: BusConnection?
    private var slots: [BusSlot] = []
    private var adapter: [BusSlot] = []
    private var devices: [String: BusSlot] = [:]
    private var values: [String: [BusOption]] = [:]
    private var isPowered = true
    private var watch: BusSlot?

    package nonisolated static let path = "/org/bluez/hci0"
    private static let adapterName = "org.bluez.Adapter1"
    private static let managerName = "org.bluez.AdvertisementMonitorManager1"
    private static let deviceName = "org.bluez.Device1"
    private static let monitorName = "org.bluez.AdvertisementMonitor1"
    private static let objectManager = "org.freedesktop.DBus.ObjectManager"

    package init(on bus: PrivateBus, loop: EventLoop, isExperimental: Bool = true) {
        self.bus = bus
        self.loop = loop
        self.isExperimental = isExperimental
    }

    /// bluetoothd starts, with its adapter or without.
    package func start(isPlugged: Bool = true) throws {
        let connection = try bus.connect(loop)
        self.connection = connection
        slots = [
            try connection.exportObjectManager(at: "/"),
            try connection.guardCalls { [weak self] in self?.list($0) ?? .pass },
        ]
        if isPlugged { try export() }
        var outcome: BusNameOutcome?
        try connection.requestName("org.bluez") { outcome = try? $0.get() }
        _ = try loop.run(until: { outcome != nil })
    }

    /// bluetoothd ends.
    package func stop() {
        forget()
        (slots, adapter, devices, values) = ([], [], [:], [:])
        connection?.close()
        connection = nil
    }

    // MARK: - Objects

    private func list(_ message: BusMessage) -> BusAdmission {
        guard message.member == "GetManagedObjects", message.path == "/" else { return .pass }
        if let listingError { return .refuse(listingError) }
        guard crowd > 0 else { return .pass }
        let stranger = [(Self.deviceName, properties(services: 2))]
        var objects = (1..<crowd).map { object("\(Self.path)/dev_\($0)", stranger) }
        objects.append(
            object("\(Self.path)/dev_0", [(Self.deviceName, properties(services: services))]))
        if !adapter.isEmpty { objects.append(object(Self.path, interfaces)) }
        BusCall(message).reply([.array(of: "{oa{sa{sv}}}", objects)])
        try? onListed()
        return .taken
    }

    private func object(_ path: String, _ interfaces: [(String, [BusOption])]) -> BusValue {
        .entry(.objectPath(path), .array(of: "{sa{sv}}", interfaces.map(Self.entry)))
    }

    private static func entry(_ interface: String, _ properties: [BusOption]) -> BusValue {
        .entry(.string(interface), .options(properties))
    }

    private func properties(services: Int) -> [BusOption] {
        let uuids = [String](repeating: "0000fe9f-0000-1000-8000-00805f9b34fb", count: services)
        let texts = ["Address", "AddressType", "Name", "Alias"].map {
            BusOption($0, .string("C0:00:00:00:00:01"))
        }
        let flags = ["Paired", "Bonded", "Trusted", "Blocked", "LegacyPairing", "Connected"].map {
            BusOption($0, .bool(false))
        }
        return texts + flags + [
            BusOption("UUIDs", .strings(uuids)), BusOption("Adapter", .objectPath(Self.path)),
            BusOption("RSSI", .int16(-90)), BusOption("TxPower", .int16(4)),
        ]
    }

    // MARK: - The adapter

    /// Switches the power and signals it; monitors resume by themselves, a discovery does not.
    package func setPowered(_ isPowered: Bool) throws {
        self.isPowered = isPowered
        if !isPowered { isDiscovering = false }
        guard let connection, let slot = adapter.first else { return }
        try connection.emitPropertiesChanged(of: slot, ["Powered"])
    }

    package func plug() throws {
        try export()
        try emit(
            "InterfacesAdded", Self.path, .array(of: "{sa{sv}}", interfaces.map(Self.entry)))
    }

    package func unplug() throws {
        try release()
        adapter = []
        isDiscovering = false
        try emit("InterfacesRemoved", Self.path, .strings([Self.adapterName, Self.managerName]))
    }

    /// The monitors are dropped, and not registered again.
    package func release() throws {
        for monitor in monitors { try call(monitor.path, "Release") }
        forget()
    }

    private var interfaces: [(String, [BusOption])] {
        [(Self.adapterName, [BusOption("Powered", .bool(isPowered))])]
            + (isExperimental ? [(Self.managerName, [])] : [])
    }

    private func export() throws {
        guard let connection else { return }
        adapter = [
            try connection.export(
                BusInterface(
                    name: Self.adapterName,
                    methods: [
                        BusMethod("SetDiscoveryFilter", in: [.init("filter", "a{sv}")]) {
                            [weak self] call in
                            self?.calls.append("SetDiscoveryFilter")
                            self?.filter =
                                (try? call.arguments())?.first?.asDictionary ?? [:]
                            call.reply()
                        },
                        BusMethod("StartDiscovery") { [weak self] in self?.discover(true, $0) },
                        BusMethod("StopDiscovery") { [weak self] in self?.discover(false, $0) },
                    ],
                    properties: [
                        BusProperty("Powered", "b", .emitsValue) { [weak self] _ in
                            .bool(self?.isPowered ?? false)
                        }
                    ]), at: Self.path)
        ]
        guard isExperimental else { return }
        let root = BusParameter("application", "o")
        adapter.append(
            try connection.export(
                BusInterface(
                    name: Self.managerName,
                    methods: [
                        BusMethod("RegisterMonitor", in: [root]) { [weak self] in
                            self?.register($0)
                        },
                        BusMethod("UnregisterMonitor", in: [root]) { [weak self] call in
                            self?.calls.append("UnregisterMonitor")
                            self?.monitors = []
                            call.reply()
                        },
                    ]), at: Self.path))
    }

    private func discover(_ isOn: Bool, _ call: BusCall) {
        calls.append(isOn ? "StartDiscovery" : "StopDiscovery")
        guard isPowered else { return call.fail("org.bluez.Error.NotReady", "not powered") }
        isDiscovering = isOn
        passed = []
        follow(call.sender)
        call.reply()
    }

    private func register(_ call: BusCall) {
        calls.append("RegisterMonitor")
        guard monitors.isEmpty else {
            return call.fail("org.bluez.Error.AlreadyExists", "registered")
        }
        guard let root = (try? call.arguments())?.first?.asString else {
            return call.fail("org.bluez.Error.InvalidArguments", "no path")
        }
        follow(call.sender)
        let peer = BusPeer(destination: call.sender, path: root, interface: Self.objectManager)
        _ = try? connection?.call(peer, "GetManagedObjects") { [weak self] result in
            let objects = (try? result.get().values())?.first?.asDictionary ?? [:]
            for (path, interfaces) in objects.sorted(by: { $0.key < $1.key }) {
                let monitor = interfaces.asDictionary?[Self.monitorName]?.asDictionary
                guard let patterns = monitor?["Patterns"],
                    monitor?["Type"]?.asString == "or_patterns"
                else { continue }
                self?.monitors.append((path, patterns))
            }
            call.reply()
            for monitor in self?.monitors ?? [] { try? self?.call(monitor.path, "Activate") }
        }
    }

    /// A client that disappears loses everything.
    private func follow(_ client: String) {
        guard client != self.client else { return }
        self.client = client
        watch = try? connection?.watchName(client) { [weak self] owner in
            if owner == nil { self?.forget() }
        }
    }

    private func forget() {
        monitors = []
        isDiscovering = false
        client = nil
    }

    // MARK: - Sightings

    /// An advertisement with that manufacturer data of Apple. With monitors alone the RSSI is
    /// signalled only for a new device; without monitors the controller passes an advertisement on
    /// once in each discovery.
    package func hear(_ device: String, rssi: Int16, apple data: [UInt8]) throws {
        guard isDiscovering || !monitors.isEmpty, let connection else { return }
        guard !monitors.isEmpty || passed.insert(Array(device.utf8) + data).inserted else { return }
        let path = "\(Self.path)/\(device)"
        let payload = BusValue.array(of: "{qv}", [.entry(.uint16(0x4C), .variant(.bytes(data)))])
        values[path] = [BusOption("RSSI", .int16(rssi)), BusOption("ManufacturerData", payload)]
        if let slot = devices[path] {
            if isDiscovering { try connection.emitPropertiesChanged(of: slot, ["RSSI"]) }
        } else {
            devices[path] = try connection.export(declaration(of: path), at: path)
            let interface = BusValue.entry(
                .string(Self.deviceName), .options(values[path] ?? []))
            try emit("InterfacesAdded", path, .array(of: "{sa{sv}}", [interface]))
        }
        for monitor in monitors { try call(monitor.path, "DeviceFound", [.objectPath(path)]) }
    }

    private func declaration(of path: String) -> BusInterface {
        func property(_ name: String, _ type: String, _ index: Int) -> BusProperty {
            BusProperty(name, type, .emitsValue) { [weak self] _ throws(BusError) in
                guard let value = self?.values[path]?[index].value else {
                    throw BusError(name: BusError.failed, message: "no such device")
                }
                return value
            }
        }
        return BusInterface(
            name: Self.deviceName,
            properties: [property("RSSI", "n", 0), property("ManufacturerData", "a{qv}", 1)])
    }

    private func emit(_ member: String, _ path: String, _ value: BusValue) throws {
        let signal = BusSignal(path: "/", interface: Self.objectManager, member: member)
        try connection?.emit(signal, [.objectPath(path), value])
    }

    private func call(_ path: String, _ member: String, _ arguments: [BusValue] = []) throws {
        guard let client else { return }
        let peer = BusPeer(destination: client, path: path, interface: Self.monitorName)
        try connection?.call(peer, member, arguments) { _ in }
    }
}
