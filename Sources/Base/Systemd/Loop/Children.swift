import CSystemd
import Glibc
package import Time

// Unsafe: the arguments, the environment and the attributes given to posix_spawn(3) are ours until
// it returns.

/// How a program ended.
package enum ChildEnd: Equatable, Sendable {
    /// With this exit status.
    case exited(Int32)
    /// By this signal.
    case killed(Int32)
    /// It ran for longer than it may, and was killed.
    case tooLong

    /// It has done what it was started for.
    package var isSuccess: Bool { self == .exited(0) }
}

/// A program that runs.
@MainActor
package final class Child {
    fileprivate let pid: pid_t
    fileprivate var timer: TimerSource?
    fileprivate var source: ChildSource?
    fileprivate var ended: ((ChildEnd) -> Void)?

    fileprivate init(pid: pid_t, ended: @escaping (ChildEnd) -> Void) {
        self.pid = pid
        self.ended = ended
    }

    /// Kills it and what it has started. Its end is not reported.
    package func stop() { finish(nil) }

    fileprivate func finish(_ end: ChildEnd?) {
        guard let ended else { return }
        self.ended = nil
        timer = nil
        switch end {
        case nil, .tooLong: kill(-pid, SIGKILL)
        case .exited, .killed: break
        }
        if let end { ended(end) }
    }
}

/// The programs that we start. One that hangs, even one that cannot be killed, holds up nothing.
@MainActor
package final class Children {
    private let loop: EventLoop
    /// Not reaped yet.
    private var present: [Child] = []

    /// As many may be left, killed and still not gone, before no more are started.
    private static let limit = 8

    /// Whether what they write to their standard error, and to a standard output that is ours, is thrown
    /// away.
    package var isSilent = false

    package init(_ loop: EventLoop) { self.loop = loop }

    /// Starts `arguments[0]`, an absolute path, without a shell, in a process group of its own.
    /// - Parameters:
    ///   - input: its standard input; nil: /dev/null.
    ///   - output: its standard output; nil: our standard error.
    ///   - limit: it is killed when it runs for longer.
    ///   - ended: called once from the loop, unless it is stopped.
    /// - Throws: why it could not be started.
    package func start(
        _ arguments: [String], input: Int32? = nil, output: Int32? = nil, limit: TimeSpan,
        ended: @escaping (ChildEnd) -> Void
    ) throws(SystemError) -> Child {
        let operation = "starting \(arguments.first ?? "nothing")"
        guard present.count < Self.limit else {
            throw SystemError(operation: operation, errno: EAGAIN)
        }
        let child = Child(pid: try spawn(arguments, input, output, operation), ended: ended)
        child.source = try ChildSource(loop, pid: child.pid) {
            [weak self, weak child] status, isSignal in
            guard let child else { return }
            self?.present.removeAll { $0 === child }
            child.finish(isSignal ? .killed(status) : .exited(status))
        }
        child.timer = try TimerSource(loop, accuracy: .milliseconds(50)) { [weak child] in
            child?.finish(.tooLong)
        }
        child.timer?.arm(at: EventLoop.uptime + limit)
        present.append(child)
        return child
    }

    private func spawn(
        _ arguments: [String], _ input: Int32?, _ output: Int32?, _ operation: String
    ) throws(SystemError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            unsafe posix_spawn_file_actions_addopen(
                &actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        if isSilent {
            unsafe posix_spawn_file_actions_addopen(
                &actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        unsafe posix_spawn_file_actions_adddup2(
            &actions, output ?? STDERR_FILENO, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        var argv = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        var pid: pid_t = 0
        let result = unsafe posix_spawn(
            &pid, arguments.first ?? "", &actions, &attributes, &argv, environ)
        guard result == 0 else { throw SystemError(operation: operation, errno: result) }
        return pid
    }
}
