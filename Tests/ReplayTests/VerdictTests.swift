import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

/// What a replay says of each report beside the events.
@Suite struct VerdictTests {
    private let start = UTCTime(nanoseconds: 1_700_000_000_000_000_000)

    private func report(
        _ seconds: Double, east metres: Double, hasFix: Bool = true, error: Double = 5
    ) -> PositionReport {
        PositionReport(
            time: start + .seconds(seconds), hasFix: hasFix,
            coordinate: Coordinate(latitude: 0.00001, longitude: metres / 111_319.490793),
            error: error,
            speed: 10)
    }

    private func verdicts(_ reports: [PositionReport]) -> ([ReportVerdict], Replay) {
        var replay = Replay(store: MemoryFenceStore()) { Issue.record("\($0)") }
        let verdicts = reports.map { replay.judge($0).verdict }
        return (verdicts, replay)
    }

    @Test("each report is accepted or refused with its reason, as the counters say")
    func fates() {
        let (found, replay) = verdicts([
            report(0, east: 0), report(1, east: 10), report(2, east: 20, hasFix: false),
            report(3, east: 30, error: 500), report(0.5, east: 5), report(4, east: 40),
        ])
        #expect(
            found.map(\.fate) == [
                .accepted, .accepted, .refused(.noFix), .refused(.inaccurate),
                .refused(.outOfOrder), .accepted,
            ])
        #expect(found.map(\.isNewPath) == [true, false, false, false, false, false])
        #expect(replay.summary.fixes.accepted == 3)
        #expect(replay.summary.fixes[.inaccurate] == 1)
    }

    @Test("a fix far away is held, and dropped when the next one is not with it")
    func dropped() {
        let (found, _) = verdicts([
            report(0, east: 0), report(1, east: 20_000), report(2, east: 20),
        ])
        #expect(found.map(\.fate) == [.accepted, .held, .accepted])
        #expect(found[2].dropped.map(\.reason) == [.implausible])
        #expect(found[2].dropped.first?.fix.time == start + .seconds(1))
        #expect(!found[2].isNewPath)
    }

    @Test("held fixes that agree count together, as a new path")
    func jump() {
        let (found, replay) = verdicts([
            report(0, east: 0), report(1, east: 20_000), report(2, east: 20_010),
            report(3, east: 20_020),
        ])
        #expect(found.map(\.fate) == [.accepted, .held, .held, .accepted])
        #expect(found[3].accepted.map(\.time) == [1, 2, 3].map { start + .seconds($0) })
        #expect(found[3].isNewPath)
        #expect(found.allSatisfy { $0.dropped.isEmpty })
        #expect(replay.doubted.isEmpty)
    }

    @Test("what is held at the end is doubted")
    func atTheEnd() {
        let (_, replay) = verdicts([report(0, east: 0), report(1, east: 20_000)])
        #expect(replay.doubted.map(\.reason) == [.implausible])
    }
}
