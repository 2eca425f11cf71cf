import Files
import Glibc

/// Standard output, buffered: a million fences are not a million system calls.
@MainActor
enum StandardOutput {
    private static var buffer: [UInt8] = []

    /// - Throws: ``Failure`` when it cannot be written.
    static func write(_ text: String) throws { try write(Array(text.utf8)) }

    static func write(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count >= 1 << 16 { try flush() }
    }

    static func line(_ text: String) throws { try write(text + "\n") }

    static func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        try writeAll(buffer, to: STDOUT_FILENO, "standard output")
    }
}

/// Standard error: one line per problem.
enum StandardError {
    static func say(_ failure: Failure) {
        guard !failure.reason.isEmpty else { return }
        line("geofencectl: \(failure)")
    }

    static func warn(_ text: String) { line("geofencectl: warning: \(text)") }

    /// What is worth knowing, and wrong in no way.
    static func remark(_ text: String) { line("geofencectl: \(text)") }

    private static func line(_ text: String) {
        let printable = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).printable }.joined(separator: "\n")
        // If this fails, there is nowhere left to report it.
        try? writeAll(Array((printable + "\n").utf8), to: STDERR_FILENO, "standard error")
    }
}

/// Writes everything, in as many calls as it takes.
func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ name: String) throws(Failure) {
    do throws(Errno) { try OpenFile.write(bytes, to: descriptor) } catch {
        throw error.code == EPIPE ? .unread : Failure(error, name)
    }
}
