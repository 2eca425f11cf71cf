import Bytes
import Glibc
import Systemd

// Unsafe: write(2) takes an array of ours, with its own count.

/// Lines on standard output, which never wait for a reader: a line that would is dropped.
package enum LineOutput {
    /// poll(2) reports a pipe as writable when it accepts PIPE_BUF (4096) bytes.
    private static let limit = 4000

    /// - Returns: whether it was written.
    @discardableResult
    package static func write(_ line: String, to descriptor: Int32 = STDOUT_FILENO) -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&ready, 1, 0) > 0, ready.revents == Int16(POLLOUT) else { return false }
        let text = line.unicodeScalars.map { $0.isPrintable ? $0 : " " }
        var bytes = Array(String(String.UnicodeScalarView(text)).utf8.prefix(limit))
        bytes.append(0x0A)
        return unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    }
}
