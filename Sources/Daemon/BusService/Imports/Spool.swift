import Geofence1
import Glibc
import Systemd
import Time

// Unsafe: system calls take a path or an array of ours, with its own count.

/// Writes what arrives through a pipe or a socket to an unnamed file: the reader of fences cannot
/// stop in the middle of an entry to wait for a slow sender.
@MainActor
final class Spool {
    /// The file; nil once it was passed on.
    private var file: Int32?
    private let descriptor: Int32
    private let limit: Int
    private var size = 0
    private var source: IOSource?
    private var deadline: TimerSource?
    /// A sender that never ends must not block others, ns.
    private static let patience = TimeSpan.seconds(300)
    private let finished: (Result<Int32, BusError>) -> Void

    /// Takes ownership of `descriptor`. `finished` is called once, from the loop, with the file,
    /// which it must close.
    init(
        _ descriptor: Int32, directory: String, limit: Int, loop: EventLoop,
        finished: @escaping (Result<Int32, BusError>) -> Void
    ) throws(BusError) {
        self.descriptor = descriptor
        self.limit = limit
        self.finished = finished
        do throws(SystemError) {
            file = try Self.namelessFile(in: directory)
            // Lowest priority: fixes go first.
            source = try IOSource(loop, descriptor: descriptor, events: .readable, priority: 10) {
                [weak self] _ in self?.read()
            }
            deadline = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in
                self?.end(
                    .failure(
                        BusError(
                            name: BusError.limitsExceeded, message: "no end within 5 minutes")))
            }
            deadline?.arm(at: EventLoop.uptime + Self.patience)
        } catch {
            if let file { close(file) }
            file = nil
            close(descriptor)
            throw BusError(.degraded, error.description)
        }
    }

    deinit {
        source = nil
        deadline = nil
        close(descriptor)
        if let file { close(file) }
    }

    /// Reads what is available, without waiting for more: another process may share the pipe, and
    /// read what the loop has been notified of.
    private func read() {
        guard let file else { return }
        let count = moveWithoutWaiting(from: descriptor, to: file, atMost: 1 << 16)
        if count < 0 {
            guard errno != EINTR, errno != EAGAIN else { return }
            let error = SystemError(operation: "keeping what comes in", errno: errno)
            return end(.failure(BusError(.degraded, error.description)))
        }
        if count == 0 {
            lseek(file, 0, SEEK_SET)
            self.file = nil
            return end(.success(file))
        }
        size += count
        guard size <= limit else {
            return end(
                .failure(
                    BusError(
                        name: BusError.limitsExceeded, message: "more than \(limit) bytes")))
        }
    }

    private func end(_ result: Result<Int32, BusError>) {
        source = nil
        deadline = nil
        finished(result)
    }

    private static func namelessFile(in directory: String) throws(SystemError) -> Int32 {
        var template = Array("\(directory)/.import-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else {
            throw SystemError(operation: "making a file in \(directory)", errno: errno)
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unsafe unlink(template)
        return descriptor
    }
}
