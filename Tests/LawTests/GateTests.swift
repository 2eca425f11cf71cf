import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

/// Section 2 of the law: which fixes count.
struct GateTests {
    /// A report that must be refused after a first fix at second 0, x = 0.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var report: PositionReport
        var arriving: Double
        var reason: Refusal
    }

    static let cases = [
        Case(
            testDescription: "no fix",
            report: PositionReport(
                time: Script.time(1), hasFix: false, coordinate: Script.place(0)), arriving: 1,
            reason: .noFix),
        Case(
            testDescription: "no time",
            report: PositionReport(
                time: nil, hasFix: true, coordinate: Script.place(0)), arriving: 1, reason: .noFix),
        Case(
            testDescription: "latitude beyond the pole",
            report: PositionReport(
                time: Script.time(1), hasFix: true,
                coordinate: Coordinate(latitude: 90.1, longitude: 0)), arriving: 1,
            reason: .invalid),
        Case(
            testDescription: "not to be read", report: .unreadable, arriving: 1, reason: .invalid),
        Case(
            testDescription: "not a number",
            report: PositionReport(
                time: Script.time(1), hasFix: true,
                coordinate: Coordinate(latitude: .nan, longitude: 0)), arriving: 1,
            reason: .invalid),
        Case(
            testDescription: "the same time, another place", report: Script.report(0, x: 1),
            arriving: 1, reason: .duplicate),
        Case(
            testDescription: "two seconds back", report: Script.report(-2, x: 0), arriving: 1,
            reason: .outOfOrder),
        Case(
            testDescription: "thirty seconds back", report: Script.report(-30, x: 0), arriving: 1,
            reason: .outOfOrder),
        Case(
            testDescription: "more than five seconds late", report: Script.report(1, x: 0),
            arriving: 6.1, reason: .stale),
        Case(
            testDescription: "an error above 100 m",
            report: Script.report(1, x: 0, error: 100.1), arriving: 1, reason: .inaccurate),
    ]

    @Test("a bad report is refused, counted, and changes nothing", arguments: cases)
    func refused(_ bad: Case) {
        var script = Script([])
        script.at(0, x: 0)
        let before = script.tracker.engine.lastFix
        script.send(bad.report, arriving: bad.arriving)
        #expect(script.counters[bad.reason] == 1)
        #expect(script.counters.refused.reduce(0, +) == 1)
        #expect(script.tracker.engine.lastFix == before)
    }

    @Test("0° 0° stands for no position, unless the last fix was within 1 km of it")
    func nowhere() {
        var script = Script([])
        var second = 0.0
        func send(_ latitude: Double, _ longitude: Double) {
            second += 60
            let report = PositionReport(
                time: Script.time(second), hasFix: true,
                coordinate: Coordinate(latitude: latitude, longitude: longitude), error: 5)
            script.send(report, arriving: second)
        }
        for (latitude, longitude) in [(0.0, 0.0), (-0.0, 0.0), (0.0, -0.0), (-0.0, -0.0)] {
            send(latitude, longitude)
        }
        #expect(script.counters[.invalid] == 4 && script.counters.accepted == 0)
        send(0, 0.0091)
        for _ in 0..<5 { send(0, 0) }
        #expect(script.counters[.invalid] == 9 && script.counters.accepted == 1)
        send(0, 0.0089)
        send(0, 0)
        send(0, 0)
        #expect(script.counters[.invalid] == 9 && script.counters.accepted == 4)
    }

    @Test("an epoch that gpsd reports twice is not counted")
    func repeated() {
        var script = Script([])
        script.at(0, x: 0)
        script.at(0, x: 0, arriving: 0.1)
        #expect(script.counters.accepted == 1)
        #expect(script.counters.refused.allSatisfy { $0 == 0 })
    }

    @Test("a 20 km jump for two fixes is discarded")
    func shortJump() throws {
        var script = Script([try Script.circle("line", x: 10_000, radius: 300)])
        script.at(0, x: 0, speed: 10)
        script.at(1, x: 20_000, speed: 10)
        script.at(2, x: 20_010, speed: 10)
        script.at(3, x: 30, speed: 10)
        #expect(script.told == [])
        #expect(script.counters[.implausible] == 2)
        #expect(script.counters.accepted == 2)
    }

    @Test("a jump that two further fixes confirm begins a new path")
    func longJump() throws {
        let fences = [
            try Script.circle("line", x: 10_000, radius: 300),
            try Script.circle("there", x: 20_000, radius: 300),
        ]
        var script = Script(fences)
        script.at(0, x: 0, speed: 10)
        for second in 1...3 {
            script.at(Double(second), x: 20_000 + 10 * Double(second), speed: 10)
        }
        #expect(script.told == ["enter there jump"])
        #expect(script.events[0].inferred)
        #expect(script.times == [1])
        #expect(script.counters.accepted == 4)
    }

    @Test("losses among held fixes are recorded once: 30 s after the last accepted fix")
    func lossesAmongHeld() throws {
        var script = Script([try Script.circle("there", x: 20_000, radius: 300)])
        script.at(0, x: 0)
        script.at(1, x: 20_000)
        script.at(41, x: 20_010)
        script.at(81, x: 20_020)
        #expect(script.told == ["position-lost", "position-regained", "enter there jump"])
        #expect(script.times == [30, 1, 1])
        script.wait(until: 112)
        #expect(script.told.last == "position-lost")
        #expect(script.times.last == 111)
        #expect(EventLaws.alternationFlaw(script.events) == nil)
    }

    @Test("a fix refused for another reason neither confirms nor drops held fixes")
    func refusedWitness() {
        var script = Script([])
        script.at(0, x: 0)
        script.at(1, x: 20_000)
        script.at(2, x: 20_010, error: 200)
        script.at(3, x: 20_020)
        script.at(3, x: 20_020, arriving: 3.2)
        #expect(script.counters.accepted == 1)
        script.at(4, x: 20_030)
        #expect(script.counters.accepted == 4)
    }

    @Test("a receiver whose date falls back by a rollover is accepted after three fixes")
    func rollover() throws {
        var script = Script([try Script.circle("home", x: 0, radius: 100)])
        script.at(0, x: 0)
        let back = -1024.0 * 7 * 86_400
        for second in 1...3 { script.at(back + Double(second), x: 0, arriving: Double(second)) }
        #expect(script.counters.accepted == 4)
        #expect(script.tracker.engine.rebases == 1)
        script.at(back + 60, x: 500, arriving: 60)
        #expect(script.told.last == "exit home certain")
        let stay = try #require(script.events.last?.stay)
        #expect(stay == .seconds(60), "the stay goes on in monotonic time")
    }

    @Test("one date from the future does not hang the engine")
    func futureDate() {
        var script = Script([])
        script.at(0, x: 0)
        script.at(630_720_000, x: 0, arriving: 1)
        for second in 2...5 { script.at(Double(second), x: 0) }
        #expect(script.counters.accepted == 5)
        #expect(script.counters[.outOfOrder] == 1)
    }

    @Test("the burst after a stall is stale, later fixes count")
    func burst() {
        var script = Script([])
        for second in 0..<5 { script.at(Double(second), x: 0) }
        for second in 5..<20 { script.at(Double(second), x: 0, arriving: 20) }
        #expect(script.counters[.stale] == 10)
        script.at(20, x: 0, arriving: 20.1)
        #expect(script.counters.accepted == 5 + 5 + 1)
    }

    @Test("a position that stands still at speed is frozen after 3 s")
    func frozen() {
        var script = Script([])
        for second in 0..<6 { script.at(Double(second), x: 0, speed: 8) }
        #expect(script.counters.accepted == 3)
        #expect(script.counters[.frozen] == 3)
        script.at(6, x: 40, speed: 8)
        #expect(script.counters.accepted == 4)
    }

    @Test("a parked receiver that repeats the same position is not frozen")
    func parked() {
        var script = Script([])
        for second in 0..<60 { script.at(Double(second), x: 0, speed: 0.4) }
        #expect(script.counters.accepted == 60)
    }

    @Test("10 Hz with 5 m white jitter: no honest fix is refused")
    func jitter() {
        var random = SeededRandom(seed: 10)
        var script = Script([])
        for tick in 0..<3000 {
            let x = Double(tick) + Double.random(in: -5...5, using: &random)
            let y = Double.random(in: -5...5, using: &random)
            script.at(Double(tick) / 10, x: x, y: y, error: 10, speed: 10)
        }
        #expect(script.counters.accepted == 3000)
    }

    @Test("position is lost more than 30 s after the last accepted fix, and regained")
    func lost() {
        var script = Script([])
        script.wait(until: 100)
        script.at(100, x: 0)
        script.wait(until: 130)
        #expect(script.told == [])
        script.wait(until: 130.001)
        script.at(140, x: 0, error: 300)
        script.at(150, x: 0)
        #expect(script.told == ["position-lost", "position-regained"])
        #expect(script.times == [130, 150])
    }

    @Test("reports that waited for us are not stale; those that gpsd held back are")
    func waited() {
        var script = Script([])
        script.at(0, x: 0)
        script.at(1, x: 0)
        let engine = script.tracker.engine
        func arrival(_ second: Double, in interval: ClosedRange<Double>) -> TimeSpan {
            let moments = Script.uptime(interval.lowerBound)...Script.uptime(interval.upperBound)
            return engine.likelyArrival(of: Script.report(second, x: 0), in: moments)
                - Script.uptime(0)
        }
        // Away from 1 to 20: reports of that time count as arrived when they were sent.
        #expect(arrival(2, in: 1...20) == .seconds(2))
        #expect(arrival(19, in: 1...20) == .seconds(19))
        // A receiver that leaps ahead did not arrive in the future.
        #expect(arrival(90, in: 1...20) == .seconds(20))
        // gpsd was silent from 1 to 12, we were away from 12 on: its burst did not come before
        // that.
        #expect(arrival(2, in: 12...20) == .seconds(12))
        // Of a killed process only its last fix is known, not its last read.
        #expect(arrival(0.5, in: -100...20) == .seconds(1))
        // Without a time nothing can be derived.
        let moments = Script.uptime(3)...Script.uptime(4)
        let report = PositionReport(time: nil, hasFix: false, coordinate: nil)
        #expect(engine.likelyArrival(of: report, in: moments) == Script.uptime(4))
    }
}
