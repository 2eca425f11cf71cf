import Geodesy
import Model
import Systemd
import Testing
import Time

@testable import FixSources

/// Section 2 of the law, "A receiver without a time".
@MainActor
@Suite("the time of arrival stands for that of a receiver that gives none")
struct ArrivalTimeTests {
    /// What becomes of reports at their seconds: `u` is a fix without a time, `t` one with, `n` no fix;
    /// upper case is one whose time is that of its arrival.
    private func dated(_ script: [(String, Double)]) -> String {
        var times = ArrivalTimes(ReceiverSettings())
        return script.reduce(into: "") { text, step in
            let hasFix = step.0 != "n"
            let report = PositionReport(
                time: step.0 == "t" ? utc("2024-03-02T12:00:00Z") : nil, hasFix: hasFix,
                coordinate: hasFix ? Coordinate(latitude: 1, longitude: 2) : nil)
            let arrival = Uptime.boot + .seconds(1000 + step.1)
            let given = times.dated(ArrivedReport(report, at: arrival)).report
            text += given.isTimedByArrival ? step.0.uppercased() : step.0
            #expect(given.isTimedByArrival ? given.time != nil : given.time == report.time)
        }
    }

    @Test("from the third fix without one on, and while none was given for 30 s")
    func patience() {
        #expect(dated([("u", 0), ("u", 1), ("u", 2), ("n", 3), ("u", 4)]) == "uuUnU")
        // Parts of epochs that have a time.
        var mixed: [(String, Double)] = []
        var often: [(String, Double)] = []
        for second in stride(from: 0.0, to: 40, by: 1) {
            mixed += [("u", second), ("t", second + 0.1)]
        }
        for second in stride(from: 0.0, to: 3, by: 1) {
            often += [("u", second), ("u", second + 0.2), ("u", second + 0.4)]
            often.append(("t", second + 0.6))
        }
        #expect(dated(mixed) == String(repeating: "ut", count: 40))
        #expect(dated(often) == "uuUtuuutuuut", "one fix, until it is known")
        // Its time comes later, and is lost again.
        #expect(
            dated([
                ("u", 0), ("u", 1), ("u", 2), ("t", 3), ("u", 4), ("u", 5), ("u", 6), ("u", 33),
                ("u", 33.1), ("u", 34), ("t", 35), ("u", 36),
            ]) == "uuUtuuuuUUtu")
    }

    @Test("it is that of the wall clock, and one for what arrives together")
    func clock() throws {
        var times = ArrivalTimes(ReceiverSettings())
        let report = PositionReport(
            time: nil, hasFix: true, coordinate: Coordinate(latitude: 1, longitude: 2))
        let now = EventLoop.uptime
        let given = [-4.0, -3, -2, -2, -1].map {
            times.dated(ArrivedReport(report, at: now + .seconds($0))).report.time
        }
        let wallClock = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        #expect(given[0] == nil && given[1] == nil && given[2] == given[3])
        let last = try #require(given[4])
        let before = try #require(given[2])
        #expect(((wallClock - last).seconds - 1).magnitude < 0.5)
        #expect(((last - before).seconds - 1).magnitude < 0.5)
    }
}
