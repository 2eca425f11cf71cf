import EngineTestKit
import FixSources
import Geodesy
import Law
import Model
import Testing
import Time

/// Section 12 of the law, on a recording of a vehicle that stood.
@Suite struct TowedTests {
    /// The events of the recording with the ignition off, followed by those of `more`.
    private func kinds(
        _ isOff: Bool = true, then more: (Fix) -> [PositionReport] = { _ in [] }
    ) throws -> [EventKind] {
        var replay = Replay(store: MemoryFenceStore()) { Issue.record("\($0)") }
        if isOff { replay.setIgnition(false) }
        let reader = try TrackReader(path: try Trace.named("amsterdam-parked").track)
        var events: [LoggedEvent] = []
        while let report = try reader.next() { events += replay.handle(report) }
        let last = try #require(replay.engine.lastFix)
        for report in more(last) { events += replay.handle(report) }
        return events.map(\.event.kind).filter { $0 == .towed }
    }

    /// The reports of a vehicle that is towed to the east at 5 m/s for a minute.
    private func towing(_ last: Fix) -> [PositionReport] {
        (1...60).map { second in
            PositionReport(
                time: last.time + .seconds(Double(second)), hasFix: true,
                coordinate: last.coordinate.moved(by: 5 * Double(second), toward: 90),
                error: last.error, speed: 5, course: 90)
        }
    }

    @Test("a car that stands and drifts is not towed")
    func parked() throws {
        #expect(try kinds().isEmpty)
    }

    @Test("a car that is towed with its ignition off is reported once")
    func towed() throws {
        #expect(try kinds(then: towing) == [.towed])
    }

    @Test("a car that is driven away is not reported")
    func driven() throws {
        #expect(try kinds(false, then: towing).isEmpty)
    }
}
