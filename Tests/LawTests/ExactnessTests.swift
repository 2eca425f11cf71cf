import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

/// The exactness law: the events are those of a monitor that checks every fence on every fix.
@Suite struct ExactnessTests {
    /// Seeds per case. The optimizer makes the difference between seconds and minutes.
    #if DEBUG || EMULATED
        static let block: UInt64 = 60
    #else
        static let block: UInt64 = 1000
    #endif

    @Test("a window of 20 gives the events of a monitor of every fence", arguments: 0..<4)
    func windowedEqualsUnwindowed(block: UInt64) {
        let seeds = block * Self.block..<(block + 1) * Self.block
        let flaw = Exactness.windowed.firstFlaw(in: seeds)
        #expect(flaw == nil)
    }

    @Test("with room for a few regions, the same are left out whatever the size of the window")
    func limited() {
        let flaw = Exactness.limited.firstFlaw(in: 130_000..<130_000 + 2 * Self.block)
        #expect(flaw == nil)
    }

    @Test("edits and removals on the way give the same events through the window")
    func catalogueChanges() {
        let flaw = Exactness.edited.firstFlaw(in: 50_000..<50_000 + Self.block / 4)
        #expect(flaw == nil)
    }

    @Test("stopped in order and restored after every input, nothing differs")
    func restored() {
        let flaw = Exactness.restored.firstFlaw(in: 90_000..<90_000 + Self.block / 6)
        #expect(flaw == nil)
    }

    @Test("killed and restored from a checkpoint and the reports after it, nothing differs")
    func killed() {
        let flaw = Exactness.killed.firstFlaw(in: 110_000..<110_000 + Self.block / 2)
        #expect(flaw == nil)
    }

    @Test("after a power cut at any step openings and exits still alternate")
    func powerCut() {
        let flaw = Exactness.powerCut.firstFlaw(in: 70_000..<70_000 + Self.block / 6)
        #expect(flaw == nil)
    }

    @Test("the same drive twice gives the same events", arguments: 300..<320 as Range<UInt64>)
    func determinism(seed: UInt64) {
        let scenario = Scenario(seed: seed)
        let events = Exactness.events(scenario, size: 5)
        #expect(events == Exactness.events(Scenario(seed: seed), size: 5))
    }

    @Test(
        "catalogues around the size of the window behave as without a window",
        arguments: [0, 1, 19, 20, 21, 60])
    func catalogueSize(count: Int) throws {
        var random = SeededRandom(seed: UInt64(count))
        for seed in UInt64(0)..<6 {
            let scenario = Scenario(seed: 4000 + seed, steps: 150)
            let places = scenario.reports.compactMap(\.coordinate).filter(\.isValid)
            let fences = try (0..<count).map { index in
                let center = places[random.integer(0..<places.count)]
                    .moved(by: random.uniform(0...400), toward: random.uniform(0...360))
                let radius = random.uniform(15...300)
                return Fence(
                    id: "\(index)", area: try Area(.circle(center: center, radius: radius)))
            }
            let store = MemoryFenceStore(fences)
            var tracker = Tracker.fresh(store)
            var full = EveryFenceMonitor(settings: tracker.engine.settings, fences: fences)
            _ = tracker.events(.start, at: Uptime(nanoseconds: 0))
            for (report, arrival) in zip(scenario.reports, scenario.arrivals) {
                let windowed = tracker.events(.report(report), at: arrival)
                let expected = full.handle(report, at: arrival)
                try #require(windowed == expected, "\(scenario)")
            }
            #expect((tracker.engine.window?.metafenceRadius == nil) == (count <= 20))
        }
    }
}
