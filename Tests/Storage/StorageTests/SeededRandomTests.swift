import EngineTestKit
import Testing

@Suite("seeded random numbers")
struct SeededRandomTests {
    @Test("the same seed gives the same numbers, another seed others")
    func seeds() {
        var a = SeededRandom(seed: 7)
        var b = SeededRandom(seed: 7)
        var c = SeededRandom(seed: 8)
        let first = (0..<100).map { _ in a.next() }
        #expect(first == (0..<100).map { _ in b.next() })
        #expect(first != (0..<100).map { _ in c.next() })
    }

    @Test("normal numbers have mean 0 and deviation 1")
    func normal() {
        var random = SeededRandom(seed: 1)
        let numbers = (0..<20_000).map { _ in random.normal() }
        let mean = numbers.reduce(0, +) / 20_000
        let variance = numbers.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 20_000
        #expect(mean.magnitude < 0.03)
        #expect((variance - 1).magnitude < 0.05)
    }
}
