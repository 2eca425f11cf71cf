import Engine
import Glibc
import JSON
import Time

// Unsafe: write(2) takes the text's own bytes and their count.

/// Prints events, one line each, for whoever started the daemon by hand.
@MainActor
final class ConsoleSink: EventSink {
    let name = "console"

    func announce(_ event: LoggedEvent) -> Bool {
        var line = Self.line(event) + "\n"
        // Nobody may be reading: then there is nobody to tell.
        _ = line.withUTF8 { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        return true
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
