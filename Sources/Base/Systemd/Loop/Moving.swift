import CSystemd
import Files
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
    guard count > 0 else { return count }
    buffer.removeLast(buffer.count - count)
    do throws(Errno) { try OpenFile.write(buffer, to: file) } catch {
        errno = error.code
        return -1
    }
    return count
}
