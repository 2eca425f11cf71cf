import CSystemd
import Glibc
package import Time

// Unsafe: owns one reference to the source; the handler it gets lives as long as that.

// The callbacks are written in functions of the main actor, and so belong to it: the compiler
// inserts an isolation check in each, which stops a loop that runs elsewhere.

/// Something the loop waits for, as long as this handle lives: dropping the handle, even in its own
/// handler, ends it. Keep it in a property: a local variable lives only until its last use, which
/// in a release build is before the end of its scope.
@MainActor
@safe package class EventSource {
    nonisolated(unsafe) let source: OpaquePointer

    /// Takes ownership of a new source, and gives it the object that its callback gets as userdata.
    fileprivate init(adopting source: OpaquePointer, handler: AnyObject) {
        unsafe self.source = unsafe source
        unsafe sd_event_source_set_userdata(source, Unmanaged.passRetained(handler).toOpaque())
        unsafe sd_event_source_set_destroy_callback(source, releaseUserdata)
    }

    deinit { unsafe sd_event_source_disable_unref(source) }

    /// A disabled source stays registered and costs nothing.
    package var isEnabled: Bool {
        get {
            var state: Int32 = 0
            return unsafe sd_event_source_get_enabled(source, &state) > 0
        }
        // Fails only once the loop has finished.
        set { unsafe sd_event_source_set_enabled(source, newValue ? enabledState : off) }
    }

    fileprivate var enabledState: Int32 { on }

    /// Of the sources that are due, the lowest number is dispatched first; 0 unless set.
    package var priority: Int64 {
        get {
            var priority: Int64 = 0
            unsafe sd_event_source_get_priority(source, &priority)
            return priority
        }
        set { unsafe sd_event_source_set_priority(source, newValue) }
    }
}

/// What a descriptor is ready for, as in epoll(7).
package struct IOEvents: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// EPOLLIN: a read does not block.
    package static let readable = IOEvents(rawValue: 0x001)
    /// EPOLLOUT: a write does not block.
    package static let writable = IOEvents(rawValue: 0x004)
    /// EPOLLRDHUP: the other side sends no more.
    package static let peerHungUp = IOEvents(rawValue: 0x2000)
    /// Always reported, never requested.
    package static let error = IOEvents(rawValue: 0x008)
    /// Always reported, never requested.
    package static let hangUp = IOEvents(rawValue: 0x010)
}

@MainActor
private final class Handler<Argument> {
    let run: @MainActor (Argument) -> Void

    init(_ run: @escaping @MainActor (Argument) -> Void) { self.run = run }
}

/// Watches a descriptor. It remains the caller's, who closes it after dropping this handle.
package final class IOSource: EventSource {
    /// Calls `handler` whenever `descriptor` is ready for one of `events`, repeatedly until the
    /// condition is gone (level-triggered).
    package init(
        _ loop: EventLoop, descriptor: Int32, events: IOEvents, priority: Int64 = 0,
        handler: @escaping @MainActor (IOEvents) -> Void
    ) throws(SystemError) {
        var source: OpaquePointer?
        let result = unsafe sd_event_add_io(
            loop.event, &source, descriptor, events.rawValue,
            { _, _, events, userdata in
                guard let handler = unsafe object(userdata, as: Handler<IOEvents>.self) else {
                    return 0
                }
                handler.run(IOEvents(rawValue: events))
                return 0
            }, nil)
        let added = try unsafe adopt(source, result, "watching descriptor \(descriptor)")
        unsafe super.init(adopting: added, handler: Handler(handler))
        self.priority = priority
    }

    /// Changes the events to wait for.
    package func wait(for events: IOEvents) throws(SystemError) {
        try unsafe check(
            sd_event_source_set_io_events(source, events.rawValue), "changing what is waited for")
    }
}

/// A one-shot timer on CLOCK_BOOTTIME, armed and re-armed without allocation.
package final class TimerSource: EventSource {
    /// Disarmed at first. The loop may be late by `accuracy` so that wake-ups can be shared; at
    /// least 1 µs, since sd-event takes 0 for its default, a quarter of a second.
    package init(
        _ loop: EventLoop, accuracy: TimeSpan = .milliseconds(1), priority: Int64 = 0,
        handler: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        var source: OpaquePointer?
        let result = unsafe sd_event_add_time(
            loop.event, &source, CLOCK_BOOTTIME, UInt64.max, max(1, microseconds(accuracy)),
            { _, _, userdata in
                guard let handler = unsafe object(userdata, as: Handler<Void>.self) else {
                    return 0
                }
                handler.run(())
                return 0
            }, nil)
        let added = try unsafe adopt(source, result, "making a timer")
        unsafe super.init(adopting: added, handler: Handler(handler))
        isEnabled = false
        self.priority = priority
    }

    override fileprivate var enabledState: Int32 { once }

    /// Fires once, not before `deadline`; a deadline that has passed fires on the next turn of the
    /// loop. Replaces the previous deadline.
    package func arm(at deadline: Uptime) {
        unsafe sd_event_source_set_time(source, microseconds(deadline - .boot))
        isEnabled = true
    }

    /// Does not fire until armed again.
    package func disarm() { isEnabled = false }
}

