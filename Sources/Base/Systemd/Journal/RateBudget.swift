/// How often something may be done: so many times at once, and one time more after each interval.
package struct RateBudget: Sendable {
    private let interval: Int64
    private let tolerance: Int64
    /// When all that was done would have been done at one per interval.
    private var paidUntil = Int64.min

    /// `burst` at least 1; `interval` in nanoseconds, above 0.
    package init(burst: Int, interval: Int64) {
        self.interval = interval
        tolerance = interval * Int64(burst - 1)
    }

    /// Whether it may be done now, and if so, it counts. `now` in nanoseconds, and never falls.
    package mutating func take(at now: Int64) -> Bool {
        let start = max(paidUntil, now)
        guard start - now <= tolerance else { return false }
        paidUntil = start + interval
        return true
    }

    /// When it may be done again, nanoseconds.
    package var next: Int64 { paidUntil == .min ? .min : paidUntil - tolerance }
}
