package import Time

/// A rate limit: a burst of a given size at once, and one more after each interval.
package struct RateBudget: Sendable {
    private let interval: TimeSpan
    private let tolerance: TimeSpan
    /// When everything done so far would have been finished at one per interval.
    private var paidUntil = Uptime(nanoseconds: .min)

    /// `burst` at least 1; `interval` above 0.
    package init(burst: Int, interval: TimeSpan) {
        self.interval = interval
        tolerance = interval * Int64(burst - 1)
    }

    /// Whether it may be done now; if so, it is counted. `now` never decreases.
    package mutating func take(at now: Uptime) -> Bool {
        let start = max(paidUntil, now)
        guard start - now <= tolerance else { return false }
        paidUntil = start + interval
        return true
    }

    /// When it may be done again.
    package var next: Uptime { paidUntil - tolerance }
}