/// A signal, received in the loop instead of interrupting it.
package final class SignalSource: EventSource {
    /// Blocks `signal` in this thread (so create it before any other thread starts) and calls
    /// `handler` from the loop; unblocked when this handle is dropped.
    package init(
        _ loop: EventLoop, _ signal: Int32, priority: Int64 = 0,
        handler: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        var source: OpaquePointer?
        let blocking = signal | (1 << 30)  // SD_EVENT_SIGNAL_PROCMASK, a macro of two operators
        let result = unsafe sd_event_add_signal(
            loop.event, &source, blocking,
            { _, _, userdata in
                guard let handler = unsafe object(userdata, as: Handler<Void>.self) else {
                    return 0
                }
                handler.run(())
                return 0
            }, nil)
        let added = try unsafe adopt(source, result, "catching signal \(signal)")
        unsafe super.init(adopting: added, handler: Handler(handler))
        self.priority = priority
    }
}

/// A child process, until it has ended; it is reaped then.
package final class ChildSource: EventSource {
    /// Blocks SIGCHLD in this thread, which sd-event demands, and calls `handler` once: with the
    /// exit status, or with the signal that has killed it. The handle must not be dropped before.
    package init(
        _ loop: EventLoop, pid: Int32, priority: Int64 = 0,
        handler: @escaping @MainActor (_ status: Int32, _ isSignal: Bool) -> Void
    ) throws(SystemError) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGCHLD)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        var source: OpaquePointer?
        let result = unsafe sd_event_add_child(
            loop.event, &source, pid, WEXITED,
            { _, information, userdata in
                guard let information = unsafe information,
                    let handler = unsafe object(userdata, as: Handler<(Int32, Bool)>.self)
                else { return 0 }
                let status = unsafe information.pointee._sifields._sigchld.si_status
                let isSignal = unsafe information.pointee.si_code != CLD_EXITED
                handler.run((status, isSignal))
                return 0
            }, nil)
        let added = try unsafe adopt(source, result, "watching process \(pid)")
        unsafe super.init(
            adopting: added, handler: Handler<(Int32, Bool)> { handler($0.0, $0.1) })
        self.priority = priority
    }

    override fileprivate var enabledState: Int32 { once }
}

/// Work deferred to the next turn of the loop, so that it runs outside of its caller.
package final class DeferredSource: EventSource {
    /// Nothing runs until ``trigger()``.
    package init(
        _ loop: EventLoop, priority: Int64 = 0, handler: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        var source: OpaquePointer?
        let result = unsafe sd_event_add_defer(loop.event, &source, runOnce, nil)
        let added = try unsafe adopt(source, result, "putting work off")
        unsafe super.init(adopting: added, handler: Handler(handler))
        isEnabled = false
        self.priority = priority
    }

    override fileprivate var enabledState: Int32 { once }

    /// Runs the handler once, on the next turn, even if triggered several times before that.
    package func trigger() { isEnabled = true }
}

/// Work done after every turn in which another source was dispatched, and never by itself.
package final class PostSource: EventSource {
    package init(
        _ loop: EventLoop, priority: Int64 = 0, handler: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        var source: OpaquePointer?
        let result = unsafe sd_event_add_post(loop.event, &source, runOnce, nil)
        let added = try unsafe adopt(source, result, "adding work after each turn")
        unsafe super.init(adopting: added, handler: Handler(handler))
        self.priority = priority
    }
}

private let off = Int32(SD_EVENT_OFF)
private let on = Int32(SD_EVENT_ON)
private let once = Int32(SD_EVENT_ONESHOT)

private let runOnce: sd_event_handler_t = { _, userdata in
    guard let handler = unsafe object(userdata, as: Handler<Void>.self) else { return 0 }
    MainActor.assumeIsolated { handler.run(()) }
    return 0
}

private func adopt(
    _ source: OpaquePointer?, _ result: Int32, _ operation: @autoclosure () -> String
) throws(SystemError) -> OpaquePointer {
    try check(result, operation())
    guard let source = unsafe source else {
        throw SystemError(operation: operation(), errno: ENOMEM)
    }
    return unsafe source
}
