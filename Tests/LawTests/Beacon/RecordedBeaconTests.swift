import EngineTestKit
import Foundation
import Testing
import Time

@testable import Law
@testable import Model

@Suite("Recorded and random sightings")
struct RecordedBeaconTests {
    @Test("a beacon at the fringe of reception, heard 69 times in 26 min, is entered once")
    func fringe() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Data/fringe-2015-03-03.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 69)
        var drive = BeaconDrive([BeaconDrive.region("room")])
        var passed = 0.0
        for line in lines {
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            try #require(numbers.count == 2)
            let time = Double(numbers[0]) / 1000
            if time > passed { drive.pass(time - passed) }
            passed = max(passed, time)
            drive.hear(rssi: numbers[1])
        }
        drive.pass(600)
        #expect(drive.told == ["enter room sighted"])
    }

    // The last of them drives 49.87 m of a sphere, 50.02 m of the ellipsoid.
    @Test(
        "every event is justified by its reason",
        arguments: [UInt64](1...20) + [30_128_798_532_776_853])
    func reasons(_ seed: UInt64) {
        #expect(HeardBeacons.law.firstFlaw(in: seed..<seed + 1) == nil)
    }

    /// The radio listens half of the time, and receives nine of ten packets while it does.
    @Test(
        "a coupled trailer is not left in 100 h, and is left when it is gone",
        arguments: [1.0, 5, 10], 1...2 as ClosedRange<UInt64>)
    func trailer(_ interval: Double, _ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var law = BeaconLaw(settings: BeaconSettings())
        let clock = BeaconClock()
        var now = Uptime.boot
        var found = law.monitor([BeaconDrive.region("trailer")], at: now, clock)
        found += law.listen(.listening, at: now, clock)
        let identity = BeaconIdentity.proximity(BeaconDrive.uuid, major: 0, minor: 1)
        for _ in 0..<Int(360_000 / interval) {
            now = now + .seconds(interval)
            law.drive(20 * interval)
            found += law.decide(at: now, hasPosition: true, clock)
            guard random.chance(0.45) else { continue }
            found += law.hear(BeaconSighting(identity, rssi: nil), at: now, clock)
        }
        #expect(found.count == 1)
        for _ in 0...300 {
            now = now + .seconds(1)
            law.drive(20)
            found += law.decide(at: now, hasPosition: true, clock)
        }
        #expect(found.map(\.reason) == [.sighted, .silent])
    }
}
