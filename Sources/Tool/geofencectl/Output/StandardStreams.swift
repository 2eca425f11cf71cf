import Bytes
import Glibc
import JSON
import Program

/// Standard output, buffered: a million fences are not a million system calls.
@MainActor
enum StandardOutput {
    private static var buffer: [UInt8] = []

    /// - Throws: ``Failure`` when it cannot be written.
    static func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// JSON, or what is without controls already: texts of others must not move the cursor.
    static func write(_ bytes: [UInt8]) throws {
        buffer += bytes.shownJSON
        if buffer.count >= 1 << 16 { try flush() }
    }

    /// A line of text, or several, without what a terminal would interpret but for our colours.
    static func line(_ text: String) throws {
        var shown = ""
        for (index, part) in text.split(separator: "\u{1B}", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { shown += Terminal.output.isColour(part) ? "\u{1B}" : "\u{FFFD}" }
            shown += String(part).printableLines
        }
        try write(shown + "\n")
    }

    static func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        try writeAll(buffer, to: STDOUT_FILENO, "standard output")
    }
}

extension StandardError {
    static func say(_ text: String) { line("geofencectl: \(text)") }

    static func warn(_ text: String) { say("warning: \(text)") }
}
