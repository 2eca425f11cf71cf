import Glibc
import Program

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

extension StandardError {
    static func say(_ text: String) { line("geofencectl: \(text)") }

    static func warn(_ text: String) { say("warning: \(text)") }
}
