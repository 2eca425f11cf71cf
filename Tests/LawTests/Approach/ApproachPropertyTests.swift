import EngineTestKit
import Testing

/// The laws of approaches on random drives.
@Suite struct ApproachPropertyTests {
    #if DEBUG || EMULATED
        static let block: UInt64 = 25
    #else
        static let block: UInt64 = 250
    #endif

    @Test("windows of 2, 20 and all hazards give the events of a monitor of all", arguments: 0..<4)
    func windowed(block: UInt64) {
        let seeds = block * Self.block..<(block + 1) * Self.block
        #expect(Approaching.windowed.firstFlaw(in: seeds) == nil)
    }

    @Test("edits and removals on the way give the same events through the window")
    func edited() {
        #expect(Approaching.edited.firstFlaw(in: 3_000..<3_000 + 2 * Self.block) == nil)
    }

    @Test("killed at every step and restored, nothing differs")
    func restored() {
        #expect(Approaching.restored.firstFlaw(in: 1_000..<1_000 + Self.block) == nil)
    }

    @Test("after a power cut at any step the stages still follow their order")
    func powerCut() {
        #expect(Approaching.powerCut.firstFlaw(in: 2_000..<2_000 + Self.block) == nil)
    }

    @Test("the random drives give every stage and reason that driving can give")
    func occurrences() {
        let counts = Approaching.occurrences(in: 0..<4 * Self.block)
        for name in [
            "advisory", "urgent", "clear turned-off", "clear passed", "clear vehicle-changed",
            "inferred", "group",
        ] {
            #expect(counts[name] ?? 0 > 0, "\(counts)")
        }
    }
}
