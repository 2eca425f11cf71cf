import CSystemd
import Glibc
package import Time

// Unsafe: owns one reference to the source; the handler lives as long as that.

/// Watches the entries of a directory, using inotify(7). A burst of changes – an editor replacing a
/// file, a package unpacking fifty – results in one call.
@MainActor
package final class DirectoryWatch {
    /// A change in the directory.
    package enum Change: Equatable, Sendable {
        /// An entry was written, renamed, removed or had its permissions changed.
        case entries
        /// The directory itself was removed or moved: this watch reports nothing more.
        case gone
    }

    private let watch: WatchSource
    private let settling: TimerSource

    /// Calls `handler` once, `settle` after the first change of a burst.
    package init(
        _ loop: EventLoop, path: String, settle: TimeSpan = .milliseconds(200),
        handler: @escaping @MainActor (Change) -> Void
    ) throws(SystemError) {
        let state = WatchState()
        settling = try TimerSource(loop, accuracy: settle / 4) {
            guard let change = state.change else { return }
            state.change = nil
            handler(change)
        }
        state.timer = settling
        state.settle = settle
        watch = try WatchSource(loop, path: path, state: state)
    }
}

@MainActor
private final class WatchState {
    var change: DirectoryWatch.Change?
    var settle = TimeSpan.zero
    weak var timer: TimerSource?

    func saw(_ mask: UInt32) {
        let wasSettling = change != nil
        if mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0 {
            change = .gone
        } else if mask & UInt32(IN_IGNORED) == 0 {
            change = change ?? .entries
        }
        guard change != nil, !wasSettling else { return }
        timer?.arm(at: EventLoop.uptime + settle)
    }
}

@MainActor
@safe private final class WatchSource {
    nonisolated(unsafe) let source: OpaquePointer

    init(_ loop: EventLoop, path: String, state: WatchState) throws(SystemError) {
        let mask =
            IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ATTRIB
            | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        var source: OpaquePointer?
        let result = unsafe sd_event_add_inotify(
            loop.event, &source, path, UInt32(mask),
            { _, event, userdata in
                guard let event = unsafe event,
                    let state = unsafe object(userdata, as: WatchState.self)
                else { return 0 }
                let mask = unsafe event.pointee.mask
                state.saw(mask)
                return 0
            }, nil)
        try check(result, "watching directory \(path)")
        guard let source = unsafe source else {
            throw SystemError(operation: "watching directory \(path)", errno: ENOMEM)
        }
        unsafe self.source = unsafe source
        unsafe sd_event_source_set_userdata(source, Unmanaged.passRetained(state).toOpaque())
        unsafe sd_event_source_set_destroy_callback(source, releaseUserdata)
    }

    deinit { unsafe sd_event_source_disable_unref(source) }
}
