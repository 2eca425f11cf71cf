import Files
import Geofence1
import Glibc
import Systemd
import Time

/// Writes what arrives through a pipe or a socket to an unnamed file: the reader of fences cannot
/// stop in the middle of an entry to wait for a slow sender.
@MainActor
final class Spool {
    /// The file; nil once it was passed on.
    private var file: OpenFile?
    private let descriptor: Int32
    private let limit: Int
    private var size = 0
    private var source: IOSource?
    private var deadline: TimerSource?
    /// A sender that never ends must not block others, ns.
    private static let patience = TimeSpan.seconds(300)
    private let finished: (Result<OpenFile, BusError>) -> Void

    /// Takes ownership of `descriptor`. `finished` is called once, from the loop, with the file.
    init(
        _ descriptor: Int32, directory: String, limit: Int, loop: EventLoop,
        finished: @escaping (Result<OpenFile, BusError>) -> Void
    ) throws(BusError) {
        self.descriptor = descriptor
        self.limit = limit
        self.finished = finished
        do throws(SystemError) {
            do throws(Errno) { file = try OpenFile(namelessIn: directory) } catch {
                throw SystemError(operation: "making a file in \(directory)", errno: error.code)
            }
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
            close(descriptor)
            throw BusError(.degraded, error.description)
        }
    }

    deinit {
        source = nil
        deadline = nil
        close(descriptor)
    }

    /// Reads what is available, without waiting for more: another process may share the pipe, and
    /// read what the loop has been notified of.
    private func read() {
        guard let file else { return }
        let count = moveWithoutWaiting(from: descriptor, to: file.descriptor, atMost: 1 << 16)
        if count < 0 {
            guard errno != EINTR, errno != EAGAIN else { return }
            let error = SystemError(operation: "keeping what comes in", errno: errno)
            return end(.failure(BusError(.degraded, error.description)))
        }
        if count == 0 {
            lseek(file.descriptor, 0, SEEK_SET)
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

    private func end(_ result: Result<OpenFile, BusError>) {
        source = nil
        deadline = nil
        finished(result)
    }
}
