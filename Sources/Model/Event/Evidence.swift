package import Time

/// The numbers with which section 3 of the law proved an enter or an exit: with them, and with the
/// settings, the proof can be done again. An event that no inequality proved has none: `initial`,
/// a dwell, the end of a stay because the fence was edited.
///
/// Rounded to the centimetre and the millisecond, so that every text form gives them back unchanged.
package struct Evidence: Hashable, Sendable {
    /// d where the rule was met, m; for `path` at the deepest point of the run.
    package var distance: Double
    /// e of the rule, m: on the path between two fixes the larger of theirs.
    package var error: Double
    /// ρ there, m.
    package var inradius: Double
    /// b there, m.
    package var buffer: Double
    /// U before the proof, m; of an exit.
    package var proofBound: Double?
    /// Metres of path run inside; for `path` alone.
    package var run: Double?
    /// From the first of the fixes that agree to the last; for `settled` alone. Where fixes had
    /// stopped, and the timer decided, less than the law asks of fixes.
    package var settled: TimeSpan?

    package init(
        distance: Double, error: Double, inradius: Double, buffer: Double,
        proofBound: Double? = nil, run: Double? = nil, settled: TimeSpan? = nil
    ) {
        self.distance = Self.rounded(distance)
        self.error = Self.rounded(error)
        self.inradius = Self.rounded(inradius)
        self.buffer = Self.rounded(buffer)
        self.proofBound = proofBound.map(Self.rounded)
        self.run = run.map(Self.rounded)
        self.settled = settled.map { .seconds($0.roundedSeconds) }
    }

    private static func rounded(_ metres: Double) -> Double { (metres * 100).rounded() / 100 }
}
