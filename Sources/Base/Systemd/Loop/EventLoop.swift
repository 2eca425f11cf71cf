import CSystemd
import Glibc
package import Time

// Unsafe: owns one reference to the loop, and releases it once.

/// The daemon's only event loop, based on sd-event(3): descriptors, timers, signals, the bus and
/// the watchdog; each handler runs to its end before the next, on the main thread.
///
/// An idle loop sleeps: it is woken only by a due timer, a ready descriptor, a signal, or the
/// watchdog it feeds.
@MainActor
@safe package final class EventLoop {
    nonisolated(unsafe) let event: OpaquePointer
    /// Called before each wait with the time of the last wake-up; costs no wake-up itself.
    var beforeWait: (Uptime) -> Void = { _ in }

    /// A new loop without sources.
    package init() throws(SystemError) {
        var event: OpaquePointer?
        try unsafe check(sd_event_new(&event), "making an event loop")
        guard let event = unsafe event else {
            throw SystemError(operation: "making an event loop", errno: ENOMEM)
        }
        unsafe self.event = unsafe event
    }

    deinit { unsafe sd_event_unref(event) }

    /// Dispatches until ``exit(code:)``; returns its code.
    package func run() throws(SystemError) -> UInt8 {
        // sd_event_loop(3), with a call of ours in each turn: a prepare callback of sd-event would
        // have to prove at each wake-up that it is on the main actor.
        while unsafe sd_event_get_state(event) != Int32(SD_EVENT_FINISHED) {
            try turn(.max)
        }
        var code: Int32 = 0
        try unsafe check(sd_event_get_exit_code(event, &code), "ending the event loop")
        return UInt8(truncatingIfNeeded: code)
    }

    /// Waits for at most `timeout` and dispatches at most one source; false if nothing
    /// was due. For the tool and for tests; the daemon uses ``run()``.
    @discardableResult
    package func runOnce(timeout: TimeSpan) throws(SystemError) -> Bool {
        try turn(microseconds(timeout)) > 0
    }

    @discardableResult
    private func turn(_ timeout: UInt64) throws(SystemError) -> Int32 {
        beforeWait(wakeUptime)
        return try unsafe check(sd_event_run(event, timeout), "running the event loop")
    }

    /// Makes ``run()`` return `code` after the running handler. No other source is dispatched after
    /// it.
    package func exit(code: UInt8 = 0) {
        // Fails only once the loop has finished, when there is nothing left to stop.
        unsafe sd_event_exit(event, Int32(code))
    }

    /// CLOCK_BOOTTIME now, suspend included.
    package static var uptime: Uptime { .boot + read(CLOCK_BOOTTIME) }

    /// The wall clock, since 1970: for display, and for a receiver without a date.
    package static var wallClock: TimeSpan { read(CLOCK_REALTIME) }

    /// CLOCK_MONOTONIC, without suspends: the service manager's.
    fileprivate static var monotonic: TimeSpan { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> TimeSpan {
        var now = timespec()
        unsafe clock_gettime(clock, &now)
        return TimeSpan(seconds: Int64(now.tv_sec), nanoseconds: Int64(now.tv_nsec))
    }

    /// CLOCK_BOOTTIME when the loop last woke: one time for everything dispatched together, to the
    /// microsecond.
    package var wakeUptime: Uptime {
        var now: UInt64 = 0
        guard unsafe sd_event_now(event, CLOCK_BOOTTIME, &now) >= 0 else { return Self.uptime }
        return .boot + .microseconds(Int64(now))
    }

    /// Number of loop iterations: for tests of idleness.
    package var iteration: UInt64 {
        var iteration: UInt64 = 0
        unsafe sd_event_get_iteration(event, &iteration)
        return iteration
    }
}

extension Uptime {
    /// Of a time of CLOCK_MONOTONIC, which stands still in a suspend: too late by those since then.
    @MainActor
    package static func byMonotonicClock(microseconds: UInt64) -> Uptime {
        let age = EventLoop.monotonic - .microseconds(Int64(clamping: microseconds))
        return min(EventLoop.uptime, EventLoop.uptime - age)
    }

    /// As the wall clock has it now: it may have been set since.
    @MainActor package var byWallClock: UTCTime {
        UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds) + (self - EventLoop.uptime)
    }
}

/// Rounded up, so that nothing is early; a negative span means now.
func microseconds(_ span: TimeSpan) -> UInt64 {
    let nanoseconds = span.nanoseconds
    guard nanoseconds > 0 else { return 0 }
    return UInt64(nanoseconds / 1000) + (nanoseconds % 1000 == 0 ? 0 : 1)
}
