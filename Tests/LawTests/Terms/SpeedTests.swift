import EngineTestKit
import Geodesy
import Model
import Testing
import Time

/// Section 11 of the law: speed limits. 54 km/h are 15 m/s.
struct SpeedTests {
    private func zone(limit: Double = 54) throws -> Fence {
        var fence = try Script.circle("zone", x: 0, radius: 2_000)
        fence.terms.speedLimit = limit
        fence.terms.speedUnit = "km/h"
        return fence
    }

    /// One fix a second on a straight line, at these speeds, which the receiver reports if
    /// `reporting` is true.
    private func drive(
        _ speeds: [Double], from start: Double = -1_000, reporting: Bool = true, error: Double = 5
    ) throws -> Script {
        var drive = Script([try zone()])
        var x = start
        for (second, speed) in speeds.enumerated() {
            drive.at(Double(second), x: x, error: error, speed: reporting ? speed : nil)
            x += speed
        }
        return drive
    }

    private func constant(_ speed: Double, _ count: Int) -> [Double] {
        [Double](repeating: speed, count: count)
    }

    @Test("overspeed after five seconds above the limit, from the first such fix")
    func begins() throws {
        let drive = try drive(constant(10, 5) + constant(20, 6))
        #expect(drive.told == ["initial zone initial", "overspeed zone"])
        let event = try #require(drive.events.last)
        #expect(event.time == Script.time(5) && event.fixTime == Script.time(10))
        #expect(event.terms?.speedLimit == 54 && event.terms?.speedUnit == "km/h")
        #expect(event.presence == .inside)
    }

    @Test("four seconds above the limit are not enough")
    func tooShort() throws {
        let drive = try drive(constant(20, 5) + constant(10, 3) + constant(20, 5))
        #expect(drive.told == ["initial zone initial"])
    }

    @Test("five seconds not above it end it, with the highest speed and the duration")
    func ends() throws {
        let drive = try drive(constant(20, 5) + [25] + constant(20, 4) + constant(14, 6))
        #expect(drive.told == ["initial zone initial", "overspeed zone", "overspeed-end zone"])
        let event = try #require(drive.events.last)
        #expect(event.time == Script.time(10) && event.fixTime == Script.time(15))
        #expect(event.terms?.highestSpeed == 90)
        #expect(event.terms?.length == .seconds(10))
    }

    @Test("a speed between the limit and its error above it begins and ends nothing")
    func flapping() throws {
        let swing = (0..<60).map { 15.25 + ($0 % 2 == 0 ? 0.24 : -0.24) }
        #expect(try drive(swing).told == ["initial zone initial"])
        #expect(
            try drive(constant(20, 6) + swing).told == ["initial zone initial", "overspeed zone"])
    }

    @Test("the exit ends it, with the same time and before the exit")
    func exit() throws {
        let drive = try drive(constant(40, 40), from: 1_000)
        #expect(
            drive.told == [
                "initial zone initial", "overspeed zone", "overspeed-end zone",
                "exit zone certain",
            ])
        let times = drive.events.suffix(2).map(\.time)
        #expect(times[0] == times[1])
    }

    @Test("after a gap it ends at the last fix before")
    func gap() throws {
        var drive = try drive(constant(20, 8))
        drive.at(60, x: 0, speed: 20)
        #expect(drive.told.contains("overspeed-end zone"))
        #expect(drive.events.first { $0.kind == .overspeedEnd }?.time == Script.time(7))
    }

    @Test("it does not count a gap after which the vehicle is outside", arguments: [60, 120.0])
    func gapAndExit(second: Double) throws {
        var drive = try drive(constant(20, 8))
        drive.at(second, x: 3_000, speed: 20)
        #expect(drive.told.suffix(2) == ["overspeed-end zone", "exit zone certain"])
        let end = try #require(drive.events.first { $0.kind == .overspeedEnd })
        #expect(end.time == Script.time(7) && end.terms?.length == .seconds(7))
        #expect(drive.times.last == second)
    }

    @Test("it does not count the time until the hours end without a fix")
    func hoursWithoutFixes() throws {
        // The script begins on a Tuesday at 22:13:20 UTC.
        var fence = try zone()
        fence.terms.active = "00:00-22:20"
        var drive = Script([fence])
        for second in 0..<8 { drive.at(Double(second), x: 20 * Double(second), speed: 20) }
        drive.wait(until: 1_000)
        let end = try #require(drive.events.first { $0.kind == .overspeedEnd })
        #expect(end.time == Script.time(7))
        #expect(drive.told.contains("exit zone schedule"))
        #expect(drive.events.last { $0.kind == .exit }?.time == Script.time(400))
    }

    @Test("at an exit it ends with the first of the slow fixes, if there are any")
    func slowExit() throws {
        var drive = try drive(constant(40, 25) + constant(14, 4), from: 950)
        drive.at(34, x: 2_120, speed: 14)
        let end = try #require(drive.events.first { $0.kind == .overspeedEnd })
        #expect(end.time == Script.time(25) && end.terms?.length == .seconds(25))
        #expect(drive.told.suffix(2) == ["overspeed-end zone", "exit zone certain"])
    }

    @Test("if the receiver reports no speed, that of the path counts")
    func ofPath() throws {
        #expect(
            try drive(constant(30, 20), reporting: false).told
                == ["initial zone initial", "overspeed zone"])
        #expect(
            try drive(constant(15.5, 40), reporting: false).told == ["initial zone initial"])
    }

    @Test("an edited limit ends an overspeed")
    func edited() throws {
        var drive = try drive(constant(20, 8))
        try drive.change(upserts: [try zone(limit: 100)])
        #expect(drive.told.last == "overspeed-end zone")
        drive.at(8, x: -840, speed: 20)
        #expect(drive.told.count == 3)
    }

    @Test(
        "an invalid limit or unit is refused on input",
        arguments: [(-1, ""), (0.5, ""), (501, ""), (.nan, ""), (50, "kn")] as [(Double, String)])
    func door(limit: Double, unit: String) throws {
        var fence = try zone(limit: limit)
        fence.terms.speedUnit = unit
        #expect(FenceRules.flaw(fence) != nil)
    }
}
