import Geofence1
import Glibc
import Systemd

/// What comes out of a pipe or a socket, written to a file without a name as it comes: a reader of
/// fences cannot stop in the middle of an entry to wait for a slow sender.
@MainActor
final class Spool {
    /// The file; nil once it was handed over.
    private var file: Int32?
    private let descriptor: Int32
    private let limit: Int
    private var size = 0
    private var source: IOSource?
    private let finished: (Result<Int32, BusError>) -> Void

    /// Takes over `descriptor`. `finished` is called once, from the loop: with the file, to be
    /// closed by who is told.
    init(
        _ descriptor: Int32, directory: String, limit: Int, loop: EventLoop,
        finished: @escaping (Result<Int32, BusError>) -> Void
    ) throws(BusError) {
        self.descriptor = descriptor
        self.limit = limit
        self.finished = finished
        do throws(SystemError) {
            file = try Self.namelessFile(in: directory)
            // Behind everything else: fixes go first.
            source = try IOSource(loop, descriptor: descriptor, events: .readable, priority: 10) {
                [weak self] _ in self?.read()
            }
        } catch {
            if let file { close(file) }
            file = nil
            close(descriptor)
            throw BusError(.degraded, error.description)
        }
    }

    deinit {
        source = nil
        close(descriptor)
        if let file { close(file) }
    }

    /// One read of what is there: the loop has said that it does not wait. O_NONBLOCK is not set:
    /// it would be set for everybody who has the same pipe, a shell too.
    private func read() {
        guard let file else { return }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0 {
            guard errno != EINTR, errno != EAGAIN else { return }
            return end(.failure(BusError(SystemError(operation: "reading fences", errno: errno))))
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
        var written = 0
        while written < count {
            let portion = buffer.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress?.advanced(by: written), count - written)
            }
            guard portion > 0 else {
                let error = SystemError(operation: "keeping what came in", errno: errno)
                return end(.failure(BusError(.degraded, error.description)))
            }
            written += portion
        }
    }

    private func end(_ result: Result<Int32, BusError>) {
        source = nil
        finished(result)
    }

    private static func namelessFile(in directory: String) throws(SystemError) -> Int32 {
        var template = Array("\(directory)/.import-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw SystemError(operation: "making a file in \(directory)", errno: errno)
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
        return descriptor
    }
}
