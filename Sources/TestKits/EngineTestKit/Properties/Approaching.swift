import Geodesy
import Law
import Model
import Time

/// The laws of approaches on random drives past random hazards, among ordinary fences.
package enum Approaching {
    /// A drive with hazards, and vehicles that it is driven with.
    private struct Case: CustomStringConvertible {
        let scenario: Scenario
        let fences: [Fence]
        /// Taken before the report of that number.
        let vehicles: [Int: Vehicle]
        let description: String

        init(seed: UInt64) {
            scenario = Scenario(seed: seed, steps: 90)
            var random = SeededRandom(seed: seed ^ 0x61_7070)
            let places = scenario.reports.compactMap(\.coordinate).filter {
                $0.isValid && $0.latitude.magnitude < 89
            }
            let count = [1, 4, 25, 60][random.integer(0..<4)]
            fences =
                scenario.fences.prefix(random.integer(0..<30))
                + RandomApproaches.fences(count, along: places, &random)
            var vehicles: [Int: Vehicle] = [:]
            for _ in 0..<random.integer(0..<4) {
                vehicles[random.integer(0..<scenario.reports.count)] = Vehicle(
                    height: random.chance(0.2) ? nil : random.uniform(3...4.8),
                    weight: random.chance(0.3) ? random.uniform(3...40) : nil)
            }
            self.vehicles = vehicles
            description = "\(scenario), of them \(fences.count) with hazards"
        }

        /// What a monitor of every fence says.
        func expected(_ settings: EngineSettings) -> [Event] {
            var full = EveryFenceMonitor(settings: settings, fences: fences)
            var events: [Event] = []
            for (index, report) in scenario.reports.enumerated() {
                let arrival = scenario.arrivals[index]
                if let vehicle = vehicles[index] {
                    events += full.change(to: vehicle, at: arrival)
                }
                events += full.handle(report, at: arrival)
            }
            return events
        }
    }

    package static let windowed = Property(
        "hazards through a window say what a watch on all of them says"
    ) {
        let one = Case(seed: $0)
        var expected: [Event]?
        for size in [2, 20, 500] {
            let store = MemoryFenceStore(one.fences)
            var tracker = Tracker.fresh(store, size: size)
            let all = expected ?? one.expected(tracker.engine.settings)
            expected = all
            var events = tracker.events(.start, at: Uptime(nanoseconds: 0))
            for (index, report) in one.scenario.reports.enumerated() {
                let arrival = one.scenario.arrivals[index]
                if let vehicle = one.vehicles[index] {
                    events += tracker.events(.vehicle(vehicle), at: arrival)
                }
                for instant in tracker.instants(.report(report), at: arrival) {
                    let sizes = Dictionary(
                        one.fences.map { ($0.id, $0.area?.size ?? 0) }, uniquingKeysWith: { $1 })
                    if let flaw = EventLaws.orderFlaw(instant, sizes: sizes) {
                        return "\(one): \(flaw)"
                    }
                    events += instant
                }
            }
            guard events == all else {
                return "\(one), window \(size): \(difference(events, all))"
            }
        }
        return (EventLaws.stagesFlaw(expected ?? []) ?? EventLaws.alternationFlaw(expected ?? []))
            .map { "\(one): \($0)" }
    }

    package static let edited = Property(
        "hazards edited and removed on the way say the same through the window"
    ) {
        let one = Case(seed: $0)
        var random = SeededRandom(seed: $0 ^ 0xed17)
        let store = MemoryFenceStore(one.fences)
        var tracker = Tracker.fresh(store, size: 5)
        var full = EveryFenceMonitor(settings: tracker.engine.settings, fences: one.fences)
        var expected: [Event] = []
        var events = tracker.events(.start, at: Uptime(nanoseconds: 0))
        for (report, arrival) in zip(one.scenario.reports, one.scenario.arrivals) {
            if random.integer(0..<8) == 0 {
                // A hazard becomes another, or an ordinary fence; or the reverse.
                let upserts = one.fences.shuffled(using: &random).prefix(3).map { fence in
                    let other = one.fences.randomElement(using: &random) ?? fence
                    return Fence(
                        id: fence.id, subject: other.subject, title: fence.title,
                        approach: other.approach)
                }
                let ids = Set(upserts.map(\.id))
                let removed = one.fences.map(\.id).filter { !ids.contains($0) }
                    .shuffled(using: &random).prefix(1)
                guard (try? store.apply(upserts: upserts, removing: Array(removed))) != nil else {
                    return "\(one): the change was refused"
                }
                events += tracker.events(.catalogueChanged(store.generation), at: arrival)
                expected += full.apply(
                    upserts: upserts, removing: Array(removed), at: arrival)
            }
            events += tracker.events(.report(report), at: arrival)
            expected += full.handle(report, at: arrival)
        }
        guard events == expected else { return "\(one): \(difference(events, expected))" }
        return (EventLaws.stagesFlaw(events) ?? EventLaws.alternationFlaw(events))
            .map { "\(one): \($0)" }
    }

    package static let restored = Property(
        "killed at every step of an approach and restored, nothing differs"
    ) {
        let one = Case(seed: $0)
        let store = MemoryFenceStore(one.fences)
        var tracker = Tracker.fresh(store, size: 5)
        let expected = one.expected(tracker.engine.settings)
        var events = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
        for (index, report) in one.scenario.reports.enumerated() {
            let arrival = one.scenario.arrivals[index]
            if let vehicle = one.vehicles[index] {
                events += tracker.events(.vehicle(vehicle), at: arrival, committingTo: store)
            }
            events += tracker.events(.report(report), at: arrival, committingTo: store)
            guard tracker.engine.hasCheckpoint else { continue }
            guard let restored = tracker.restored(from: store) else {
                return "\(one): the checkpoint cannot be read"
            }
            guard restored.engine.ahead == tracker.engine.ahead else {
                return "\(one): another way lies ahead after a restart"
            }
            tracker = restored
            events += tracker.events(.start, at: arrival, committingTo: store)
        }
        return events == expected ? nil : "\(one): \(difference(events, expected))"
    }

    package static let powerCut = Property(
        "after a power cut on an approach the stages still follow their order"
    ) {
        let one = Case(seed: $0)
        var random = SeededRandom(seed: $0)
        let store = MemoryFenceStore(one.fences)
        var tracker = Tracker.fresh(store, size: 5)
        _ = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
        for (report, arrival) in zip(one.scenario.reports, one.scenario.arrivals) {
            _ = tracker.events(.report(report), at: arrival, committingTo: store)
            guard random.integer(0..<5) == 0 else { continue }
            if random.chance(0.3), let open = store.openStays.first {
                _ = try? store.apply(upserts: [], removing: [open.fence])
            }
            var engine = Engine(
                settings: tracker.engine.settings, generation: store.generation,
                known: store.known, stays: store.openStays,
                entries: store.entries(ids: store.openStays.map(\.fence)),
                isPositionLost: store.positionLost, driven: store.driven)
            if let vehicle = store.vehicle { engine.resume(vehicle: vehicle) }
            tracker = Tracker(engine: engine, store: store) { _ in }
            _ = tracker.events(.start, at: arrival, committingTo: store)
        }
        let events = store.log.map(\.event)
        return (EventLaws.stagesFlaw(events) ?? EventLaws.alternationFlaw(events))
            .map { "\(one): \($0)" }
    }

    /// How often each stage and reason occurs in these scenarios: the properties above are worth
    /// nothing for what never happens.
    package static func occurrences(in seeds: Range<UInt64>) -> [String: Int] {
        var counts: [String: Int] = [:]
        for seed in seeds {
            for event in Case(seed: seed).expected(EngineSettings())
            where [.advisory, .urgent, .clear].contains(event.kind) {
                let reason = event.reason.map { " " + $0.name } ?? ""
                counts[event.kind.name + reason, default: 0] += 1
                if event.inferred { counts["inferred", default: 0] += 1 }
                if !event.announced { counts["silent", default: 0] += 1 }
                if event.approach?.group != nil { counts["group", default: 0] += 1 }
            }
        }
        return counts
    }
}
