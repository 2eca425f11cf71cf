import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

/// Section 11 of the law: hours. The epoch of scripts is 2023-11-14T22:13:20Z.
struct HoursTests {
    private func fence(_ active: String, dwell: Double = 0) throws -> Fence {
        var fence = try Script.circle("gate", x: 0, radius: 200, dwell: dwell)
        fence.terms.active = active
        return fence
    }

    @Test("an open stay ends when the hours end, at that time")
    func closes() throws {
        // 22:15:00 is 100 s after the epoch.
        var drive = Script([try fence("00:00-22:15")])
        for second in stride(from: 0.0, through: 110, by: 10) { drive.at(second, x: 0) }
        #expect(drive.told == ["initial gate initial", "exit gate schedule"])
        let exit = try #require(drive.events.last)
        #expect(exit.time == Script.time(100))
        #expect(exit.fixTime == Script.time(100))
        #expect(exit.stay == .seconds(100))
    }

    @Test("when the hours begin inside, the first fix from then on is an initial")
    func opens() throws {
        var drive = Script([try fence("22:15-23:00")])
        for second in stride(from: 0.0, through: 120, by: 15) { drive.at(second, x: 0) }
        #expect(drive.told == ["initial gate initial"])
        #expect(drive.events.last?.time == Script.time(105))
    }

    @Test("outside its hours a fence reports nothing, whatever the vehicle does")
    func silent() throws {
        var drive = Script([try fence("23:00-24:00")])
        for second in 0...60 { drive.at(Double(second), x: -600 + 20 * Double(second), speed: 20) }
        #expect(drive.told.isEmpty)
        #expect(drive.tracker.engine.window?.regions.first?.presence == .outside)
    }

    @Test("closed and open again during a gap: an exit at the first end, then an initial")
    func gap() throws {
        var drive = Script([try fence("00:00-22:15,22:20-23:00")])
        drive.at(0, x: 0)
        drive.at(10, x: 0)
        drive.wait(until: 30)
        drive.at(500, x: 0)
        #expect(
            drive.told == [
                "initial gate initial", "position-lost", "exit gate schedule",
                "position-regained", "initial gate initial",
            ])
        #expect(drive.events.first { $0.kind == .exit }?.time == Script.time(100))
    }

    @Test("without fixes the timer reports the end, not before a settle would be")
    func timer() throws {
        var drive = Script([try fence("00:00-22:15")])
        drive.at(95, x: 0)
        drive.wait(until: 106.9)
        #expect(drive.told == ["initial gate initial"])
        drive.wait(until: 107)
        #expect(drive.told == ["initial gate initial", "exit gate schedule"])
        #expect(drive.events.last?.time == Script.time(100))
        drive.at(108, x: 0)
        #expect(drive.told.count == 2)
    }

    @Test("without fixes the timer reports an end that is months away, too")
    func distant() throws {
        var drive = Script([try fence("24/7; 2024 Mar 20 off")])
        drive.at(0, x: 0)
        let end = try #require(UTCTime(iso8601: "2024-03-20T00:00:00Z"))
        let seconds = Double((end - Script.time(0)).nanoseconds) / 1e9
        drive.wait(until: seconds - 1)
        #expect(drive.told == ["initial gate initial", "position-lost"])
        drive.wait(until: seconds)
        #expect(drive.told.last == "exit gate schedule")
        #expect(drive.events.last?.time == end)
    }

    @Test("a dwell that was due before the end is reported before the exit")
    func dwell() throws {
        var drive = Script([try fence("00:00-22:15", dwell: 99)])
        for second in stride(from: 0.0, through: 90, by: 10) { drive.at(second, x: 0) }
        drive.at(101, x: 0)
        #expect(drive.told == ["initial gate initial", "dwell gate", "exit gate schedule"])
    }

    @Test("edited hours apply from the next fix on")
    func edited() throws {
        var drive = Script([try fence("")])
        drive.at(0, x: 0)
        drive.at(10, x: 0)
        try drive.change(upserts: [try fence("01:00-02:00")])
        #expect(drive.told == ["initial gate initial"])
        drive.at(11, x: 0)
        #expect(drive.told == ["initial gate initial", "exit gate schedule"])
        #expect(drive.events.last?.time == Script.time(10))
    }

    @Test("an invalid schedule is refused on input, with the character")
    func door() throws {
        #expect(
            FenceRules.flaw(try fence("Mo 08:00+"))
                == "active, at character 9: an open end is not covered")
        var elsewhere = try fence("")
        elsewhere.terms.timezone = "../passwd"
        #expect(
            FenceRules.flaw(elsewhere)
                == "timezone: \"../passwd\" is no time zone of this system")
    }
}
