import Model
import Testing

@testable import BeaconSource

@Suite("Monitors and adapters of BlueZ")
struct MonitorTests {
    private static func uuids(_ count: Int) -> Set<BeaconPattern> {
        Set((0..<count).map { .uuid(BeaconUUID(high: 1, low: UInt64($0))) })
    }

    @Test("a UUID is looked for as an iBeacon and as an AltBeacon, whatever its numbers")
    func uuid() throws {
        let uuid = BeaconUUID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)
        let wanted: Set<BeaconPattern> = [
            .uuid(uuid), .major(uuid, 1), .minor(uuid, major: 1, minor: 2),
        ]
        let monitors = MonitorPattern.monitors(for: wanted)
        let bytes = Array(1...16) as [UInt8]
        #expect(
            monitors == [
                [
                    MonitorPattern(offset: 0, type: 0xFF, bytes: [0x4C, 0, 0x02, 0x15] + bytes),
                    MonitorPattern(offset: 2, type: 0xFF, bytes: [0xBE, 0xAC] + bytes),
                ]
            ])
    }

    @Test("all namespaces share one pattern; an empty demand gives no monitor")
    func namespaces() {
        let spaces = [1, 2].map { BeaconPattern.namespace(BeaconNamespace(high: 0, low: $0)) }
        #expect(
            MonitorPattern.monitors(for: Set(spaces)) == [
                [MonitorPattern(offset: 0, type: 0x16, bytes: [0xAA, 0xFE, 0x00])]
            ])
        #expect(MonitorPattern.monitors(for: []).isEmpty)
    }

    @Test(
        "at most 16 patterns a monitor, and with more than 64 UUIDs one for any UUID",
        arguments: [(8, 1), (9, 2), (64, 8), (65, 1), (256, 1)])
    func limits(_ count: Int, _ expected: Int) {
        let monitors = MonitorPattern.monitors(for: Self.uuids(count))
        #expect(monitors.count == expected)
        #expect(monitors.map(\.count).max() ?? 0 <= 16)
        #expect(monitors == MonitorPattern.monitors(for: Self.uuids(count)))
    }

    @Test("the powered adapter with the lowest number is used, or there is a reason why none is")
    func adapters() {
        var adapters = Adapters()
        #expect(adapters.reason == .noAdapter)
        adapters.change("/org/bluez/test") { $0.isPowered = true }
        #expect(adapters.reason == .noAdapter)
        adapters.change("/org/bluez/hci10") { $0.isPowered = true }
        adapters.change("/org/bluez/hci2") { $0.isPowered = true }
        adapters.change("/org/bluez/hci0") { $0.isBlocked = true }
        #expect(adapters.best?.path == "/org/bluez/hci2")
        #expect(adapters.reason == .none)
        adapters.remove("/org/bluez/hci2")
        #expect(adapters.best?.path == "/org/bluez/hci10")
        adapters.remove("/org/bluez/hci10")
        #expect(adapters.reason == .blocked)
        adapters.change("/org/bluez/hci0") { $0.isBlocked = false }
        #expect(adapters.reason == .poweredOff)
    }

    @Test("the adapter of the settings is the only one")
    func onlyAdapter() {
        var adapters = Adapters(only: "hci1")
        adapters.change("/org/bluez/hci0") { $0.isPowered = true }
        adapters.change("/org/bluez/hci10") { $0.isPowered = true }
        #expect(adapters.best == nil && adapters.reason == .noAdapter)
        adapters.change("/org/bluez/hci1") { $0.isPowered = true }
        #expect(adapters.best?.path == "/org/bluez/hci1")
    }
}
