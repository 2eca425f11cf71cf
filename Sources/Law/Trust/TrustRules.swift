import Time

/// The numbers by which a position is doubted: section 2 of the law.
package struct TrustRules: Hashable, Sendable {
    /// Which jumps are possible after all.
    var gates: GateSettings
    /// How long a receiver may be wrong after a hole.
    var waking: TimeSpan
    /// Fixes further apart in time have a hole between them.
    var pathGap: TimeSpan
    /// How long the vehicle must stand, or move.
    var settle: TimeSpan
    /// Moves: above this, m/s.
    var movingSpeed: Double
    /// How far it may be from where it was, m.
    var radius: Double

    /// How long fixes must agree among themselves; zero where no position is doubted.
    @inline(__always)
    var agreement: TimeSpan { gates.doubtfulFor }
}
