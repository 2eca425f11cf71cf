/// Delays after failures, each twice as long as the one before, up to a limit: 1 s, 2 s, 4 s … 30 s
/// by default.
@usableFromInline package struct BackOff: Hashable, Sendable {
    @usableFromInline let first: TimeSpan
    @usableFromInline let limit: TimeSpan
    @usableFromInline var next: TimeSpan
    /// Not before this time; nil when the last attempt succeeded.
    @usableFromInline package internal(set) var until: Uptime?

    package init(first: TimeSpan = .seconds(1), limit: TimeSpan = .seconds(30)) {
        self.first = first
        self.limit = limit
        next = first
    }

    /// The attempt failed: starts the next delay.
    @inlinable package mutating func fail(at now: Uptime) {
        until = now + next
        next = min(next + next, limit)
    }

    /// The attempt succeeded: the next failure starts with the first delay.
    @inlinable package mutating func succeed() {
        next = first
        until = nil
    }

    /// The last attempt failed, and its delay is not over.
    @inlinable package func holds(at now: Uptime) -> Bool { until.map { now < $0 } ?? false }
}
