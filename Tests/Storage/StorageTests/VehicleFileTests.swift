import Foundation
import Model
import SystemTestKit
import Testing
import Time

@testable import Storage

@Suite("What was set of the vehicle")
struct VehicleFileTests {
    private let directory = TemporaryDirectory()
    private var file: VehicleFile { VehicleFile(directory: directory.path) }

    private static let whole = StoredVehicle(
        vehicle: Vehicle(
            profile: "with \"trailer\"", height: 4.05, width: 2.55, length: 16.5, weight: 40,
            axleLoad: 11.5, setBy: "uid 1000",
            setAt: UTCTime(nanoseconds: 1_800_000_000_123_456_789),
            confirmedAt: UTCTime(nanoseconds: 1_800_000_001_000_000_000)), tallest: 4.2)

    @Test(
        "comes back as it was written",
        arguments: [
            whole, StoredVehicle(vehicle: Vehicle()),
            StoredVehicle(vehicle: Vehicle(height: 3.8, setBy: "settings")),
        ])
    func roundTrip(stored: StoredVehicle) throws {
        #expect(try file.read() == nil)
        try file.write(stored)
        #expect(try file.read() == stored)
        #expect(try file.read() == stored, "reading changes nothing")
    }

    @Test("a write that was cut short leaves what was there")
    func cut() throws {
        try file.write(Self.whole)
        directory.write("{\"profile\":\"half", to: "vehicle.new")
        #expect(try file.read() == Self.whole)
        let other = StoredVehicle(vehicle: Vehicle(height: 3))
        try file.write(other)
        #expect(try file.read() == other)
    }

    /// What a later height is compared with.
    private func at(_ height: Double, width: Double? = nil, _ second: Int64) -> StoredVehicle {
        let time = UTCTime(nanoseconds: second * 1_000_000_000)
        return StoredVehicle(
            vehicle: Vehicle(height: height, width: width, setAt: time, confirmedAt: time))
    }

    private func write(_ stored: StoredVehicle, to name: String) {
        directory.write(String(decoding: stored.json, as: UTF8.self), to: name)
    }

    @Test(
        "one that is not the last: the greater of each value, not confirmed",
        arguments: ["older", "gone", "damaged"])
    func notTheLast(_ kind: String) throws {
        let (older, last) = (at(3.2, width: 2.6, 1), at(4, width: 2.5, 2))
        try file.write(older)
        try file.write(last)
        switch kind {
        case "older": write(older, to: "vehicle")
        case "gone": try FileManager.default.removeItem(atPath: directory.file("vehicle"))
        default: directory.write("{", to: "vehicle")
        }
        for _ in 0..<2 {
            let found = try #require(try file.read())
            #expect(found.vehicle.height == 4 && found.vehicle.confirmedAt == nil)
            #expect(found.vehicle.width == (kind == "older" ? 2.6 : 2.5) && found.tallest == nil)
            file.completeSecond()
        }
        // Until somebody says so.
        try file.write(at(3.2, 3))
        #expect(try file.read() == at(3.2, 3))
    }

    @Test("an older program, which writes one file, is believed")
    func oneFile() throws {
        write(at(3.2, 1), to: "vehicle")
        #expect(try file.read() == at(3.2, 1))
        file.completeSecond()
        // It sets another one.
        write(at(3, 2), to: "vehicle")
        #expect(try file.read() == at(3, 2))
        file.completeSecond()
        write(at(3.2, 1), to: "vehicle")
        #expect(try file.read()?.vehicle.height == 3.2)
        #expect(try file.read()?.vehicle.confirmedAt == nil)
    }

    @Test("only its owner can read it")
    func mode() throws {
        try file.write(Self.whole)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: directory.file("vehicle"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(
        "a file that is none of ours is named, and no vehicle",
        arguments: [
            "", "{}", "[]", "{\"profile\":\"\",\"set_by\":\"\",\"height_m\":40}",
            "{\"profile\":\"\",\"set_by\":\"\",\"height_m\":\"4\"}",
            "{\"profile\":\"\",\"set_by\":\"\",\"tallest_m\":-1}", "\u{0}\u{0}\u{0}",
            "{\"profile\":\"\(String(repeating: "x", count: 5000))\",\"set_by\":\"\"}",
        ])
    func damaged(text: String) {
        directory.write(text, to: "vehicle")
        #expect(
            throws: VehicleFileError(
                path: directory.file("vehicle"), reason: "does not describe a vehicle")
        ) { try file.read() }
    }

    @Test("a directory that is not there is an error, not a crash")
    func missing() {
        let file = VehicleFile(directory: directory.file("nowhere"))
        #expect(throws: VehicleFileError.self) { try file.write(Self.whole) }
        #expect((try? file.read()) == .some(nil))
    }
}
