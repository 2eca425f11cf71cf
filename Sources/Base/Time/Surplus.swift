/// How far what others report is ahead of the most that there can be in the time: over all their reports,
/// for what each of them may be ahead is any amount with enough of them.
package struct Surplus: Sendable {
    /// The most in a second.
    private let rate: Double
    /// How far ahead it may be.
    private let limit: Double
    private var ahead = 0.0

    /// `rate` and `limit` in the same unit, not negative.
    package init(over rate: Double, limit: Double) {
        self.rate = rate
        self.limit = limit
    }

    /// So much is reported of that time; false, and nothing is counted, where that is too far ahead. However
    /// it is divided into reports, in any time that much, and `limit` once, is the most that counts.
    package mutating func take(_ amount: Double, in span: TimeSpan) -> Bool {
        let ahead = max(0, self.ahead + amount - rate * span.seconds)
        guard ahead <= limit else { return false }
        self.ahead = ahead
        return true
    }
}
