package import Model
package import Time

/// The monotonic time of a replay, derived from receiver time: section 6 of the law. Starts at 0.
package struct ReplayClock: Sendable {
    /// Never falls.
    package private(set) var now = Uptime(nanoseconds: 0)
    /// Uptime minus receiver time; nil before the first report with a time.
    private var offset: TimeSpan?
    private var rebases = 0

    package init() {}

    /// The time at which `report` arrives. Every report with a time moves the clock, a refused one
    /// too, so that a drive which ends in a tunnel says `position-lost`; but only one that `engine`
    /// accepts leaps.
    package mutating func arrival(of report: PositionReport, engine: Engine) -> Uptime {
        guard let time = report.time else { return now }
        let offset =
            self.offset ?? TimeSpan(nanoseconds: now.nanoseconds)
            - TimeSpan(nanoseconds: time.nanoseconds)
        self.offset = offset
        let arrival = Uptime(nanoseconds: time.nanoseconds) + offset
        let leap = engine.settings.gates.replayLeap
        if arrival > now, arrival - now <= leap || engine.accepts(report, at: arrival) {
            now = arrival
        }
        return now
    }

    /// After the report was handled: an accepted re-base moves the offset, so that the first held
    /// fix stands at the clock of its arrival and the others as their receiver times are.
    package mutating func follow(_ engine: Engine) {
        guard engine.rebases != rebases, let last = engine.lastFix else { return }
        rebases = engine.rebases
        offset =
            TimeSpan(nanoseconds: last.arrival.nanoseconds)
            - TimeSpan(nanoseconds: last.time.nanoseconds)
        now = max(now, last.arrival)
    }
}
