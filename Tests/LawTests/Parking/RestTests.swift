import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

/// Section 12 of the law: a receiver that sleeps.
struct RestTests {
    /// Stands at the origin for that many seconds, with the ignition off from the beginning.
    private func parked(_ fences: [Fence] = [], seconds: Int = 700) -> Script {
        var drive = Script(fences)
        drive.at(0, x: 0, speed: 0)
        drive.take(.ignition(false), at: 0)
        for second in stride(from: 10, through: seconds, by: 10) {
            drive.at(Double(second), x: 0, speed: 0)
        }
        return drive
    }

    private let span = TimeSpan.seconds(600)

    @Test("it may rest ten minutes after it was parked, and not before")
    func parkedLongEnough() {
        #expect(parked().tracker.engine.mayRest(after: span))
        #expect(!parked(seconds: 590).tracker.engine.mayRest(after: span))
    }

    @Test("not while the ignition is unknown or on")
    func ignition() {
        var drive = Script([])
        for second in stride(from: 0, through: 700, by: 10) {
            drive.at(Double(second), x: 0, speed: 0)
        }
        #expect(!drive.tracker.engine.mayRest(after: span))
        var on = parked()
        on.take(.ignition(true), at: 701)
        #expect(!on.tracker.engine.mayRest(after: span))
    }

    @Test("it may not rest while a fence waits for a fix")
    func pending() throws {
        let fence = try Script.circle("yard", x: 0, radius: 40)
        #expect(parked([fence]).tracker.engine.mayRest(after: span), "inside, and nothing pending")
        var drive = parked([fence])
        drive.at(730, x: 42, speed: 0)
        #expect(!drive.tracker.engine.mayRest(after: span))
    }

    @Test("it may not rest while a fix is held back that may begin a new path")
    func held() {
        var drive = parked()
        drive.at(701, x: 42, speed: 0)
        #expect(!drive.tracker.engine.mayRest(after: span))
    }

    @Test("it may not rest while it is being towed")
    func towed() {
        var drive = parked()
        drive.at(730, x: 90, speed: 0)
        #expect(!drive.tracker.engine.mayRest(after: span))
    }

    @Test("the position is not lost during a rest; afterwards thirty seconds are counted")
    func lost() {
        var drive = parked()
        drive.take(.resting(true), at: 700)
        drive.wait(until: 5_000)
        #expect(drive.told.isEmpty)
        drive.take(.resting(false), at: 5_000)
        drive.wait(until: 5_030)
        #expect(drive.told.isEmpty)
        drive.wait(until: 5_030.1)
        #expect(drive.told == ["position-lost"])
        #expect(drive.events.last?.time == Script.time(5_030))
    }

    @Test("a rest continues after a kill")
    func killed() throws {
        var drive = parked()
        drive.take(.resting(true), at: 700)
        let bytes = try #require(drive.tracker.engine.checkpointBytes)
        let checkpoint = try #require(EngineCheckpoint(bytes: bytes))
        drive.restart(
            with: Engine(
                settings: EngineSettings(), generation: 0, checkpoint: checkpoint, entries: [],
                stays: []))
        #expect(drive.tracker.engine.isResting)
        drive.wait(until: 5_000)
        #expect(drive.told.isEmpty)
    }

    @Test("a fence that was left while the receiver slept is reported as after a gap")
    func crossed() throws {
        var drive = parked([try Script.circle("yard", x: 0, radius: 40)])
        drive.take(.resting(true), at: 700)
        drive.at(2_000, x: 4_000, speed: 0)
        #expect(drive.told == ["initial yard initial", "exit yard certain"])
        for second in 2_001..<2_120 { drive.at(Double(second), x: 4_000, speed: 0) }
        #expect(drive.told.last == "exit yard certain")
        drive.at(2_120, x: 4_000, speed: 0)
        #expect(drive.told.last == "towed")
    }
}
