package import Time

/// A report and when it arrived here.
package struct ArrivedReport: Hashable, Sendable {
    /// As the source said it.
    package var report: PositionReport
    /// Some time in it: one moment, unless the report has waited for this process.
    package var arrival: ClosedRange<Uptime>

    package init(_ report: PositionReport, at arrival: Uptime) {
        self.init(report, in: arrival...arrival)
    }

    package init(_ report: PositionReport, in arrival: ClosedRange<Uptime>) {
        self.report = report
        self.arrival = arrival
    }
}
