import CSystemd
import Glibc

// Unsafe: owns one reference to the loop, and gives it back once.

/// The one queue of the daemon, over sd-event(3): descriptors, timers, signals, the bus and the
/// watchdog, each handler run to its end before the next, on the main thread.
///
/// An idle loop sleeps: nothing wakes it but a due timer, a ready descriptor, a signal, or the
/// watchdog it feeds.
@MainActor
@safe package final class EventLoop {
    nonisolated(unsafe) let event: OpaquePointer

    /// A new loop, with nothing in it.
    package init() throws(SystemError) {
        var event: OpaquePointer?
        try unsafe check(sd_event_new(&event), "making an event loop")
        guard let event = unsafe event else {
            throw SystemError(operation: "making an event loop", errno: ENOMEM)
        }
        unsafe self.event = unsafe event
    }

    deinit { unsafe sd_event_unref(event) }

    /// Dispatches until ``exit(code:)``; gives its code.
    package func run() throws(SystemError) -> UInt8 {
        unsafe UInt8(truncatingIfNeeded: try check(sd_event_loop(event), "running the event loop"))
    }

    /// Waits for at most `timeout` nanoseconds and dispatches at most one source; false if nothing
    /// was due. For the tool and for tests; the daemon uses ``run()``.
    @discardableResult
    package func runOnce(timeout: Int64) throws(SystemError) -> Bool {
        try unsafe check(sd_event_run(event, microseconds(timeout)), "running the event loop") > 0
    }

    /// Makes ``run()`` return `code` once the handler that is running has ended. No other source is
    /// dispatched after it.
    package func exit(code: UInt8 = 0) {
        // Fails only once the loop has finished, when there is nothing left to stop.
        unsafe sd_event_exit(event, Int32(code))
    }

    /// CLOCK_BOOTTIME now, nanoseconds since boot, suspend included.
    package static var uptime: Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    /// The wall clock, nanoseconds since 1970: for log text only.
    package static var wallClock: Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    /// CLOCK_BOOTTIME when the loop last woke, nanoseconds: one time for everything dispatched in
    /// one go, to the microsecond.
    package var wakeUptime: Int64 {
        var now: UInt64 = 0
        guard unsafe sd_event_now(event, CLOCK_BOOTTIME, &now) >= 0 else { return Self.uptime }
        return Int64(now) * 1000
    }

    /// How often the loop has gone round: what a test of idleness looks at.
    package var iteration: UInt64 {
        var iteration: UInt64 = 0
        unsafe sd_event_get_iteration(event, &iteration)
        return iteration
    }
}

/// Rounded up, so that nothing is early; what is negative is now.
func microseconds(_ nanoseconds: Int64) -> UInt64 {
    guard nanoseconds > 0 else { return 0 }
    return UInt64(nanoseconds / 1000) + (nanoseconds % 1000 == 0 ? 0 : 1)
}
