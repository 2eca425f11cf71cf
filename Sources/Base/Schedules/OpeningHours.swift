package import Time

/// A schedule at a place: open or not at any moment.
///
/// Local time is what the clocks there show. A time that they show twice, when they are set back,
/// is in the schedule both times; one that they never show is skipped.
package struct OpeningHours: Hashable, Sendable {
    /// By local time.
    package let schedule: Schedule
    private let zone: Zone
    private let holidays: Holidays

    /// How far ahead a change is looked for, s: a schedule with dates changes within a year.
    private static let horizon: Int64 = 400 * 86_400

    package init(_ schedule: Schedule, in zone: Zone, holidays: Holidays = Holidays()) {
        self.schedule = schedule
        self.zone = zone
        self.holidays = holidays
    }

    /// Whether it is open at that moment.
    package func isOpen(at time: ReceiverTime) -> Bool { isOpen(at: time.seconds) }

    /// The first moment from `start` to `end`, both included, at which it is not open; nil if there
    /// is none.
    package func firstClosed(
        from start: ReceiverTime, through end: ReceiverTime
    ) -> ReceiverTime? {
        guard isOpen(at: start) else { return start }
        var time = start
        while true {
            let next = changes(after: time)
            // At the end of representable time there is no later moment.
            guard next > time, next <= end else { return nil }
            if !isOpen(at: next) { return next }
            time = next
        }
    }

    /// Until when the state at `time` lasts; if it does not change for more than a year, some
    /// moment up to then.
    package func changes(after time: ReceiverTime) -> ReceiverTime {
        let start = time.seconds
        let isOpen = isOpen(at: start)
        var seconds = start
        while seconds < start + Self.horizon {
            seconds = next(after: seconds)
            if self.isOpen(at: seconds) != isOpen { break }
        }
        return ReceiverTime(clampedSeconds: seconds)
    }

    private func isOpen(at seconds: Int64) -> Bool {
        let (day, second) = local(seconds, zone.offset(at: seconds))
        let minute = second / 60
        return schedule.spans(on: day, holidays).contains { $0.start <= minute && minute < $0.end }
    }

    /// The next moment at which a span begins or ends, a day begins or the clock is changed.
    private func next(after seconds: Int64) -> Int64 {
        let offset = zone.offset(at: seconds)
        let (day, second) = local(seconds, offset)
        let edges = schedule.spans(on: day, holidays).flatMap { [$0.start * 60, $0.end * 60] }
        let edge = edges.filter { $0 > second }.min() ?? 86_400
        let next = seconds + Int64(edge - second)
        guard let change = zone.nextChange(after: seconds) else { return next }
        return min(next, change)
    }

    /// Days since 1970 and the second of the day, by the clocks there.
    private func local(_ seconds: Int64, _ offset: Int) -> (day: Int64, second: Int) {
        let local = seconds + Int64(offset)
        let day = local.dividedDown(by: 86_400)
        return (day, Int(local - day * 86_400))
    }
}

extension ReceiverTime {
    /// Whole seconds since 1970, rounded down.
    fileprivate var seconds: Int64 { nanoseconds.dividedDown(by: 1_000_000_000) }

    fileprivate init(clampedSeconds seconds: Int64) {
        let (value, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.init(nanoseconds: overflow ? (seconds < 0 ? .min : .max) : value)
    }
}
