package import Engine
import Geodesy
import Time

/// The exactness law on random drives: the events are those of a monitor that looks at every fence
/// on every fix. Every list of events is also checked for alternation and order.
package enum Exactness {
    package static let windowed = Property("a window says what a watch on every fence says") {
        let scenario = Scenario(seed: $0, steps: 60)
        let size = [2, 3, 5, 20, 20][Int($0 % 5)]
        let store = MemoryFenceStore(scenario.fences)
        var tracker = Tracker.fresh(store, size: size)
        let sizes = scenario.sizes
        var full = EveryFenceMonitor(settings: tracker.engine.settings, fences: scenario.fences)
        var (windowed, expected): ([Event], [Event]) = ([], [])
        windowed += tracker.events(.start, at: Uptime(nanoseconds: 0))
        for (report, arrival) in zip(scenario.reports, scenario.arrivals) {
            for instant in tracker.instants(.report(report), at: arrival) {
                if let flaw = EventLaws.orderFlaw(instant, sizes: sizes) {
                    return "\(scenario): \(flaw)"
                }
                windowed += instant
            }
            expected += full.handle(report, at: arrival)
        }
        guard windowed == expected else {
            return "\(scenario), window \(size): \(difference(windowed, expected))"
        }
        return (EventLaws.alternationFlaw(windowed) ?? EventLaws.evidenceFlaw(windowed)).map {
            "\(scenario): \($0)"
        }
    }

    package static let edited = Property(
        "edits and removals say the same through the window"
    ) {
        let scenario = Scenario(seed: $0, steps: 60)
        var random = SeededRandom(seed: $0 ^ 0xabc)
        let store = MemoryFenceStore(scenario.fences)
        var tracker = Tracker.fresh(store, size: 5)
        var full = EveryFenceMonitor(settings: tracker.engine.settings, fences: scenario.fences)
        var (windowed, expected): ([Event], [Event]) = ([], [])
        windowed += tracker.events(.start, at: Uptime(nanoseconds: 0))
        for (report, arrival) in zip(scenario.reports, scenario.arrivals) {
            if random.integer(0..<8) == 0 {
                let change = change(scenario, &random)
                do {
                    _ = try store.apply(upserts: change.upserts, removing: change.removed)
                } catch {
                    return "\(scenario): \(error)"
                }
                windowed += tracker.events(.catalogueChanged(store.generation), at: arrival)
                expected += full.apply(
                    upserts: change.upserts, removing: change.removed, at: arrival)
            }
            windowed += tracker.events(.report(report), at: arrival)
            expected += full.handle(report, at: arrival)
        }
        guard windowed == expected else {
            return "\(scenario): \(difference(windowed, expected))"
        }
        return (EventLaws.alternationFlaw(windowed) ?? EventLaws.evidenceFlaw(windowed)).map {
            "\(scenario): \($0)"
        }
    }

    package static let restored = Property(
        "stopped and restored after every input, nothing differs"
    ) {
        let scenario = Scenario(seed: $0, steps: 60)
        let expected = events(scenario, size: 5)
        let store = MemoryFenceStore(scenario.fences)
        var tracker = Tracker.fresh(store, size: 5)
        var events = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
        for (report, arrival) in zip(scenario.reports, scenario.arrivals) {
            events += tracker.events(.report(report), at: arrival, committingTo: store)
            guard let bytes = tracker.engine.checkpointBytes else { continue }
            guard let checkpoint = EngineCheckpoint(bytes: bytes) else {
                return "\(scenario): the checkpoint cannot be read"
            }
            let engine = Engine(
                settings: tracker.engine.settings, generation: store.generation,
                checkpoint: checkpoint, entries: store.entries(ids: checkpoint.fenceIDs),
                stays: store.openStays)
            tracker = Tracker(engine: engine, store: store) { _ in }
            events += tracker.events(.start, at: arrival, committingTo: store)
        }
        guard events != expected else { return nil }
        return "\(scenario): \(difference(events, expected))"
    }

    package static let killed = Property(
        "killed and restored from a checkpoint and the uneventful reports since, nothing differs"
    ) {
        let scenario = Scenario(seed: $0, steps: 60)
        let expected = events(scenario, size: 5)
        var random = SeededRandom(seed: $0)
        let store = MemoryFenceStore(scenario.fences)
        var tracker = Tracker.fresh(store, size: 5)
        var events = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
        var checkpoint: EngineCheckpoint?
        for (report, arrival) in zip(scenario.reports, scenario.arrivals) {
            events += tracker.events(.report(report), at: arrival, committingTo: store)
            if tracker.wasUneventful, checkpoint != nil {
                checkpoint?.reports.append(EngineCheckpoint.Report(report, at: arrival))
            } else {
                checkpoint = tracker.engine.checkpoint
            }
            guard let kept = checkpoint, random.chance(0.2) else { continue }
            let engine = Engine(
                settings: tracker.engine.settings, generation: store.generation,
                checkpoint: kept, entries: store.entries(ids: kept.fenceIDs),
                stays: store.openStays)
            guard engine.lastFix == tracker.engine.lastFix,
                engine.counters == tracker.engine.counters
            else { return "\(scenario): a report was not taken again" }
            tracker = Tracker(engine: engine, store: store) { _ in }
            events += tracker.events(.start, at: arrival, committingTo: store)
            checkpoint = tracker.engine.checkpoint
        }
        guard events != expected else { return nil }
        return "\(scenario): \(difference(events, expected))"
    }

    package static let powerCut = Property("after a power cut openings and exits still alternate") {
        let scenario = Scenario(seed: $0, steps: 60)
        var random = SeededRandom(seed: $0)
        let store = MemoryFenceStore(scenario.fences)
        var tracker = Tracker.fresh(store, size: 5)
        _ = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
        for (report, arrival) in zip(scenario.reports, scenario.arrivals) {
            _ = tracker.events(.report(report), at: arrival, committingTo: store)
            guard random.integer(0..<5) == 0 else { continue }
            let engine = Engine(
                settings: tracker.engine.settings, generation: store.generation,
                known: store.known, stays: store.openStays,
                entries: store.entries(ids: store.openStays.map(\.fence)),
                isPositionLost: store.positionLost)
            tracker = Tracker(engine: engine, store: store) { _ in }
            _ = tracker.events(.start, at: arrival, committingTo: store)
        }
        return EventLaws.alternationFlaw(store.log.map(\.event)).map { "\(scenario): \($0)" }
    }

    /// The events with a window of this size.
    package static func events(_ scenario: Scenario, size: Int) -> [Event] {
        let store = MemoryFenceStore(scenario.fences)
        var tracker = Tracker.fresh(store, size: size)
        var events = tracker.events(.start, at: Uptime(nanoseconds: 0))
        for (report, arrival) in zip(scenario.reports, scenario.arrivals) {
            events += tracker.events(.report(report), at: arrival)
        }
        return events
    }

    private static func change(
        _ scenario: Scenario, _ random: inout SeededRandom
    ) -> (upserts: [Fence], removed: [String]) {
        let upserts = scenario.fences.shuffled(using: &random).prefix(2).map { fence in
            var edited = fence
            if let area = scenario.fences.randomElement(using: &random)?.area { edited.area = area }
            if random.chance(0.3) { edited.dwell = .seconds(random.uniform(0...120)) }
            return edited
        }
        let ids = Set(upserts.map(\.id))
        let removed = scenario.fences.map(\.id).filter { !ids.contains($0) }
            .shuffled(using: &random).prefix(1)
        return (Array(upserts), Array(removed))
    }
}

extension Scenario {
    /// m², by id.
    package var sizes: [String: Double] {
        Dictionary(fences.map { ($0.id, $0.area.size) }) { first, _ in first }
    }
}
