import Model
import SystemTestKit
import Systemd
import Testing

@testable import BeaconSource

/// A signal that could come from BlueZ.
struct Forgery: CustomTestStringConvertible {
    let testDescription: String
    let signal: BusSignal
    let arguments: [BusValue]

    private init(_ name: String, _ signal: BusSignal, _ arguments: [BusValue]) {
        testDescription = name
        self.signal = signal
        self.arguments = arguments
    }

    private static let data = BusValue.array(
        of: "{qv}", [.entry(.uint16(0x4C), .variant(.bytes(Bench.data)))])

    private static func objects(
        _ member: String, _ path: String, _ value: BusValue
    ) -> (BusSignal, [BusValue]) {
        let signal = BusSignal(path: "/", interface: BlueZ.objectManager, member: member)
        return (signal, [.objectPath(path), value])
    }

    private static func properties(
        _ path: String, _ interface: String, _ name: String, _ value: BusValue
    ) -> (BusSignal, [BusValue]) {
        let signal = BusSignal(
            path: path, interface: BlueZ.properties, member: "PropertiesChanged")
        return (signal, [.string(interface), .dictionary([(name, value)]), .strings([])])
    }

    private init(_ name: String, _ message: (BusSignal, [BusValue])) {
        self.init(name, message.0, message.1)
    }

    static let all = [
        Forgery(
            "a new device",
            objects(
                "InterfacesAdded", "\(FakeBlueZ.path)/dev_9",
                .array(
                    of: "{sa{sv}}",
                    [
                        .entry(
                            .string(BlueZ.device),
                            .dictionary([("RSSI", .int16(-1)), ("ManufacturerData", data)]))
                    ]))),
        Forgery(
            "a device that was heard",
            properties("\(FakeBlueZ.path)/dev_1", BlueZ.device, "RSSI", .int16(-1))),
        Forgery(
            "an adapter without power",
            properties(FakeBlueZ.path, BlueZ.adapter, "Powered", .bool(false))),
        Forgery(
            "an adapter that was unplugged",
            objects("InterfacesRemoved", FakeBlueZ.path, .strings([BlueZ.adapter]))),
        Forgery(
            "another owner",
            BusSignal(
                path: BusPeer.bus.path, interface: BusPeer.bus.interface,
                member: "NameOwnerChanged"),
            [.string(BlueZ.name), .string(""), .string("")]),
    ]
}

@MainActor
@Suite("A source of beacons believes BlueZ alone")
struct StrangerTests {
    @Test("even if another one speaks to us directly", arguments: Forgery.all)
    func signals(_ forgery: Forgery) throws {
        let bench = try Bench()
        bench.ask(isActive: true)
        #expect(try bench.reaches(.ranging))
        try bench.bluez.hear("dev_1", rssi: -70, apple: Bench.data)
        #expect(try bench.loop.run(until: { bench.heard.count == 2 }))
        let statuses = bench.statuses
        try bench.bus.forge(bench.loop, (forgery.signal, forgery.arguments))
        try bench.bluez.hear("dev_1", rssi: -60, apple: Bench.data)
        #expect(
            try bench.loop.run(until: {
                bench.heard.count >= 4 && bench.heard.last?.rssi == nil
            }))
        #expect(bench.heard.compactMap(\.rssi) == [-70, -60])
        #expect(bench.statuses == statuses)
        #expect(bench.bluez.calls == ["RegisterMonitor", "SetDiscoveryFilter", "StartDiscovery"])
    }

    @Test("nobody else calls the monitors", arguments: ["DeviceFound", "Release"])
    func calls(_ member: String) throws {
        let bench = try Bench()
        bench.ask()
        #expect(try bench.reaches(.passive))
        try bench.bluez.hear("dev_1", rssi: -70, apple: Bench.data)
        #expect(try bench.loop.run(until: { bench.heard.count == 2 }))
        let monitor = try #require(bench.bluez.monitors.first).path
        let client = try #require(bench.bluez.client)
        let stranger = try bench.bus.connect(bench.loop)
        var error: BusError?
        try stranger.call(
            BusPeer(
                destination: client, path: monitor, interface: "org.bluez.AdvertisementMonitor1"),
            member,
            member == "Release" ? [] : [.objectPath("\(FakeBlueZ.path)/dev_1")]
        ) { result in
            if case .failure(let failure) = result { error = failure }
        }
        #expect(try bench.loop.run(until: { error != nil }))
        #expect(error?.name == BusError.accessDenied)
        #expect(bench.heard.count == 2)
        #expect(bench.bluez.calls == ["RegisterMonitor"])
    }
}
