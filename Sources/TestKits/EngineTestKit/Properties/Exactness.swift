import Law
package import Model
import Time

/// The exactness law on random drives: the events are those of a monitor that looks at every fence
/// on every fix. Every list of events is also checked for alternation and order.
package enum Exactness {
    package static let windowed = Property("a window says what a watch on every fence says") {
        Scenario(seed: $0, steps: 60).windowFlaw(laws)
    }

    package static let limited = Property(
        "with room for a few regions, a window leaves out what a watch on every fence does"
    ) {
        Scenario(seed: $0, steps: 60).windowFlaw(mostOpen: [1, 2, 3, 4][Int($0 / 5 % 4)], laws)
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
        return laws(windowed).map { "\(scenario): \($0)" }
    }

    package static let restored = Property(
        "stopped and restored after every input, nothing differs"
    ) {
        Scenario(seed: $0, steps: 60).restoringFlaw()
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
            let outcome = tracker.handle(.report(report), at: arrival)
            events += outcome.instants(committingTo: store).flatMap(\.self)
            if outcome.isUneventful, checkpoint != nil {
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
        Scenario(seed: $0, steps: 60).powerCutFlaw()
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

    private static func laws(_ events: [Event]) -> String? {
        EventLaws.alternationFlaw(events) ?? EventLaws.evidenceFlaw(events)
    }

    private static func change(
        _ scenario: Scenario, _ random: inout SeededRandom
    ) -> (upserts: [Fence], removed: [String]) {
        let upserts = scenario.fences.shuffled(using: &random).prefix(2).map { fence in
            var edited = fence
            if let other = scenario.fences.randomElement(using: &random) {
                edited.subject = other.subject
            }
            if random.chance(0.3) { edited.dwell = .seconds(random.uniform(0...120)) }
            return edited
        }
        let ids = Set(upserts.map(\.id))
        let removed = scenario.fences.map(\.id).filter { !ids.contains($0) }
            .shuffled(using: &random).prefix(1)
        return (Array(upserts), Array(removed))
    }
}
