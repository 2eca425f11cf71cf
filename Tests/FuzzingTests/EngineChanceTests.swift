import Model
import Testing

@testable import Fuzzing

/// A short version of the fuzzer of the engine: random bytes, which are fences with terms as often as
/// not.
@Suite struct EngineChanceTests {
    private static func bytes(_ seed: UInt64) -> [UInt8] {
        var chance = Chance(state: seed)
        return (0..<1000).map { _ in UInt8.random(in: 0...255, using: &chance) }
    }

    @Test("a stay at the end of representable time is no endless timer", .timeLimit(.minutes(2)))
    func endOfTime() {
        #expect(EngineFuzz.run(Self.bytes(1237)).flaw == nil)
    }

    @Test("random drives on fences with terms show no flaw, and all that terms can say")
    func terms() {
        var told: Set<String> = []
        for seed in 1...40 as ClosedRange<UInt64> {
            let (events, flaw) = EngineFuzz.run(Self.bytes(seed))
            #expect(flaw == nil, "seed \(seed)")
            for event in events {
                told.insert(event.kind.name)
                if let reason = event.reason { told.insert(reason.name) }
            }
        }
        #expect(
            told.isSuperset(of: [
                "overspeed", "overspeed-end", "no-stop", "overstay", "schedule", "expired",
                "arriving", "arriving-over",
            ]), "\(told)")
    }
}
