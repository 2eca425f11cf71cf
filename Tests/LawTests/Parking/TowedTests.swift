import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

/// Section 12 of the law.
struct TowedTests {
    /// Parked at the origin from -10 s on, with the ignition off from 5 s on.
    private func parked(error: Double = 5) -> Script {
        var drive = Script([])
        for second in -10...5 { drive.at(Double(second), x: 0, error: error, speed: 0) }
        drive.take(.ignition(false), at: 5)
        return drive
    }

    /// Fixes of one place, one a second.
    private func stand(
        _ drive: inout Script, _ seconds: ClosedRange<Int>, x: Double, error: Double = 5
    ) {
        for second in seconds { drive.at(Double(second), x: x, error: error, speed: 0) }
    }

    private func tow(_ drive: inout Script, from start: Double, speed: Double = 5) {
        for second in 0...40 {
            drive.at(start + Double(second), x: speed * Double(second), speed: speed)
        }
    }

    @Test("a vehicle moved with its ignition off is reported once, at the second fix outside")
    func towed() throws {
        var drive = parked()
        tow(&drive, from: 6, speed: 7)
        #expect(drive.told == ["towed"])
        let event = try #require(drive.events.last)
        // 50 m, and the errors of the place and of the fix: 56 m are not outside, 63 m are.
        #expect(event.time == Script.time(15) && event.fixTime == Script.time(16))
        #expect(event.fence == nil && event.announced)
    }

    @Test("with the ignition on or unknown nothing is reported")
    func driven() {
        var drive = parked()
        drive.take(.ignition(true), at: 5.5)
        tow(&drive, from: 6)
        #expect(drive.told.isEmpty)
        var other = Script([])
        for second in 0...5 { other.at(Double(second), x: 0, speed: 0) }
        tow(&other, from: 6)
        #expect(other.told.isEmpty)
    }

    @Test("a single fix far away is not enough")
    func outlier() {
        var drive = parked()
        drive.at(6, x: 0, speed: 0)
        drive.at(20, x: 80, speed: 0)
        drive.at(34, x: 0, speed: 0)
        drive.at(48, x: 80, speed: 0)
        drive.at(62, x: 0, speed: 0)
        #expect(drive.told.isEmpty)
    }

    @Test("switched off while it rolls, it is armed where it has stood for the settle time")
    func rolling() {
        var drive = Script([])
        drive.at(0, x: -300, speed: 20)
        drive.at(1, x: -280, speed: 20)
        drive.take(.ignition(false), at: 1)
        for second in 2...15 {
            drive.at(Double(second), x: -280 + 20 * Double(second - 1), speed: 20)
        }
        #expect(drive.tracker.engine.parking.place == nil && drive.told.isEmpty)
        stand(&drive, 16...25, x: 0)
        #expect(drive.tracker.engine.parking.place == nil)
        drive.at(26, x: 0, speed: 0)
        #expect(drive.tracker.engine.parking.place != nil && drive.told.isEmpty)
    }

    @Test("it is armed without a further fix, if fixes stop")
    func silence() throws {
        var drive = Script([])
        drive.at(0, x: -20, speed: 20)
        stand(&drive, 1...3, x: 0)
        drive.take(.ignition(false), at: 3)
        drive.wait(until: 14.9)
        #expect(drive.tracker.engine.parking.place == nil)
        drive.wait(until: 15)
        let place = try #require(drive.tracker.engine.parking.place)
        #expect(place.time == Script.time(3) && place.coordinate == Script.place(0))
        stand(&drive, 4_000...4_119, x: 3_000)
        #expect(drive.told == ["position-lost", "position-regained"])
        drive.at(4_120, x: 3_000, speed: 0)
        #expect(drive.told.last == "towed")
        var one = Script([])
        one.at(0, x: -20, speed: 20)
        one.at(1, x: 0, speed: 0)
        one.take(.ignition(false), at: 1)
        one.wait(until: 4_000)
        #expect(one.tracker.engine.parking.place == nil, "a single fix")
    }

    @Test("the first fix of a receiver that wakes is no place")
    func wakes() {
        var drive = Script([])
        drive.take(.ignition(false), at: 0)
        drive.at(0, x: 308, speed: 0)
        stand(&drive, 1...300, x: 0)
        #expect(drive.told.isEmpty)
        #expect(drive.tracker.engine.parking.place?.coordinate == Script.place(0))
    }

