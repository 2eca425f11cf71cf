import Fencing
import FencingTestKit
import Geodesy

extension Tracker {
    /// A tracker with an engine that knows nothing yet.
    static func fresh(_ store: MemoryFenceStore, size: Int = 20) -> Tracker {
        var settings = EngineSettings()
        settings.window.size = size
        let engine = Engine(settings: settings, generation: store.generation)
        return Tracker(engine: engine, store: store) { _ in }
    }

    /// The events of one input.
    mutating func events(
        _ input: Input, at now: Uptime, committingTo store: MemoryFenceStore? = nil
    ) -> [Event] {
        handle(input, at: now).flatMap { directive -> [Event] in
            guard case .record(let record) = directive else { return [] }
            _ = try? store?.commit(record)
            return record.events
        }
    }
}

/// Where two event lists part.
func difference(_ a: [Event], _ b: [Event]) -> String {
    let index = zip(a, b).prefix { $0 == $1 }.underestimatedCount
    let position = zip(a, b).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? index
    func shown(_ events: [Event]) -> String {
        events.indices.contains(position) ? "\(events[position])" : "nothing"
    }
    let place = min(position, min(a.count, b.count))
    let left = a.indices.contains(place) ? "\(a[place])" : shown(a)
    let right = b.indices.contains(place) ? "\(b[place])" : shown(b)
    return "event \(place) of \(a.count)/\(b.count):\n  \(left)\n  \(right)"
}

/// Per fence, openings and exits strictly alternate, and begin with an opening.
func alternationFlaw(_ events: [Event]) -> String? {
    var inside: Set<String> = []
    for event in events {
        guard let fence = event.fence else { continue }
        switch event.kind {
        case .enter, .initial:
            guard inside.insert(fence).inserted else { return "second opening: \(event)" }
        case .exit:
            guard inside.remove(fence) != nil else { return "exit without opening: \(event)" }
        case .dwell:
            guard inside.contains(fence) || events.contains(where: { $0.fence == fence })
            else { return "dwell outside: \(event)" }
        case .positionLost, .positionRegained:
            break
        }
    }
    return nil
}
