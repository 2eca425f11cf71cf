import BusClient
import Bytes
import Geofence1
import Systemd
import Time

/// How a destination of geofenced-uplink is doing, in a line of `status`: what the daemon knows of it
/// as a consumer, and what its unit says.
struct UplinkLine {
    /// Of the destination.
    let name: String
    private let consumer: ToldConsumer

    private static let prefix = "org.geofenced.Uplink1."

    /// Nil for a consumer that is no destination.
    init?(_ consumer: ToldConsumer) {
        guard consumer.name.hasPrefix(Self.prefix) else { return nil }
        name = String(consumer.name.dropFirst(Self.prefix.count))
        self.consumer = consumer
    }

    /// `fleet: idle; nothing waits, acknowledged 4711, 2.1 s ago`
    /// - Parameter now: the wall clock.
    @MainActor func text(_ connection: BusConnection, now: UTCTime) -> String {
        var waiting = "nothing waits"
        if consumer.pending > 0 {
            waiting = "\(consumer.pending) waiting"
            if let oldest = consumer.oldestPending { waiting += " since \(oldest.iso8601)" }
        }
        var acknowledged = "acknowledged \(consumer.acknowledged)"
        if let last = consumer.lastAcknowledged {
            acknowledged += ", \((now - last).text) ago"
        }
        let state =
            unitStatus(connection)?.printable ?? end(connection)
            ?? "does not run, as far as is known"
        return "\(name): \(state); \(waiting), \(acknowledged)"
    }

    private var unit: String { "geofenced-uplink@\(name).service" }

    /// What has become of one that does not run: with `ExitIdleSec=` it rests, and the bus starts it for the
    /// next event.
    @MainActor private func end(_ connection: BusConnection) -> String? {
        guard let end = UnitStatus.end(of: unit, connection) else { return nil }
        let isStarted = connection.first(.bus, "ListActivatableNames")?.asStrings?
            .contains(consumer.name)
        return end == "stopped" && isStarted == true ? "rests until there is an event" : end
    }

    /// The state in the unit's `STATUS=`; nil where no unit runs, or another bus has it.
    @MainActor func unitStatus(_ connection: BusConnection) -> String? {
        guard let text = UnitStatus.text(of: unit, connection)
        else { return nil }
        // In the brackets at the end is what is under way; what waits is known from the daemon.
        guard let bracket = text.lastIndex(of: "(") else { return text }
        // And a space before them.
        return String(text[..<bracket].dropLast())
    }
}
