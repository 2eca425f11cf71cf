/// The project's three clocks are three types, so that they cannot be mixed; the third, the wall
/// clock, appears only in log text and has no type here. The engine reads none of them: time is an
/// argument. Inlinable, because they are in every loop of the engine.

/// A length of time, in whole nanoseconds; ±292 years.
@usableFromInline package struct TimeSpan: Hashable, Comparable, Sendable {
    /// ns, either sign.
    @usableFromInline package var nanoseconds: Int64

    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// No time at all.
    @inlinable package static var zero: TimeSpan { TimeSpan(nanoseconds: 0) }

    /// Rounded to the nearest nanosecond; out of range it is clamped, and NaN becomes zero.
    @inlinable package static func seconds(_ seconds: Double) -> TimeSpan {
        let nanoseconds = (seconds * 1e9).rounded()
        guard !nanoseconds.isNaN else { return .zero }
        return TimeSpan(nanoseconds: Int64(clamping: nanoseconds))
    }

    /// Traps beyond 292 years.
    @inlinable package static func milliseconds(_ milliseconds: Int64) -> TimeSpan {
        TimeSpan(nanoseconds: milliseconds * 1_000_000)
    }

    /// Traps beyond 292 years.
    @inlinable package static func microseconds(_ microseconds: Int64) -> TimeSpan {
        TimeSpan(nanoseconds: microseconds * 1000)
    }

    /// Seconds and additional nanoseconds, as in C; traps when out of range.
    @inlinable package init(seconds: Int64, nanoseconds: Int64) {
        self.init(nanoseconds: seconds * 1_000_000_000 + nanoseconds)
    }

    /// Its whole seconds, truncated.
    package var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }

    /// The same length in seconds.
    @inlinable package var seconds: Double { Double(nanoseconds) / 1e9 }

    @inlinable package static func < (a: TimeSpan, b: TimeSpan) -> Bool {
        a.nanoseconds < b.nanoseconds
    }

    @inlinable package static func + (a: TimeSpan, b: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: a.nanoseconds.addingClamped(b.nanoseconds))
    }

    @inlinable package static func - (a: TimeSpan, b: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: a.nanoseconds.subtractingClamped(b.nanoseconds))
    }

    @inlinable package static prefix func - (a: TimeSpan) -> TimeSpan { .zero - a }

    /// Rounded towards zero; `divisor` is not 0.
    package static func / (span: TimeSpan, divisor: Int64) -> TimeSpan {
        TimeSpan(nanoseconds: span.nanoseconds / divisor)
    }

    /// Clamped to the range of a span.
    package static func * (span: TimeSpan, factor: Int64) -> TimeSpan {
        let (product, overflow) = span.nanoseconds.multipliedReportingOverflow(by: factor)
        guard overflow else { return TimeSpan(nanoseconds: product) }
        return TimeSpan(nanoseconds: (span.nanoseconds < 0) == (factor < 0) ? .max : .min)
    }
}

/// A moment in UTC: of the receiver, as given in a fix, for payload, order and interpolation; of the
/// machine where it says so. Which clock a value is of is said where it stands.
@usableFromInline package struct UTCTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    @usableFromInline package var nanoseconds: Int64

    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable package static func < (a: UTCTime, b: UTCTime) -> Bool {
        a.nanoseconds < b.nanoseconds
    }

    @inlinable package static func + (time: UTCTime, span: TimeSpan) -> UTCTime {
        UTCTime(nanoseconds: time.nanoseconds.addingClamped(span.nanoseconds))
    }

    @inlinable package static func - (later: UTCTime, earlier: UTCTime) -> TimeSpan {
        TimeSpan(nanoseconds: later.nanoseconds.subtractingClamped(earlier.nanoseconds))
    }
}

/// Monotonic time: CLOCK_BOOTTIME, which continues through a suspend. For every duration, deadline
/// and throttle. A replay has its own, see ``ReplayClock``.
@usableFromInline package struct Uptime: Hashable, Comparable, Sendable {
    /// Nanoseconds since boot.
    @usableFromInline package var nanoseconds: Int64

    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The boot: before everything that this process can know of.
    @inlinable package static var boot: Uptime { Uptime(nanoseconds: 0) }

    @inlinable package static func < (a: Uptime, b: Uptime) -> Bool {
        a.nanoseconds < b.nanoseconds
    }

    @inlinable package static func + (time: Uptime, span: TimeSpan) -> Uptime {
        Uptime(nanoseconds: time.nanoseconds.addingClamped(span.nanoseconds))
    }

    @inlinable package static func - (time: Uptime, span: TimeSpan) -> Uptime {
        Uptime(nanoseconds: time.nanoseconds.subtractingClamped(span.nanoseconds))
    }

    @inlinable package static func - (later: Uptime, earlier: Uptime) -> TimeSpan {
        TimeSpan(nanoseconds: later.nanoseconds.subtractingClamped(earlier.nanoseconds))
    }
}

extension UTCTime {
    /// With additional `nanoseconds`. The caller must keep within the years 1700 to 2250.
    @inlinable package init(secondsSince1970 seconds: Int64, nanoseconds: Int64 = 0) {
        self.init(nanoseconds: TimeSpan(seconds: seconds, nanoseconds: nanoseconds).nanoseconds)
    }
}

extension Int64 {
    /// The nearest representable value: a bogus date from a tty must not crash the daemon.
    @usableFromInline init(clamping value: Double) {
        if value >= 9.2e18 {
            self = .max
        } else if value <= -9.2e18 {
            self = .min
        } else {
            self.init(value)
        }
    }

    @inlinable func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    @inlinable func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
