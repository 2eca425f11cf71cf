import Model
import Systemd
import Testing

@testable import BeaconSource

/// The payload of an iBeacon, with that minor number.
private func iBeacon(_ minor: UInt8) -> [UInt8] {
    [0x02, 0x15] + [UInt8](repeating: 7, count: 16) + [0, 1, 0, minor, 0xC5]
}

@Suite("Devices of BlueZ")
struct HeardDevicesTests {
    private static let path = "/org/bluez/hci0/dev_C0_00_00_00_00_01"

    private func known() -> HeardDevices {
        var devices = HeardDevices()
        _ = devices.change(
            Self.path, rssi: nil, manufacturer: [(0x4C, iBeacon(1))], eddystone: nil, isWhole: true)
        return devices
    }

    @Test("an RSSI alone is a sighting of what the device sent before")
    func strength() throws {
        var devices = known()
        let heard = devices.change(
            Self.path, rssi: -70, manufacturer: [], eddystone: nil, isWhole: false)
        #expect(try #require(heard).map(\.rssi) == [-70])
        #expect(try #require(heard).map { $0.identity.text.hasSuffix("/1/1") } == [true])
    }

    @Test("an RSSI that BlueZ does not know is a sighting of unknown strength")
    func unknown() throws {
        var devices = known()
        let heard = devices.change(
            Self.path, rssi: 127, manufacturer: [], eddystone: nil, isWhole: false)
        #expect(try #require(heard).map(\.rssi) == [nil])
    }

    @Test("an invalidated RSSI is not a sighting")
    func invalidated() {
        var devices = known()
        let heard = devices.change(
            Self.path, rssi: nil, manufacturer: [], eddystone: nil, isWhole: false)
        #expect(heard == [])
    }

    @Test("the properties of an unknown device are to be read")
    func stranger() {
        var devices = HeardDevices()
        let heard = devices.change(
            Self.path, rssi: -70, manufacturer: [], eddystone: nil, isWhole: false)
        #expect(heard == nil)
        #expect(devices.found(Self.path) == nil)
        #expect(devices.count == 0)
    }

    @Test("two kinds of frames of one address are two beacons, and none erases the other")
    func twoKinds() throws {
        var devices = known()
        let uid: [UInt8] = [0, 0xE7] + [UInt8](repeating: 9, count: 16)
        let telemetry: [UInt8] = [0x20] + [UInt8](repeating: 0, count: 13)
        for data in [uid, telemetry] {
            let heard = devices.change(
                Self.path, rssi: -60, manufacturer: [], eddystone: data, isWhole: false)
            #expect(try #require(heard).count == 2)
        }
    }

    @Test("a device that BlueZ removed is no longer known")
    func removed() {
        var devices = known()
        #expect(devices.found(Self.path)?.count == 1)
        devices.remove(Self.path)
        #expect(devices.found(Self.path) == nil)
    }

    @Test("beyond 4096 devices the one that was silent for the longest is forgotten")
    func budget() {
        var devices = known()
        for number in 0..<HeardDevices.most {
            if number == 100 { _ = devices.found(Self.path) }
            _ = devices.change(
                "\(number)", rssi: -70, manufacturer: [], eddystone: nil, isWhole: true)
        }
        #expect(devices.count == HeardDevices.most)
        #expect(devices.found(Self.path) != nil)
        #expect(devices.found("0") == nil)
    }

    @Test("properties as BlueZ signals them")
    func properties() {
        let data = BusValue.array(
            of: "{qv}", [.entry(.uint16(0x4C), .variant(.bytes(iBeacon(2))))])
        let service = BusValue.dictionary([
            ("0000feaa-0000-1000-8000-00805f9b34fb", .bytes([0, 1]))
        ])
        let signal = DeviceSignal([
            "RSSI": .int16(-71), "ManufacturerData": data, "ServiceData": service,
        ])
        #expect(signal.rssi == -71)
        #expect(signal.manufacturer.map(\.company) == [0x4C])
        #expect(signal.manufacturer.map(\.data) == [iBeacon(2)])
        #expect(signal.eddystone == [0, 1])
        let odd = DeviceSignal(["RSSI": .string("x"), "ManufacturerData": .bool(true)])
        #expect(odd.rssi == nil && odd.manufacturer.isEmpty && odd.eddystone == nil)
    }
}
