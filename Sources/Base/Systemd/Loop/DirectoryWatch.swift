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

    /// What is of interest in a directory; that it is removed or moved always is.
    package enum Interest: Equatable, Sendable {
        /// Every change of every entry.
        case entries
        /// That an entry of this name is made, moved or removed. Others still wake the process.
        case entry(String)
        /// Nothing else: what is in it wakes nobody.
        case itself
    }

    private let watch: WatchSource
    private let settling: TimerSource

    /// Calls `handler` once, `settle` after the first change of a burst.
    package init(
        _ loop: EventLoop, path: String, _ interest: Interest = .entries,
        settle: TimeSpan = .milliseconds(200),
        handler: @escaping @MainActor (Change) -> Void
    ) throws(SystemError) {
        let state = WatchState(interest)
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
    let interest: DirectoryWatch.Interest
    var change: DirectoryWatch.Change?
    var settle = TimeSpan.zero
    weak var timer: TimerSource?

    init(_ interest: DirectoryWatch.Interest) { self.interest = interest }

    /// `name` is empty for the directory itself.
    func saw(_ mask: UInt32, of name: String) {
        if case .entry(let entry) = interest, !name.isEmpty, name != entry { return }
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
        let itself = IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        let names = itself | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE
        let mask =
            switch state.interest {
            case .itself: itself
            case .entry: names
            case .entries: names | IN_CLOSE_WRITE | IN_ATTRIB
            }
        var source: OpaquePointer?
        let result = unsafe sd_event_add_inotify(
            loop.event, &source, path, UInt32(mask),
            { _, event, userdata in
                guard let event = unsafe event,
                    let state = unsafe object(userdata, as: WatchState.self)
                else { return 0 }
                let mask = unsafe event.pointee.mask
                var name = ""
                if unsafe event.pointee.len > 0 {
                    // It follows the struct, and ends with a NUL: inotify(7).
                    let text = unsafe UnsafeRawPointer(event) + MemoryLayout<inotify_event>.size
                    name = unsafe String(cString: text.assumingMemoryBound(to: CChar.self))
                }
                state.saw(mask, of: name)
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
