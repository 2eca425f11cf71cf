package import Model
package import Time

extension Engine {
    /// The assumed arrival of a report that has waited for this process: a time in `interval`, from
    /// when the process last read its source until now. It is the one at which the report's delay
    /// is nearest to the least delay of the window, so that only a report that was late before it
    /// came to this machine is ``Refusal/stale``.
    package func likelyArrival(
        of report: PositionReport, in interval: ClosedRange<Uptime>
    ) -> Uptime {
        guard let time = report.time, let last = lastFix,
            let least = gates.delays.samples.first?.delay
        else { return interval.upperBound }
        let likely = Uptime(nanoseconds: time.nanoseconds) + least
        return min(max(likely, interval.lowerBound, last.arrival), interval.upperBound)
    }
}
