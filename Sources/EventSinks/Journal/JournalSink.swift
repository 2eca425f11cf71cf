package import Fencing
import Geodesy
import Glibc
package import Systemd

/// Announces events as journal entries, see geofenced(8) for the fields.
@MainActor
package final class JournalSink: EventSink {
    package let name = "journal"
    private let sender: JournalSender
    private let withLocation: Bool

    /// - Parameter withLocation: the entries say where the vehicle was; whoever may read the
    ///   journal then knows.
    package init(_ sender: JournalSender, withLocation: Bool) {
        self.sender = sender
        self.withLocation = withLocation
    }

    package func announce(_ event: LoggedEvent) -> Bool {
        switch sender.send(Self.entry(event, withLocation: withLocation)) {
        case .sent: true
        case .wouldBlock: false
        // Without a socket there is no journal on this system, and nobody to tell. journald that is
        // being restarted leaves its socket in place.
        case .unavailable(let code): code == ENOENT
        }
    }

    static func entry(_ logged: LoggedEvent, withLocation: Bool) -> JournalEntry {
        let event = logged.event
        var entry = JournalEntry(
            message(event), .notice, messageID: event.kind.messageID.rawValue)
        func append(_ name: String, _ value: String?) {
            if let value { entry.append(name, value) }
        }
        append("SYSLOG_IDENTIFIER", "geofenced")
        append("GEOFENCE_ID", event.fence)
        append("GEOFENCE_EVENT", event.kind.name)
        append("GEOFENCE_SEQ", String(logged.seq))
        if event.fence != nil { append("GEOFENCE_TITLE", event.title) }
        append("GEOFENCE_TIME", event.time.iso8601)
        append("GEOFENCE_FIX_TIME", event.fixTime.iso8601)
        append("GEOFENCE_REASON", event.reason?.name)
        append("GEOFENCE_INFERRED", event.inferred ? "1" : "0")
        append("GEOFENCE_DISTANCE_M", event.distance.map { decimal($0, places: 1) })
        append("GEOFENCE_ERROR_M", event.error.map { decimal($0, places: 1) })
        append("GEOFENCE_STAY_SEC", event.stay.map { decimal($0.seconds, places: 3) })
        if withLocation, let coordinate = event.coordinate {
            append("GEOFENCE_LATITUDE", decimal(coordinate.latitude, places: 7))
            append("GEOFENCE_LONGITUDE", decimal(coordinate.longitude, places: 7))
        }
        return entry
    }

    /// What a person reads: `Entered "Low bridge A3" (bridge-7)`.
    private static func message(_ event: Event) -> String {
        let id = event.fence ?? ""
        let fence = event.title.isEmpty ? "\"\(id)\"" : "\"\(event.title)\" (\(id))"
        let length = event.stay.map { " after \(duration($0))" } ?? ""
        return switch event.kind {
        case .enter: "Entered \(fence)"
        case .exit: "Left \(fence)\(length)"
        case .dwell: "Stayed in \(fence)"
        case .initial: "Found inside \(fence)"
        case .positionLost: "Position lost"
        case .positionRegained: "Position regained"
        }
    }

    /// As systemd writes spans: `2h 3min 4s`.
    private static func duration(_ span: TimeSpan) -> String {
        let seconds = max(0, span.nanoseconds) / 1_000_000_000
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"),
            (seconds % 60, "s"),
        ].filter { $0.0 > 0 }
        return parts.isEmpty ? "0s" : parts.map { "\($0.0)\($0.1)" }.joined(separator: " ")
    }

    /// Fixed decimals, in no locale.
    private static func decimal(_ value: Double, places: Int) -> String {
        let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
        let scaled = (value.magnitude * scale).rounded()
        // Beyond what is exact there are no decimals to be cut.
        guard scaled < 9e15 else { return "\(value)" }
        let digits = String(Int64(scaled))
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
    }
}
