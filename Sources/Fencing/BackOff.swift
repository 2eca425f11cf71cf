/// Waiting times after failures: 1 s, 2 s, 4 s … 30 s.
package struct BackOff: Hashable, Sendable {
    private(set) var failures = 0
    /// Not before this time; nil when the last try succeeded.
    package private(set) var until: Uptime?

    package init() {}

    package mutating func fail(at now: Uptime) {
        failures += 1
        let seconds = min(30, 1 << min(failures - 1, 5))
        until = now + .seconds(Double(seconds))
    }

    package mutating func succeed() { self = BackOff() }

    package func holds(at now: Uptime) -> Bool { until.map { now < $0 } ?? false }
}
