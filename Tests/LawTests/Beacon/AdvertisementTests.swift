import Bytes
import Foundation
import Testing

@testable import Model

/// Service data of an Eddystone-UID.
private let eddystone = "00e7" + "0102030405060708090a" + "0b0c0d0e0f10"

@Suite("Advertisements of beacons")
struct AdvertisementTests {
    /// The bytes of pairs of hexadecimal digits; half a pair at the end is dropped.
    static func bytes(_ text: some StringProtocol) -> [UInt8] {
        let digits = Array(text)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
    }

    private static func frames(_ text: some StringProtocol) -> [BeaconFrame] {
        bytes(text).withByteView { Advertisement.frames($0) }
    }

    private static let known = "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6"

    /// Identity and measured power by the number of the line in the file; the other lines have no
    /// beacon.
    private static let accepted: [Int: (identity: String, power: Int)] = [
        1: ("\(known)/1/2", -59), 4: ("\(known)/1/2", -59), 5: ("\(known)/5/3", -66),
        10: ("e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/4", -59),
        11: ("7777772e-626c-756b-692e-636f6d000100/256/427", -86),
        14: ("\(known)/1/2", -59),
        16: ("01020304-0506-0708-090a-0b0c0d0e0f10/4370/4884", -59),
        17: ("01020304-0506-0708-090a-0b0c0d0e0f10/4370/4884", -59),
        18: ("\(known)/1/2", -59), 19: ("\(known)/1/2", -59),
    ]

    @Test("of AltBeacon's own tests are accepted and refused as their lengths and codes say")
    func altBeacons() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Data/altbeacon-library.hex")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 21)
        for (number, line) in zip(1..., lines) {
            let found = Self.frames(try #require(line.split(separator: " ").last))
            #expect(
                found.map(\.identity.text) == (Self.accepted[number].map { [$0.identity] } ?? []),
                "line \(number)")
            #expect(
                found.map(\.measuredPower) == (Self.accepted[number].map { [$0.power] } ?? []),
                "line \(number)")
            #expect(found.allSatisfy { $0.format == .altBeacon })
        }
    }

    @Test("recorded by a Raspberry Pi are iBeacons")
    func iBeacon() throws {
        let found = Self.frames("02011a1aff4c000215daf246ce836311e4b116123b93f75cba00000002c2")
        let frame = try #require(found.first)
        #expect(found.count == 1)
        #expect(frame.format == .iBeacon)
        #expect(frame.identity.text == "daf246ce-8363-11e4-b116-123b93f75cba/0/2")
        #expect(frame.measuredPower == -62)
    }

    @Test(
        "of Apple that are not iBeacons contain none",
        arguments: [
            // A byte too few and one too many, another type, another length inside, nothing.
            "19ff4c000215daf246ce836311e4b116123b93f75cba00000002",
            "1bff4c000215daf246ce836311e4b116123b93f75cba00000002c200",
            "1aff4c001015daf246ce836311e4b116123b93f75cba00000002c2",
            "1aff4c000214daf246ce836311e4b116123b93f75cba00000002c2",
            "03ff4c00", "02ff4c", "01ff",
        ])
    func notApple(_ text: String) {
        #expect(Self.frames(text).isEmpty)
    }

    @Test("of another company in the form of an iBeacon contain none")
    func company() {
        let form = "0215daf246ce836311e4b116123b93f75cba00000002c2"
        #expect(Self.frames("1aff4c00" + form).count == 1)
        #expect(Self.frames("1aff4d00" + form).isEmpty)
        #expect(Self.frames("1affffff" + form).isEmpty)
    }

    @Test("Eddystone-UID states its power at 0 m: 41 dB more than at 1 m", arguments: ["", "0000"])
    func uid(_ reserved: String) throws {
        let length = reserved.isEmpty ? "15" : "17"
        let found = Self.frames("0303aafe\(length)16aafe" + eddystone + reserved)
        let frame = try #require(found.first)
        #expect(frame.format == .eddystone)
        #expect(frame.identity.text == "0102030405060708090a/0b0c0d0e0f10")
        #expect(frame.measuredPower == -66)
    }

    @Test(
        "of Eddystone that are not UIDs contain none",
        arguments: [
            // URL, telemetry, 19 and 17 bytes, another service.
            "0d16aafe10e702676f6f676c6500", "1116aafe20000bb81500000000010000000a",
            "1616aafe" + eddystone + "00", "1416aafe" + String(eddystone.dropLast(2)),
            "1516abfe" + eddystone,
        ])
    func notUID(_ text: String) {
        #expect(Self.frames(text).isEmpty)
    }

    @Test("may hold frames of two formats; a damaged structure hides only what follows")
    func several() {
        let apple = "1aff4c000215daf246ce836311e4b116123b93f75cba00000002c2"
        let uid = "1516aafe" + eddystone
        #expect(Self.frames(apple + uid).map(\.format) == [.iBeacon, .eddystone])
        #expect(Self.frames(apple + "00" + uid).map(\.format) == [.iBeacon])
        #expect(Self.frames(apple + "30ff00" + uid).map(\.format) == [.iBeacon])
        #expect(Self.frames("").isEmpty)
    }

    @Test("are read up to 255 bytes and 8 frames")
    func budgets() {
        let apple = "1aff4c000215daf246ce836311e4b116123b93f75cba00000002c2"
        #expect(Self.frames(String(repeating: apple, count: 9)).count == 8)
        let filling = String(repeating: "020106", count: 76)
        #expect(Self.bytes(apple + filling).count == 255)
        #expect(Self.frames(apple + filling).count == 1)
        #expect(Self.frames(apple + filling + "00").isEmpty)
    }
}
