import Geodesy
import Law
import Model
import Time

/// Drives on which the receiver jumps, for long and for short, and the ignition is switched: what is
/// doubted follows from the fixes and the ignition alone.
package enum Doubting {
    package static let windowed = Property(
        "a position that is doubted gives the same events through the window"
    ) { seed in
        let one = Case(seed)
        var tracker = one.tracker(size: [2, 3, 5, 20][Int(seed % 4)], one.store())
        var full = EveryFenceMonitor(settings: one.settings, fences: one.scenario.fences)
        var (windowed, expected): ([Event], [Event]) = ([], [])
        let sizes = Dictionary(
            one.scenario.fences.map { ($0.id, $0.area?.size ?? 0) }
        ) { first, _ in first }
        windowed += tracker.events(.start, at: Uptime(nanoseconds: 0))
        for (input, now) in one.inputs {
            for instant in tracker.instants(input, at: now) {
                if let flaw = EventLaws.orderFlaw(instant, sizes: sizes) {
                    return "\(one): \(flaw)"
                }
                windowed += instant
            }
            switch input {
            case .report(let report): expected += full.handle(report, at: now)
            case .ignition(let isOn): expected += full.ignition(isOn, at: now)
            default: break
            }
        }
        windowed.removeAll { $0.kind == .towed }
        guard windowed == expected else { return "\(one): \(difference(windowed, expected))" }
        return (EventLaws.alternationFlaw(windowed) ?? one.flaw(in: windowed))
            .map { "\(one): \($0)" }
    }

    package static let restored = Property(
        "a position that is doubted stays so when the daemon is killed after every input"
    ) { seed in
        let one = Case(seed)
        let expected = one.events
        let store = one.store()
        var tracker = one.tracker(size: 5, store)
        var events = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
        for (input, now) in one.inputs {
            events += tracker.events(input, at: now, committingTo: store)
            guard tracker.engine.hasCheckpoint else { continue }
            guard let restored = tracker.restored(from: store) else {
                return "\(one): the checkpoint cannot be read"
            }
            tracker = restored
            events += tracker.events(.start, at: now, committingTo: store)
        }
        return events == expected ? nil : "\(one): \(difference(events, expected))"
    }

    package static let killed = Property(
        "a doubt goes on from a checkpoint and the uneventful reports since"
    ) { seed in
        let one = Case(seed)
        let expected = one.events
        var random = SeededRandom(seed: seed)
        let store = one.store()
        var tracker = one.tracker(size: 5, store)
        var events = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
        var checkpoint: EngineCheckpoint?
        for (input, now) in one.inputs {
            let outcome = tracker.handle(input, at: now)
            events += outcome.instants(committingTo: store).flatMap(\.self)
            if case .report(let report) = input, outcome.isUneventful, checkpoint != nil {
                checkpoint?.reports.append(EngineCheckpoint.Report(report, at: now))
            } else {
                checkpoint = tracker.engine.checkpoint
            }
            guard let kept = checkpoint, random.chance(0.2) else { continue }
            let engine = Engine(
                settings: one.settings, generation: store.generation, checkpoint: kept,
                entries: store.entries(ids: kept.fenceIDs), stays: store.openStays)
            tracker = Tracker(engine: engine, store: store) { _ in }
            events += tracker.events(.start, at: now, committingTo: store)
            checkpoint = tracker.engine.checkpoint
        }
        return events == expected ? nil : "\(one): \(difference(events, expected))"
    }

    package static let powerCut = Property(
        "after a power cut a doubt goes on, and is told once"
    ) { seed in
        let one = Case(seed)
        var random = SeededRandom(seed: seed)
        let store = one.store()
        var tracker = one.tracker(size: 5, store)
        _ = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
        for (input, now) in one.inputs {
            _ = tracker.events(input, at: now, committingTo: store)
            guard random.chance(0.1) else { continue }
            var engine = Engine(
                settings: one.settings, generation: store.generation, known: store.known,
                stays: store.openStays, entries: store.entries(ids: store.openStays.map(\.fence)),
                isPositionLost: store.positionLost, driven: store.driven)
            if let vehicle = store.vehicle { engine.resume(vehicle: vehicle) }
            guard engine.isPositionDoubtful == tracker.engine.isPositionDoubtful else {
                return "\(one): the doubt did not survive"
            }
            tracker = Tracker(engine: engine, store: store) { _ in }
            _ = tracker.events(.start, at: now, committingTo: store)
        }
        let events = store.log.map(\.event)
        return (EventLaws.alternationFlaw(events) ?? one.flaw(in: events)).map { "\(one): \($0)" }
    }

    /// How often a doubt begins and ends in each way in these scenarios: the properties above are
    /// worth nothing for what never happens.
    package static func occurrences(in seeds: Range<UInt64>) -> [String: Int] {
        var counts: [String: Int] = [:]
        for seed in seeds {
            for event in Case(seed).events where event.fence == nil {
                let reason = event.reason.map { " " + $0.name } ?? ""
                counts[event.kind.name + reason, default: 0] += 1
            }
        }
        return counts
    }

    private struct Case: CustomStringConvertible {
        let scenario: Scenario
        let inputs: [(input: Input, at: Uptime)]
        let settings: EngineSettings

        var description: String { "\(scenario)" }

        init(_ seed: UInt64) {
            let plain = Scenario(seed: seed, steps: 90)
            var random = SeededRandom(seed: seed ^ 0xd0bb)
            var reports = plain.reports
            for _ in 0..<random.integer(1..<4) {
                let begin = random.integer(0..<reports.count)
                let end = min(begin + random.integer(1..<40), reports.count)
                if random.chance(0.4) {
                    Self.park(&reports[begin..<end], &random)
                } else {
                    let way = [60.0, 255, 3_000, 22_000][random.integer(0..<4)]
                    let course = random.uniform(0...360)
                    for index in begin..<end {
                        reports[index].coordinate = reports[index].coordinate.flatMap {
                            $0.isValid ? $0.moved(by: way, toward: course) : $0
                        }
                    }
                }
            }
            scenario = Scenario(plain, reports: reports)
            var inputs: [(Input, Uptime)] = []
            var isOn = true
            for (report, arrival) in zip(reports, plain.arrivals) {
                if random.chance(0.05) {
                    isOn.toggle()
                    inputs.append((.ignition(isOn), arrival))
                }
                inputs.append((.report(report), arrival))
            }
            self.inputs = inputs
            var settings = EngineSettings()
            settings.gates.doubtfulFor = .seconds([10, 40, 1_800][random.integer(0..<3)])
            settings.parking.hold = .seconds([2, 20, 120][random.integer(0..<3)])
            self.settings = settings
        }

        /// The vehicle stands where it is at the first of these reports.
        private static func park(
            _ reports: inout ArraySlice<PositionReport>, _ random: inout SeededRandom
        ) {
            guard let place = reports.first?.coordinate, place.isValid else { return }
            for index in reports.indices where reports[index].coordinate?.isValid == true {
                reports[index].coordinate = place.moved(
                    by: random.uniform(0...3), toward: random.uniform(0...360))
                if reports[index].speed != nil { reports[index].speed = 0 }
            }
        }

        func store() -> MemoryFenceStore { MemoryFenceStore(scenario.fences) }

        func tracker(size: Int, _ store: MemoryFenceStore) -> Tracker {
            var settings = settings
            settings.window.size = size
            let engine = Engine(settings: settings, generation: store.generation)
            return Tracker(engine: engine, store: store) { _ in }
        }

        /// Undisturbed.
        var events: [Event] {
            let store = store()
            var tracker = tracker(size: 5, store)
            return tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
                + inputs.flatMap { tracker.events($0.input, at: $0.at, committingTo: store) }
        }

        /// Nothing is crossed, and nothing towed, by a fix of a doubtful position: known by its place, for
        /// a re-base gives its fixes other times, and timers decide by the last fix before. Where fixes
        /// share a place, the doubt begins with the last of them, and an event is by the first.
        func flaw(in events: [Event]) -> String? {
            var since: Int?
            func number(of event: Event) -> Int? {
                scenario.reports.firstIndex { $0.coordinate == event.coordinate }
            }
            for event in events {
                if event.kind == .positionDoubtful {
                    since = scenario.reports.lastIndex { $0.coordinate == event.coordinate }
                }
                if event.kind == .positionTrusted { since = nil }
                guard let since, let number = number(of: event), number >= since else { continue }
                switch event.kind {
                case .enter, .exit, .initial, .towed: return "in doubt: \(event)"
                default: continue
                }
            }
            return nil
        }
    }
}
