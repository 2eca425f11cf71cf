import Model
import Systemd
import Time

/// The time of a fix of a receiver that gives none: that of its arrival by the wall clock. Section 2 of
/// the law, "A receiver without a time".
@MainActor
struct ArrivalTimes {
    /// Fixes without a time, after which the receiver is believed to have none.
    private static let patience = 3

    private let lostAfter: TimeSpan
    /// When the receiver gave a time last.
    private var lastGiven: Uptime?
    /// Fixes without one since then.
    private var undated = 0
    /// What arrives together has one time.
    private var last: (arrival: Uptime, time: UTCTime)?

    init(_ settings: ReceiverSettings) { lostAfter = settings.lostAfter }

    /// The report, with a time if it is a fix of a receiver that gives none.
    mutating func dated(_ arrived: ArrivedReport) -> ArrivedReport {
        let arrival = arrived.arrival.upperBound
        guard arrived.report.time == nil else {
            lastGiven = arrival
            undated = 0
            return arrived
        }
        guard arrived.report.hasFix, arrived.report.coordinate != nil else { return arrived }
        undated = min(undated + 1, Self.patience)
        // It may be a part of an epoch that has one.
        guard undated == Self.patience, lastGiven.map({ arrival - $0 > lostAfter }) ?? true else {
            return arrived
        }
        var dated = arrived
        dated.report.time = time(of: arrival)
        dated.report.isTimedByArrival = true
        return dated
    }

    private mutating func time(of arrival: Uptime) -> UTCTime {
        if let last, last.arrival == arrival { return last.time }
        // The clock as it is now: it may have been set since the start.
        let wallClock = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        let time = wallClock + (arrival - EventLoop.uptime)
        last = (arrival, time)
        return time
    }
}
