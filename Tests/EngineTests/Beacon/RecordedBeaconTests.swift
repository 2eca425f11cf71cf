import EngineTestKit
import Foundation
import Testing

@testable import Engine

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

    @Test("every event has the reason that it says", arguments: 1...20 as ClosedRange<UInt64>)
    func reasons(_ seed: UInt64) {
        #expect(HeardBeacons.law.firstFlaw(in: seed..<seed + 1) == nil)
    }
}
