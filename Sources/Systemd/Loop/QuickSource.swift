import CSystemd
import Glibc

/// Something was asked of sd-event, or of sd-bus that hangs on it, for which it has to be prepared
/// anew before the loop sleeps: timers are set then, and what is put off is seen.
nonisolated(unsafe) var isLoopTouched = false

/// A descriptor that is read from all day. It is waited for beside sd-event: a turn that only serves
/// it is one epoll_wait(2), and goes past sd-event's round of timers, priorities and queues, as long
/// as nothing in it touches them. Otherwise like ``IOSource``.
@MainActor
package final class QuickSource {
    fileprivate let descriptor: Int32
    fileprivate let handler: @MainActor () -> Void
    private let sources: QuickSources

    /// Calls `handler` whenever `descriptor` can be read from, or has ended.
    package init(
        _ loop: EventLoop, descriptor: Int32, handler: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        self.descriptor = descriptor
        self.handler = handler
        sources = loop.quick
        try sources.add(self, loop.event)
    }

    /// No more; the descriptor may be closed then. To be called before the handle is dropped.
    package func stop() { sources.remove(self) }
}

/// Those of one loop.
@MainActor
final class QuickSources {
    /// Turns past sd-event at most, before it is gone through once.
    private static let turnsAlone: UInt64 = 30

    /// Of our own; sd-event's is among what is waited for.
    nonisolated(unsafe) private var descriptor: Int32 = -1
    private var isWatchingEvent = false
    private var sources: [QuickSource] = []
    /// CLOCK_BOOTTIME when the turn began in which one is being served, nanoseconds.
    private(set) var woken: Int64?
    /// How often one was served.
    private(set) var turns: UInt64 = 0

    /// What is to be done after every turn, and a source of sd-event that does nothing: by it sd-event
    /// knows that there was one.
    private var posts: [Post] = []
    nonisolated(unsafe) private var sign: OpaquePointer?

    private struct Post {
        weak var source: PostSource?
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let sign { sd_event_source_disable_unref(sign) }
    }

    var isEmpty: Bool { sources.isEmpty }

    fileprivate func add(_ source: QuickSource, _ event: OpaquePointer) throws(SystemError) {
        if descriptor < 0 {
            let made = epoll_create1(Int32(EPOLL_CLOEXEC))
            guard made >= 0 else { throw .last("making an epoll") }
            descriptor = made
        }
        if !isWatchingEvent {
            try watch(sd_event_get_fd(event))
            isWatchingEvent = true
        }
        try watch(source.descriptor)
        sources.append(source)
        // From now on the loop waits here.
        isLoopTouched = true
    }

    func note(_ post: PostSource, _ event: OpaquePointer) throws(SystemError) {
        if sign == nil {
            try check(
                sd_event_add_defer(event, &sign, { _, _ in 0 }, nil), "adding work after each turn")
            sd_event_source_set_enabled(sign, Int32(SD_EVENT_OFF))
        }
        posts.removeAll { $0.source == nil }
        posts.append(Post(source: post))
    }

    private func tellPosts() {
        for post in posts where post.source?.isEnabled == true {
            isLoopTouched = true
            sd_event_source_set_enabled(sign, Int32(SD_EVENT_ONESHOT))
        }
    }

    private func watch(_ other: Int32) throws(SystemError) {
        var interest = epoll_event()
        interest.events = EPOLLIN.rawValue
        interest.data.fd = other
        guard epoll_ctl(descriptor, EPOLL_CTL_ADD, other, &interest) == 0 else {
            throw .last("watching descriptor \(other)")
        }
    }

    fileprivate func remove(_ source: QuickSource) {
        guard let index = sources.firstIndex(where: { $0 === source }) else { return }
        sources.remove(at: index)
        epoll_ctl(descriptor, EPOLL_CTL_DEL, source.descriptor, nil)
        isLoopTouched = true
    }

    /// Serves sources until sd-event has something to do, or was touched, or `timeout` nanoseconds
    /// are over, one of them at most where there is a timeout; whether one was served.
    func wait(for event: OpaquePointer, timeout: Int64) throws(SystemError) -> Bool {
        let limit = timeout < 0 ? -1 : Int32(clamping: (timeout + 999_999) / 1_000_000)
        var served = false
        let first = turns
        // Should a touch ever be forgotten, sd-event sees after a few turns what it was for.
        while !isLoopTouched, turns - first < Self.turnsAlone {
            let found = try look(limit)
            served = served || found.served
            if found.isEventDue || timeout >= 0 { break }
        }
        return served
    }

    /// Those that are ready at this moment.
    func serve() throws(SystemError) -> Bool { try look(0).served }

    private func look(_ timeout: Int32) throws(SystemError) -> (served: Bool, isEventDue: Bool) {
        var ready = (epoll_event(), epoll_event(), epoll_event(), epoll_event())
        let count = withUnsafeMutableBytes(of: &ready) {
            epoll_wait(descriptor, $0.bindMemory(to: epoll_event.self).baseAddress, 4, timeout)
        }
        guard count >= 0 else {
            guard errno == EINTR else { throw .last("running the event loop") }
            return (false, true)
        }
        var result = (served: false, isEventDue: false)
        defer { woken = nil }
        for index in 0..<Int(count) {
            let fd = withUnsafeBytes(of: &ready) {
                $0.bindMemory(to: epoll_event.self)[index].data.fd
            }
            guard let source = sources.first(where: { $0.descriptor == fd }) else {
                result.isEventDue = true
                continue
            }
            woken = EventLoop.uptime
            turns += 1
            result.served = true
            source.handler()
        }
        if result.served { tellPosts() }
        return result
    }
}
