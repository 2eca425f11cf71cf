import EngineTestKit
import Testing

/// The law of routes on random drives.
@Suite struct RoutePropertyTests {
    #if DEBUG || EMULATED
        static let block: UInt64 = 60
    #else
        static let block: UInt64 = 600
    #endif

    @Test("windows, kills and a model of the handbook give the same events", arguments: 0..<4)
    func followed(block: UInt64) {
        let seeds = block * Self.block..<(block + 1) * Self.block
        #expect(Routed.followed.firstFlaw(in: seeds) == nil)
    }

    @Test("the random drives give every end and stage that a route can give")
    func occurrences() {
        let counts = Routed.occurrences(in: 0..<3 * Self.block)
        for name in [
            "arrived", "left", "expired", "moved", "advisory", "urgent", "ahead on", "ahead off",
        ] {
            #expect(counts[name] ?? 0 > 0, "\(counts)")
        }
    }
}
