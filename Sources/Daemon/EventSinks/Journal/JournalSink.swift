import Formats
import Glibc
import JSON
package import Model
package import Systemd
package import Time

// Unsafe: 24 bytes of the stack hold the 20 digits of any number.

/// Announces events as journal entries, see geofenced(8) for the fields.
@MainActor
package final class JournalSink: EventSink {
    package let name = "journal"
    package let syncTime: TimeSpan
    private let sender: JournalSender
    private let withLocation: Bool
    private let withDriver: Bool

    /// - Parameters:
    ///   - withLocation: the entries contain the vehicle's position, for everybody who may read the
    ///     journal.
    ///   - withDriver: they say who drove, likewise.
    ///   - syncTime: SyncIntervalSec of journald.conf(5), after which an entry is on the disk.
    package init(
        _ sender: JournalSender, withLocation: Bool, withDriver: Bool = false,
        syncTime: TimeSpan = .zero
    ) {
        self.sender = sender
        self.syncTime = syncTime
        self.withLocation = withLocation
        self.withDriver = withDriver
    }

    package func announce(_ event: LoggedEvent) -> Bool {
        let entry = Self.entry(event, withLocation: withLocation, withDriver: withDriver)
        return switch sender.send(entry) {
        case .sent: true
        case .wouldBlock: false
        // Without a socket there is no journal on this system, and nothing to wait for. journald
        // leaves its socket in place while it restarts.
        case .unavailable(let code): code == ENOENT
        }
    }

    static func entry(
        _ logged: LoggedEvent, withLocation: Bool, withDriver: Bool = false
    ) -> JournalEntry {
        let event = logged.event
        var entry = JournalEntry(
            message(event), .notice, messageID: event.kind.messageID)
        entry.append("SYSLOG_IDENTIFIER", "geofenced")
        for field in EventField.all {
            guard let name = field.journal,
                let value = field.value(
                    of: logged, withLocation: withLocation, withDriver: withDriver)
            else { continue }
            entry.append(name, text(value))
        }
        return entry
    }

    private static func text(_ value: EventValue) -> String {
        switch value {
        case .text(let text), .metadata(let text): text
        case .object(let object): object.text
        case .flag(let flag): flag ? "1" : "0"
        case .integer(let number): String(number)
        case .real(let number, let decimals): decimal(number, places: decimals)
        case .time(let time): time.iso8601
        case .span(let span): decimal(span.seconds, places: 3)
        case .presence(let presence): presence.name
        }
    }

    /// The human-readable text: `Entered "Low bridge A3" (bridge-7)`.
    private static func message(_ event: Event) -> String {
        if let approach = event.approach, event.kind != .clear {
            return approach.text(of: event.kind)
        }
        var text = event.kind.phrase
        guard let id = event.fence else { return text }
        text += " \""
        text += event.title.isEmpty ? id : event.title
        text += "\""
        if !event.title.isEmpty {
            text += " ("
            text += id
            text += ")"
        }
        if event.kind == .exit, let stay = event.stay { append(stay, to: &text) }
        return text
    }

    /// In systemd's format: ` after 2h 3min 4s`.
    private static func append(_ span: TimeSpan, to text: inout String) {
        let seconds = max(.zero, span).wholeSeconds
        text += " after"
        func append(_ count: Int64, _ unit: String) {
            guard count > 0 else { return }
            text += " "
            text += String(count)
            text += unit
        }
        append(seconds / 86_400, "d")
        append(seconds / 3600 % 24, "h")
        append(seconds / 60 % 60, "min")
        append(seconds % 60, "s")
        if seconds == 0 { text += " 0s" }
    }

    /// Fixed decimals, independent of the locale.
    nonisolated private static func decimal(_ value: Double, places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (value.magnitude * scale).rounded()
        // Numbers this large have no decimals.
        guard scaled < 9e15 else { return "\(value)" }
        var rest = UInt64(scaled)
        // A sign, 16 digits and a point, written from the end.
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { text in
            var start = text.count
            func put(_ byte: UInt8) {
                start -= 1
                unsafe text[start] = byte
            }
            for index in 0... {
                if index == places, places > 0 { put(UInt8(ascii: ".")) }
                if index > places, rest == 0 { break }
                put(UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
            }
            if value < 0, scaled > 0 { put(UInt8(ascii: "-")) }
            return unsafe String(decoding: text[start...], as: UTF8.self)
        }
    }
}
