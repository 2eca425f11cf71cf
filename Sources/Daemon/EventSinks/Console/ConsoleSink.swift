import Glibc
import JSON
package import Model
import Systemd
import Time

// Unsafe: poll(2) and write(2) take a struct of ours and the text's own bytes, with their counts.

/// Prints events, one line each, for a person who has started the daemon by hand.
@MainActor
package final class ConsoleSink: EventSink {
    package let name = "console"
    private let descriptor: Int32

    /// - Parameter descriptor: remains the caller's.
    package init(_ descriptor: Int32 = STDOUT_FILENO) { self.descriptor = descriptor }

    /// Does not wait for a stopped terminal, or a pipe that nobody reads.
    package func announce(_ event: LoggedEvent) -> Bool {
        var console = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&console, 1, 0) == 1 else { return false }
        // Closed at its other end: there is no reader.
        guard console.revents == Int16(POLLOUT) else { return true }
        // Titles and ids come from others.
        var line = LogText.line(Self.line(event)) + "\n"
        // If there is room at all, there is room for more than a line.
        let count = line.withUTF8 { unsafe write(descriptor, $0.baseAddress, $0.count) }
        return count >= 0 || (errno != EAGAIN && errno != EINTR)
    }

    private static func line(_ logged: LoggedEvent) -> String {
        let event = logged.event
        var parts = [event.time.iso8601, padded(event.kind.name)]
        if let fence = event.fence {
            parts.append(event.title.isEmpty ? fence : "\(event.title) (\(fence))")
        }
        if let reason = event.reason { parts.append("[\(reason.name)]") }
        if let distance = event.distance, let error = event.error {
            parts.append("\(oneDecimal(distance)) m ± \(oneDecimal(error)) m")
        }
        if let stay = event.stay { parts.append("after \(oneDecimal(stay.seconds)) s") }
        return parts.joined(separator: "  ")
    }

    private static func padded(_ kind: String) -> String {
        kind + String(repeating: " ", count: max(0, 8 - kind.utf8.count))
    }

    private static func oneDecimal(_ value: Double) -> String {
        var writer = JSONWriter()
        writer.number(value, decimals: 1)
        return writer.text
    }
}
