import CSystemd
import Glibc

// Unsafe: system calls take a path or an array of ours, with its own count.

/// Moves what a pipe or a socket holds now to the end of a file, up to a limit; returns the number
/// of bytes, 0 at the end, -1 with an errno (EAGAIN: nothing to read). Never blocks, and leaves the
/// flags of the descriptor alone: O_NONBLOCK would affect every process that shares the pipe.
package func moveWithoutWaiting(from source: Int32, to file: Int32, atMost limit: Int) -> Int {
    var buffer = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    let count = unsafe recv(source, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == ENOTSOCK {
        return geofenced_splice_nonblock(source, file, limit)
    }
    var written = 0
    while written < count {
        let portion = unsafe buffer.withUnsafeBytes {
            unsafe write(file, $0.baseAddress?.advanced(by: written), count - written)
        }
        guard portion > 0 else { return -1 }
        written += portion
    }
    return count
}
