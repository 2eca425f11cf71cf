import Bytes
import Files
import Glibc

/// Standard error.
package enum StandardError {
    /// A line, or several, without what a terminal would interpret: much of it comes from others.
    package static func line(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let printable = lines.map { String($0).printable + "\n" }.joined()
        // If this fails, there is nowhere left to report it.
        try? writeAll(Array(printable.utf8), to: STDERR_FILENO, "standard error")
    }
}

/// Writes everything, in as many calls as it takes.
package func writeAll(
    _ bytes: [UInt8], to descriptor: Int32, _ name: String
) throws(Failure) {
    do throws(Errno) { try OpenFile.write(bytes, to: descriptor) } catch {
        throw error.code == EPIPE ? .unread : Failure(error, name)
    }
}
