/// Waiting times after failures, each twice as long as the one before, up to a limit: 1 s, 2 s, 4 s …
/// 30 s, if nothing else is said.
@usableFromInline package struct BackOff: Hashable, Sendable {
    @usableFromInline let first: TimeSpan
    private let limit: TimeSpan
    @usableFromInline var next: TimeSpan
    /// Not before this time; nil when the last try succeeded.
    @usableFromInline package internal(set) var until: Uptime?

    package init(first: TimeSpan = .seconds(1), limit: TimeSpan = .seconds(30)) {
        self.first = first
        self.limit = limit
        next = first
    }

    /// It did not work: what to wait for.
    package mutating func fail(at now: Uptime) {
        until = now + next
        next = min(next + next, limit)
    }

    /// It worked: the next failure is the first again.
    @inlinable package mutating func succeed() {
        next = first
        until = nil
    }

    /// The last try failed, and its waiting time is not over.
    @inlinable package func holds(at now: Uptime) -> Bool { until.map { now < $0 } ?? false }
}
