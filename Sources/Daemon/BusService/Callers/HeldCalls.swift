import Systemd

/// Calls that are held because their answer depends on another program: each keeps its message, of
/// up to 32 MiB, and up to 16 descriptors (max_message_size and max_message_unix_fds,
/// dbus-daemon(1)).
@MainActor
final class HeldCalls {
    /// A held call; releasing it makes room.
    @MainActor
    final class Place {
        private let free: @MainActor () -> Void

        fileprivate init(_ free: @escaping @MainActor () -> Void) { self.free = free }

        deinit {
            let free = free
            MainActor.assumeIsolated { free() }
        }
    }

    private let limit: (calls: Int, bytes: Int)
    private let perUser: Int
    private let what: String
    private var calls = 0
    private var bytes = 0
    private var users: [UInt32: Int] = [:]

    /// `what` appears in the error to the caller: "wait for …".
    init(_ what: String, calls: Int, bytes: Int, perUser: Int = .max) {
        self.what = what
        limit = (calls, bytes)
        self.perUser = perUser
    }

    /// - Throws: LimitsExceeded when there is no room for it.
    func keep(_ call: BusCall, of user: UInt32? = nil) throws(BusError) -> Place {
        let present = user.flatMap { users[$0] } ?? 0
        guard calls < limit.calls, present < perUser else {
            throw BusError(
                name: BusError.limitsExceeded, message: "too many calls wait for \(what)")
        }
        guard let size = call.message.size(upTo: limit.bytes - bytes) else {
            throw BusError(
                name: BusError.limitsExceeded,
                message: "a call this large cannot wait for \(what) now: "
                    + "try again later, or with less")
        }
        calls += 1
        bytes += size
        if let user { users[user] = present + 1 }
        return Place { [weak self] in
            guard let self else { return }
            calls -= 1
            bytes -= size
            guard let user else { return }
            users[user] = (users[user] ?? 1) == 1 ? nil : (users[user] ?? 1) - 1
        }
    }
}
