import Glibc

/// Reproducible random numbers: the same seed gives the same scenario on every machine and with
/// every version of the standard library.
///
/// xoshiro256** seeded by splitmix64, as its authors recommend (Blackman and Vigna, "Scrambled
/// linear pseudorandom number generators", 2018).
package struct SeededRandom: RandomNumberGenerator, Sendable, CustomStringConvertible {
    /// What to print when a test fails.
    package let seed: UInt64
    private var state: (UInt64, UInt64, UInt64, UInt64)

    package init(seed: UInt64) {
        self.seed = seed
        var counter = seed
        func splitmix() -> UInt64 {
            counter &+= 0x9E37_79B9_7F4A_7C15
            var z = counter
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        state = (splitmix(), splitmix(), splitmix(), splitmix())
    }

    package var description: String { "seed \(seed)" }

    package mutating func next() -> UInt64 {
        func rotate(_ x: UInt64, _ by: UInt64) -> UInt64 { (x << by) | (x >> (64 - by)) }
        let result = rotate(state.1 &* 5, 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = rotate(state.3, 45)
        return result
    }

    /// Uniform in 0..<1, all 53 bits.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Uniform in the range. Not the standard library's `Double.random`, whose use of the
    /// generator's bits may change.
    package mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * unit()
    }

    /// Uniform in the range, which must not be empty; a bias of less than 2⁻³² for the small
    /// ranges of tests.
    package mutating func integer(_ range: Range<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// True with this probability.
    package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    /// Normally distributed around 0 with standard deviation 1 (Box–Muller, one of the pair).
    package mutating func normal() -> Double {
        let radius = sqrt(-2 * log(1 - unit()))
        return radius * cos(2 * .pi * unit())
    }
}
