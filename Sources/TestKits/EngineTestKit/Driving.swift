package import Law
package import Model
package import Time

extension Tracker {
    /// A tracker with a fresh engine.
    package static func fresh(
        _ store: MemoryFenceStore, size: Int = 20, mostOpen: Int = 1_024
    ) -> Tracker {
        var settings = EngineSettings()
        settings.window.size = size
        settings.window.mostOpen = mostOpen
        let engine = Engine(settings: settings, generation: store.generation)
        return Tracker(engine: engine, store: store) { _ in }
    }

    /// As after a kill: with the engine that its checkpoint gives. Nil if that cannot be read, or there
    /// is none yet, see ``Engine/hasCheckpoint``.
    package func restored(from store: MemoryFenceStore) -> Tracker? {
        guard let checkpoint = engine.checkpoint else { return nil }
        let restored = Engine(
            settings: engine.settings, generation: store.generation, checkpoint: checkpoint,
            entries: store.entries(ids: checkpoint.fenceIDs), stays: store.openStays,
            route: engine.route)
        return Tracker(engine: restored, store: store) { _ in }
    }

    /// The events of one input, one list for every instant.
    package mutating func instants(
        _ input: Input, at now: Uptime, committingTo store: MemoryFenceStore? = nil
    ) -> [[Event]] {
        handle(input, at: now).instants(committingTo: store)
    }

    /// The events of one input.
    package mutating func events(
        _ input: Input, at now: Uptime, committingTo store: MemoryFenceStore? = nil
    ) -> [Event] {
        instants(input, at: now, committingTo: store).flatMap(\.self)
    }
}

extension Tracker.Outcome {
    /// The events, one list for every instant.
    package func instants(committingTo store: MemoryFenceStore? = nil) -> [[Event]] {
        directives.compactMap { directive in
            guard case .record(let record) = directive else { return nil }
            _ = try? store?.commit(record)
            return record.events
        }
    }
}

/// The first difference between two lists of events.
package func difference(_ a: [Event], _ b: [Event]) -> String {
    let place = zip(a, b).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let index = place ?? min(a.count, b.count)
    func shown(_ events: [Event]) -> String {
        events.indices.contains(index) ? "\(events[index])" : "nothing"
    }
    return "event \(index) of \(a.count)/\(b.count):\n  \(shown(a))\n  \(shown(b))"
}
