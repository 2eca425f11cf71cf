package import MQTT
package import Settings
import SharedLimits

/// An MQTT broker as a destination.
package struct BrokerDestination: Sendable {
    /// When an event counts as delivered.
    package enum Acknowledgement: String, CaseIterable, Sendable {
        /// The ingest has said that its database has it.
        case backend
        /// The broker has taken it, and somebody was there to get it.
        case broker
    }

    private enum Format: String, CaseIterable { case fleet, owntracks }

    /// How the broker is reached; who we are is filled in by ``connection(_:)``.
    private var broker: MQTTSettings
    private var authentication: MQTTAuthentication
    /// Where events go.
    package var eventTopic: String
    /// What comes before `/status` and `/down`; nil: neither of them is used.
    package var boxTopic: String?
    /// When an event counts as delivered.
    package var acknowledgement: Acknowledgement
    /// After the broker's goodbye the first try is within this, s.
    package var spread: Double

    /// The broker, with our credentials.
    /// - Throws: for a credential that is not there.
    package func connection(_ credentials: Credentials) throws(BadValue) -> MQTTSettings {
        var settings = broker
        try authentication.apply(to: &settings, credentials)
        return settings
    }

    /// Nil without an address, which is then a problem of the file.
    static func read(
        _ file: inout ProgramSettings, _ box: BoxName, _ filter: UplinkFilter
    ) -> (destination: BrokerDestination, format: EventFormat)? {
        let url = file.text("Uplink", "URL") ?? ""
        let address = BrokerAddress(url)
        if address == nil {
            file.refuse("Uplink", "URL", "\(url): not mqtt://HOST[:PORT] or mqtts://HOST[:PORT]")
        }
        let keepAlive = file.span("Uplink", "KeepAliveSec", 240, in: 5...3600)
        let spread = file.span("Uplink", "ReconnectSpreadSec", 60, in: 0...3600)
        let format = file.choice("Uplink", "Format", Format.fleet)
        // Nobody answers with acknowledgements but geofenced-ingest.
        let standard: Acknowledgement = format == .fleet ? .backend : .broker
        let acknowledgement = file.choice("Uplink", "Ack", standard)
        let authentication = MQTTAuthentication(from: &file, for: address.map { [$0] } ?? [])
        if format == .owntracks {
            if acknowledgement == .backend { file.refuse("Uplink", "Ack", "backend: not there") }
            if !filter.hasPosition {
                file.refuse("Uplink", "Format", "owntracks: wants Position=yes")
            }
        }
        guard let address else { return nil }
        var broker = MQTTSettings(address, clientID: box.box)
        broker.keepAlive = Int(keepAlive)
        // Acknowledgements, which are much shorter.
        broker.packetLimit = UInt32(SharedLimits.packetToBox)
        let topic = "gf/1/\(box.tenant)/\(box.box)"
        if format == .fleet {
            broker.will = .init(
                topic: "\(topic)/status", payload: Array(#"{"v":1,"online":false}"#.utf8),
                delay: 60)
        }
        let destination = BrokerDestination(
            broker: broker, authentication: authentication,
            eventTopic: format == .fleet
                ? "\(topic)/event" : "owntracks/\(box.tenant)/\(box.box)/event",
            boxTopic: format == .fleet ? topic : nil, acknowledgement: acknowledgement,
            spread: spread)
        return (destination, format == .fleet ? .fleet : .ownTracks(box))
    }
}
