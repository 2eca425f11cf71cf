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
        var tracker = script.tracker
        #expect(tracker.handle(.report(report), at: Script.uptime(5)).isUneventful)
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

/// What a version without approaches wrote.
@Suite("checkpoints and records of the version before")
struct OldBytesTests {
    @Test("a checkpoint of version 2 is read, with the vehicle of the settings")
    func checkpoint() throws {
        var script = Script([try Script.circle("bridge", x: 0, radius: 200)])
        script.at(0, x: 0, speed: 20)
        script.at(1, x: 20, speed: 20)
        let bytes = try #require(script.tracker.engine.checkpointBytes)
        // Version 5 ends with empty values: watches, standing, ended fences, ignition and rest.
        let terms = 4 + 1 + 4 + 4 + 2
        var fourth = Array(bytes.dropLast(terms))
        fourth[0] = 4
        #expect(EngineCheckpoint(bytes: fourth) == EngineCheckpoint(bytes: bytes))
        // Version 4 ends with empty values: radio, path and regions.
        let beacons = 1 + 1 + 8 + 4
        var third = Array(bytes.dropLast(terms + beacons))
        third[0] = 3
        #expect(EngineCheckpoint(bytes: third) == EngineCheckpoint(bytes: bytes))
        // Version 3 ends with no hushes, no group, and a vehicle of nothing.
        var old = Array(bytes.dropLast(terms + beacons + 4 + 1 + 4 + 5 + 4 + 1 + 1))
        old.replaceSubrange(0..<4, with: [2, 0, 0, 0])
        let checkpoint = try #require(EngineCheckpoint(bytes: old))
        #expect(checkpoint.age == EngineCheckpoint(bytes: bytes)?.age)
        var settings = EngineSettings()
        settings.vehicle.height = 3
        let store = script.store
        let engine = Engine(
            settings: settings, generation: store.generation, checkpoint: checkpoint,
            entries: store.entries(ids: checkpoint.fenceIDs), stays: [])
        #expect(engine.vehicle.height == 3)
        #expect(engine.checkpointBytes?.first == 5)
        old[0] = 6
        #expect(EngineCheckpoint(bytes: old) == nil)
    }

    @Test("pending records of versions 1 to 4 are read")
    func record() throws {
        var script = Script([try Script.circle("bridge", x: 0, radius: 200)])
        script.at(0, x: 0, speed: 20)
        let event = try #require(script.events.first)
        let record = EventRecord(
            events: [event], opened: [], closed: [], known: 1, positionLost: false)
        // No fence has ended, and the ignition is not known.
        var old = Array(record.bytes.dropLast(4 + 1))
        // Before both counts, the generation and the flag: no terms.
        old.remove(at: old.count - 1 - (4 + 4 + 8 + 1))
        old[0] = 4
        #expect(EventRecord(bytes: old)?.events == [event])
        // No beacon.
        old.remove(at: old.count - 1 - (4 + 4 + 8 + 1))
        old[0] = 3
        #expect(EventRecord(bytes: old)?.events == [event])
        // No evidence.
        old.remove(at: old.count - 1 - (4 + 4 + 8 + 1))
        old[0] = 2
        #expect(EventRecord(bytes: old)?.events == [event])
        // And that there is no approach.
        old.remove(at: old.count - 1 - (4 + 4 + 8 + 1))
        old[0] = 1
        #expect(EventRecord(bytes: old)?.events == [event])
        #expect(EventRecord(bytes: record.bytes)?.events == [event])
    }
}
