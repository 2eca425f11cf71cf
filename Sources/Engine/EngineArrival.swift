package import Time

extension Engine {
    /// When a report arrived that has waited for this process: some time in `interval`, which begins
    /// when it last looked and ends now. Of those moments the one at which a report arrives that is
    /// as late as the least late of the window, so that only what was late before it came here is
    /// ``Refusal/stale``.
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
