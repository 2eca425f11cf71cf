import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

@Suite struct ReplayTests {
    private let start = UTCTime(nanoseconds: 1_700_000_000_000_000_000)

    private func report(_ seconds: Double, east metres: Double, _ hasFix: Bool = true)
        -> PositionReport
    {
        PositionReport(
            time: start + .seconds(seconds), hasFix: hasFix,
            coordinate: Coordinate(latitude: 0.00001, longitude: metres / 111_319.490793),
            error: 5, speed: 10)
    }

    private func replay(_ reports: [PositionReport]) -> Replay {
        var replay = Replay(store: MemoryFenceStore()) { Issue.record("\($0)") }
        for report in reports { _ = replay.handle(report) }
        replay.finish()
        return replay
    }

    @Test("the distance driven is that between accepted fixes")
    func distance() {
        let summary = replay([
            report(0, east: 0), report(1, east: 10), report(2, east: 15, false),
            report(3, east: 30),
        ]).summary
        #expect(abs(summary.distance - 30) < 0.01)
        #expect(summary.reports == 4)
        #expect(summary.fixes.accepted == 3)
        #expect(summary.fixes[.noFix] == 1)
        #expect(summary.duration == .seconds(3))
    }

    @Test("a jump does not count as driven, the path after it does")
    func jump() {
        let summary = replay([
            report(0, east: 0), report(1, east: 10), report(2, east: 20_000),
            report(3, east: 20_010), report(4, east: 20_020), report(5, east: 20_030),
        ]).summary
        #expect(abs(summary.distance - 40) < 0.01)
        #expect(summary.fixes.accepted == 6)
    }

    @Test("fixes still held at the end count as implausible")
    func heldAtTheEnd() {
        let summary = replay([report(0, east: 0), report(1, east: 20_000)]).summary
        #expect(summary.fixes.accepted == 1)
        #expect(summary.fixes[.implausible] == 1)
        #expect(summary.distance == 0)
    }

    @Test("events are numbered from 1 without a gap and have no boot")
    func numbers() throws {
        let area = try Area(
            .circle(center: Coordinate(latitude: 0, longitude: 0.001), radius: 50))
        var replay = Replay(store: MemoryFenceStore([Fence(id: "a", area: area)])) {
            Issue.record("\($0)")
        }
        let events = (0..<60).flatMap {
            replay.handle(report(Double($0), east: Double($0) * 10))
        }
        #expect(events.map(\.seq) == [1, 2])
        #expect(events.map(\.event.kind) == [.enter, .exit])
        #expect(events.allSatisfy { $0.bootID == nil })
        #expect(replay.summary.events == [.enter: 1, .exit: 1])
        #expect(replay.summary.refills >= 1)
    }
}
