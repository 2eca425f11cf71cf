import Engine
import EngineTestKit
import Geodesy
import Testing
import Time

/// Section 12 of the law.
struct TowedTests {
    /// Parked at the origin from 0 s on, with the ignition off from 5 s on.
    private func parked(error: Double = 5) -> Script {
        var drive = Script([])
        for second in 0...5 { drive.at(Double(second), x: 0, error: error, speed: 0) }
        drive.take(.ignition(false), at: 5)
        return drive
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

    @Test("switched off while it rolls, it is armed where it comes to stand")
    func rolling() {
        var drive = Script([])
        drive.at(0, x: -300, speed: 20)
        drive.at(1, x: -280, speed: 20)
        drive.take(.ignition(false), at: 1)
        for second in 2...15 {
            drive.at(Double(second), x: -280 + 20 * Double(second - 1), speed: 20)
        }
        #expect(drive.tracker.engine.parking.place == nil && drive.told.isEmpty)
        drive.at(16, x: 0, speed: 0)
        #expect(drive.tracker.engine.parking.place != nil && drive.told.isEmpty)
    }

    @Test("reported again after the ignition has been on and off")
    func again() {
        var drive = parked()
        tow(&drive, from: 6)
        for second in 50...52 { drive.at(Double(second), x: 200, speed: 0) }
        drive.take(.ignition(true), at: 52)
        drive.take(.ignition(false), at: 53)
        for second in 54...100 {
            drive.at(Double(second), x: 200 + 5 * Double(second - 53), speed: 5)
        }
        #expect(drive.told == ["towed", "towed"])
    }

    @Test("the place survives a kill at every fix, and a power cut")
    func survives() throws {
        var drive = parked()
        let parking = drive.tracker.engine.parking
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
        let stored = try #require(Parking(bytes: parking.bytes))
        #expect(stored == parking)
        engine.resume(parking: stored)
        var cut = Script([])
        cut.restart(with: engine)
        cut.at(1_000, x: 5_000, speed: 0)
        #expect(cut.told.isEmpty)
        cut.at(1_001, x: 5_000, speed: 0)
        #expect(cut.told == ["towed"])
    }
}
