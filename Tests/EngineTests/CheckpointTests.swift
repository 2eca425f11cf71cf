import Engine
import EngineTestKit
import Geodesy
import Testing

@Suite("what a killed process goes on from")
struct CheckpointTests {
    /// At 0 s outside, kept; at 1 s with an error of 50 m in the middle of a fence, which is
    /// refused as too inaccurate and so has no effect.
    private func checkpoint(_ fence: Fence) throws -> EngineCheckpoint {
        var settings = EngineSettings()
        settings.gates.errorLimit = 40
        var script = Script([fence], settings: settings)
        script.at(0, x: -300, speed: 60)
        var checkpoint = try #require(script.tracker.engine.checkpoint)
        let report = Script.report(5, x: 0, error: 50, speed: 60)
        script.send(report, arriving: 5)
        #expect(script.tracker.wasUneventful)
        checkpoint.reports = [EngineCheckpoint.Report(report, at: Script.uptime(5))]
        return checkpoint
    }

    private func restored(
        _ checkpoint: EngineCheckpoint, _ fence: Fence, errorLimit: Double
    ) -> Tracker {
        let store = MemoryFenceStore([fence])
        var settings = EngineSettings()
        settings.gates.errorLimit = errorLimit
        let engine = Engine(
            settings: settings, generation: store.generation, checkpoint: checkpoint,
            entries: store.entries(ids: checkpoint.fenceIDs), stays: [])
        return Tracker(engine: engine, store: store) { _ in }
    }

    @Test("a report without effect is replayed, with the same result")
    func again() throws {
        let fence = try Script.circle("bridge", x: 0, radius: 200)
        let tracker = restored(try checkpoint(fence), fence, errorLimit: 40)
        #expect(tracker.engine.counters[.inaccurate] == 1)
        #expect(tracker.engine.counters.accepted == 1)
    }

    @Test("a report that would now make an event is skipped, and nothing is missed")
    func otherSettings() throws {
        let fence = try Script.circle("bridge", x: 0, radius: 200)
        var tracker = restored(try checkpoint(fence), fence, errorLimit: 100)
        #expect(tracker.engine.counters.accepted == 1)
        #expect(tracker.engine.counters[.inaccurate] == 0)
        #expect(tracker.engine.lastFix?.time == Script.time(0))
        // Beyond the fence: the path from the previous fix leads through it.
        let report = Script.report(10, x: 300, speed: 60)
        let events = tracker.events(.report(report), at: Script.uptime(10))
        #expect(events.map(\.kind).contains(.enter))
    }
}
