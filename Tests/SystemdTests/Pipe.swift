import Glibc
import Systemd

/// A pipe whose ends are closed with it.
final class Pipe {
    let reading: Int32
    private var writing: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SystemError(operation: "pipe", errno: errno) }
        (reading, writing) = (ends[0], ends[1])
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
        // Programs of other tests would keep it open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(reading)
        closeWriting()
    }

    func write(_ text: String) { _ = Glibc.write(writing, text, text.utf8.count) }

    /// What there is.
    func read() -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(reading, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    func drain() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while Glibc.read(reading, &buffer, buffer.count) > 0 {}
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }
}
