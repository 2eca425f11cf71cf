import CSystemd
import Glibc
package import Time

// Unsafe: owns one reference to the source; the state it gets lives as long as that.

/// Detects that this process was away for more than a second: stopped by a signal and continued, or
/// busy with one thing, such as a slow disk. What arrived meanwhile was not late.
@MainActor
@safe package final class AbsenceWatch {
    nonisolated(unsafe) private let source: OpaquePointer
    private let state: AbsenceState

    /// `handler` is called, before anything else is dispatched, with the uptime since which nothing
    /// was read, and whether the process was busy.
    ///
    /// `eachTurn` is called with the time before each wait of the loop, and costs no wake-up.
    package init(
        _ loop: EventLoop, eachTurn: @escaping @MainActor (Uptime) -> Void = { _ in },
        handler: @escaping @MainActor (Uptime, Bool) -> Void
    ) throws(SystemError) {
        let state = AbsenceState(eachTurn, handler)
        var source: OpaquePointer?
        let blocking = SIGCONT | (1 << 30)  // SD_EVENT_SIGNAL_PROCMASK
        let result = unsafe sd_event_add_signal(
            loop.event, &source, blocking,
            { _, _, userdata in
                guard let state = unsafe object(userdata, as: AbsenceState.self) else { return 0 }
                state.continued()
                return 0
            }, nil)
        try check(result, "catching signal \(SIGCONT)")
        guard let source = unsafe source else {
            throw SystemError(operation: "catching signal \(SIGCONT)", errno: ENOMEM)
        }
        unsafe self.source = unsafe source
        self.state = state
        unsafe sd_event_source_set_userdata(source, Unmanaged.passRetained(state).toOpaque())
        unsafe sd_event_source_set_destroy_callback(source, releaseUserdata)
        // Before the sockets and timers that became due for the same reason.
        unsafe sd_event_source_set_priority(source, -100)
        loop.beforeWait = { state.goesToWait(woken: $0) }
    }

    /// To be called before input is read: a process that is stopped while returning from the wait
    /// knows of the sockets that woke it, but not yet of the signal.
    package func look() { state.look() }

    deinit { unsafe sd_event_source_disable_unref(source) }
}

@MainActor
private final class AbsenceState {
    private static let longest = TimeSpan.seconds(1)
    private let eachTurn: (Uptime) -> Void
    private let handler: (Uptime, Bool) -> Void
    /// When the loop last began to wait; everything that had arrived by then has been dispatched.
    private var lastWait = EventLoop.uptime
    private var isFirst = true

    init(
        _ eachTurn: @escaping (Uptime) -> Void, _ handler: @escaping (Uptime, Bool) -> Void
    ) {
        self.eachTurn = eachTurn
        self.handler = handler
    }

    func goesToWait(woken: Uptime) {
        let now = EventLoop.uptime
        eachTurn(now)
        defer { lastWait = now }
        // Before the first wait there was no wake-up.
        guard !isFirst else { return isFirst = false }
        if now - woken > Self.longest { handler(woken, true) }
    }

    func continued() {
        let (since, now) = (lastWait, EventLoop.uptime)
        guard now - since > Self.longest else { return }
        lastWait = now
        handler(since, false)
    }

    func look() {
        guard EventLoop.uptime - lastWait > Self.longest else { return }
        var pending = sigset_t()
        if unsafe sigpending(&pending) == 0, unsafe sigismember(&pending, SIGCONT) == 1 {
            continued()
        }
    }
}
