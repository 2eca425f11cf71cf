import Fencing
import FencingTestKit
import Geodesy
import Testing

/// The exactness law: the events are those of a monitor that looks at every fence on every fix.
struct ExactnessTests {
    /// Seeds per case. The optimizer makes the difference between seconds and minutes.
    #if DEBUG
        static let block = 60
    #else
        static let block = 2500
    #endif

    @Test("a window of 20 says what a watch on every fence says", arguments: 0..<4)
    func windowedEqualsUnwindowed(block: Int) {
        for seed in UInt64(block * Self.block)..<UInt64((block + 1) * Self.block) {
            let scenario = Scenario(seed: seed, steps: 60)
            let size = [2, 3, 5, 20, 20][Int(seed % 5)]
            let (windowed, full) = run(scenario, size: size)
            guard windowed == full else {
                Issue.record("\(scenario), window \(size): \(difference(windowed, full))")
                return
            }
            if let flaw = alternationFlaw(full) {
                Issue.record("\(scenario): \(flaw)")
                return
            }
        }
    }

    @Test("edits and removals on the way say the same through the window")
    func catalogueChanges() throws {
        for seed in UInt64(50_000)..<50_000 + UInt64(Self.block / 4) {
            let scenario = Scenario(seed: seed, steps: 60)
            var random = SeededRandom(seed: seed ^ 0xabc)
            let store = MemoryFenceStore(scenario.fences)
            var tracker = Tracker.fresh(store, size: 5)
            var full = EveryFenceMonitor(settings: tracker.engine.settings, fences: scenario.fences)
            var (windowed, expected): ([Event], [Event]) = ([], [])
            windowed += tracker.events(.start, at: Uptime(nanoseconds: 0))
            for (report, arrival) in zip(scenario.reports, scenario.arrivals) {
                if Int.random(in: 0..<8, using: &random) == 0 {
                    let change = Self.change(scenario, &random)
                    _ = try store.apply(upserts: change.upserts, removing: change.removed)
                    windowed += tracker.events(.catalogueChanged(store.generation), at: arrival)
                    expected += full.apply(
                        upserts: change.upserts, removing: change.removed, at: arrival)
                }
                windowed += tracker.events(.report(report), at: arrival)
                expected += full.handle(report, at: arrival)
            }
            guard windowed == expected else {
                Issue.record("\(scenario): \(difference(windowed, expected))")
                return
            }
        }
    }

    @Test("stopped in order and restored after every input, nothing differs")
    func restored() throws {
        for seed in UInt64(90_000)..<90_000 + UInt64(Self.block / 6) {
            let scenario = Scenario(seed: seed, steps: 60)
            let (expected, _) = run(scenario, size: 5)
            let store = MemoryFenceStore(scenario.fences)
            var tracker = Tracker.fresh(store, size: 5)
            var events = tracker.events(.start, at: Uptime(nanoseconds: 0))
            for (report, arrival) in zip(scenario.reports, scenario.arrivals) {
                events += tracker.events(.report(report), at: arrival)
                guard let bytes = tracker.engine.memory?.bytes else { continue }
                let memory = try #require(EngineMemory(bytes: bytes), "\(scenario)")
                let engine = Engine(
                    settings: tracker.engine.settings, generation: store.generation,
                    memory: memory, entries: store.entries(ids: memory.fenceIDs),
                    stays: store.openStays)
                tracker = Tracker(engine: engine, store: store) { _ in }
                events += tracker.events(.start, at: arrival)
            }
            guard events == expected else {
                Issue.record("\(scenario): \(difference(events, expected))")
                return
            }
        }
    }

    @Test("after a power cut at any step openings and exits still alternate")
    func powerCut() throws {
        for seed in UInt64(70_000)..<70_000 + UInt64(Self.block / 6) {
            let scenario = Scenario(seed: seed, steps: 60)
            var random = SeededRandom(seed: seed)
            let store = MemoryFenceStore(scenario.fences)
            var tracker = Tracker.fresh(store, size: 5)
            _ = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
            for (report, arrival) in zip(scenario.reports, scenario.arrivals) {
                _ = tracker.events(.report(report), at: arrival, committingTo: store)
                guard Int.random(in: 0..<5, using: &random) == 0 else { continue }
                let engine = Engine(
                    settings: tracker.engine.settings, generation: store.generation,
                    known: store.known, stays: store.openStays,
                    entries: store.entries(ids: store.openStays.map(\.fence)),
                    isPositionLost: store.positionLost)
                tracker = Tracker(engine: engine, store: store) { _ in }
                _ = tracker.events(.start, at: arrival, committingTo: store)
            }
            if let flaw = alternationFlaw(store.log.map(\.event)) {
                Issue.record("\(scenario): \(flaw)")
                return
            }
        }
    }

    private func run(_ scenario: Scenario, size: Int) -> (windowed: [Event], full: [Event]) {
        let store = MemoryFenceStore(scenario.fences)
        var tracker = Tracker.fresh(store, size: size)
        var full = EveryFenceMonitor(settings: tracker.engine.settings, fences: scenario.fences)
        var (windowed, expected): ([Event], [Event]) = ([], [])
        windowed += tracker.events(.start, at: Uptime(nanoseconds: 0))
        for (report, arrival) in zip(scenario.reports, scenario.arrivals) {
            windowed += tracker.events(.report(report), at: arrival)
            expected += full.handle(report, at: arrival)
        }
        return (windowed, expected)
    }

    private static func change(
        _ scenario: Scenario, _ random: inout SeededRandom
    ) -> (upserts: [Fence], removed: [String]) {
        let other = Scenario(seed: scenario.seed &+ random.next() % 1000, steps: 20)
        let upserts = scenario.fences.shuffled(using: &random).prefix(2).map { fence in
            var edited = fence
            if let area = scenario.fences.randomElement(using: &random)?.area { edited.area = area }
            if let dwell = other.fences.first?.dwell { edited.dwell = dwell }
            return edited
        }
        let ids = Set(upserts.map(\.id))
        let removed = scenario.fences.map(\.id).filter { !ids.contains($0) }
            .shuffled(using: &random).prefix(1)
        return (Array(upserts), Array(removed))
    }
}
