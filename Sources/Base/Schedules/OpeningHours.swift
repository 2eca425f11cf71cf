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

    /// How far ahead one call looks for a change, in days and changes of the clock: it takes as
    /// long for a schedule that never changes as for one that changes after a month.
    private static let horizon = 32

    package init(_ schedule: Schedule, in zone: Zone, holidays: Holidays = Holidays()) {
        self.schedule = schedule
        self.zone = zone
        self.holidays = holidays
    }

    /// Whether it is open at that moment.
    package func isOpen(at time: UTCTime) -> Bool { isOpen(at: time.seconds) }

    /// The first moment from `start` to `end`, both included, at which it is not open; nil if there
    /// is none.
    package func firstClosed(
        from start: UTCTime, through end: UTCTime
    ) -> UTCTime? {
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

    /// Until when the state at `time` lasts; if it does not change for more than a month, some
    /// moment up to then.
    package func changes(after time: UTCTime) -> UTCTime {
        var seconds = time.seconds
        var clock = zone.clock(at: seconds)
        var (day, second) = local(seconds, clock.offset)
        var minutes = schedule.minutes(on: day, holidays)
        let isOpen = minutes[second / 60]
        for _ in 0..<Self.horizon {
            // The state at `seconds` is that at `time`.
            let edge = minutes.first(isOpen: !isOpen, from: second / 60)
            let next = seconds + Int64(edge * 60 - second)
            if let change = clock.until, change <= next {
                seconds = change
                clock = zone.clock(at: seconds)
                let before = day
                (day, second) = local(seconds, clock.offset)
                if day != before { minutes = schedule.minutes(on: day, holidays) }
            } else {
                seconds = next
                guard edge == Schedule.Span.day else { break }
                (day, second) = (day + 1, 0)
                minutes = schedule.minutes(on: day, holidays)
            }
            guard minutes[second / 60] == isOpen else { break }
        }
        return UTCTime(clampedSeconds: seconds)
    }

    private func isOpen(at seconds: Int64) -> Bool {
        let (day, second) = local(seconds, zone.offset(at: seconds))
        return schedule.minutes(on: day, holidays)[second / 60]
    }

    /// Days since 1970 and the second of the day, by the clocks there.
    private func local(_ seconds: Int64, _ offset: Int) -> (day: Int64, second: Int) {
        let local = seconds + Int64(offset)
        let day = local.dividedDown(by: 86_400)
        return (day, Int(local - day * 86_400))
    }
}

extension UTCTime {
    /// Whole seconds since 1970, rounded down.
    fileprivate var seconds: Int64 { nanoseconds.dividedDown(by: 1_000_000_000) }

    fileprivate init(clampedSeconds seconds: Int64) {
        let (value, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.init(nanoseconds: overflow ? (seconds < 0 ? .min : .max) : value)
    }
}