    @Test(
        "a jump in an unbroken row is no tow, however long it lasts, and back",
        arguments: [255.0, 22_000])
    func jump(away: Double) {
        var drive = parked()
        stand(&drive, 6...700, x: away)
        stand(&drive, 701...1_400, x: 0)
        stand(&drive, 1_401...1_430, x: away)
        stand(&drive, 1_431...1_500, x: 0)
        #expect(!drive.told.contains("towed"))
    }

    @Test("fixes that are wrong for half a minute after a hole are no tow")
    func wrongAfterHole() {
        var drive = parked()
        for start in [100, 1_000] {
            stand(&drive, start...start + 29, x: 255)
            stand(&drive, start + 30...start + 400, x: 0)
        }
        #expect(!drive.told.contains("towed"))
        // The same, but back over the way between.
        stand(&drive, 2_000...2_029, x: 255)
        for second in 0...51 {
            drive.at(2_030 + Double(second), x: 255 - 5 * Double(second), speed: 0)
        }
        stand(&drive, 2_082...2_400, x: 0)
        #expect(!drive.told.contains("towed"))
    }

    @Test("carried away during a hole, it is reported after two minutes, standing or moving")
    func carriedAway() throws {
        for speed in [0.0, 20] {
            var drive = parked()
            for second in 0..<120 {
                drive.at(
                    1_000 + Double(second), x: 5_000 + speed * Double(second), speed: speed)
            }
            #expect(!drive.told.contains("towed"))
            drive.at(1_120, x: 5_000 + speed * 120, speed: speed)
            #expect(drive.told.last == "towed")
            #expect(drive.events.last?.time == Script.time(1_000))
        }
    }

    @Test("a receiver that first gives the old place does not hide that it was carried away")
    func oldPlaceFirst() {
        var drive = parked()
        stand(&drive, 1_000...1_002, x: 0)
        stand(&drive, 1_003...1_122, x: 5_000)
        #expect(!drive.told.contains("towed"))
        drive.at(1_123, x: 5_000, speed: 0)
        #expect(drive.told.last == "towed")
    }

    @Test("holes on the way do not hide it")
    func holes() {
        var drive = parked()
        for step in 0...3 { drive.at(100 + 45 * Double(step), x: 400, speed: 0) }
        #expect(drive.told.filter { $0 == "towed" }.count == 1)
    }

    @Test("after a hole, once it has been seen in its place, two fixes are enough again")
    func rooted() {
        var drive = parked()
        stand(&drive, 1_000...1_010, x: 0)
        tow(&drive, from: 1_011, speed: 7)
        #expect(drive.told.last == "towed")
        #expect(drive.events.last?.fixTime == Script.time(1_021))
    }

    @Test("reported again after the ignition has been on and off")
    func again() {
        var drive = parked()
        tow(&drive, from: 6)
        stand(&drive, 50...62, x: 200)
        drive.take(.ignition(true), at: 62)
        drive.take(.ignition(false), at: 63)
        for second in 64...110 {
            drive.at(Double(second), x: 200 + 5 * Double(second - 63), speed: 5)
        }
        #expect(drive.told == ["towed", "towed"])
    }

    @Test("the place survives a kill at every fix, and a power cut")
    func survives() throws {
        var drive = parked()
        let vehicle = drive.tracker.engine.vehicleRecord
        for second in 0...40 {
            drive.at(6 + Double(second), x: 5 * Double(second), speed: 5)
            let bytes = try #require(drive.tracker.engine.checkpointBytes)
            let checkpoint = try #require(EngineCheckpoint(bytes: bytes))
            drive.restart(
                with: Engine(
                    settings: EngineSettings(), generation: 0, checkpoint: checkpoint, entries: [],
                    stays: []))
        }
        #expect(drive.told == ["towed"])
        var engine = Engine(settings: EngineSettings(), generation: 0)
        let stored = try #require(VehicleRecord(bytes: vehicle.bytes))
        #expect(stored.parking.place == vehicle.parking.place && stored.parking.ignition == false)
        engine.resume(vehicle: stored)
        var cut = Script([])
        cut.restart(with: engine)
        stand(&cut, 1_000...1_119, x: 5_000)
        #expect(cut.told.isEmpty)
        cut.at(1_120, x: 5_000, speed: 0)
        #expect(cut.told == ["towed"])
    }
}
