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

    private enum Format: String, CaseIterable {
        case fleet, cloudevents, owntracks
        case homeAssistant = "homeassistant"
    }

    /// Where the attributes of a CloudEvent are: in the payload, or beside it.
    private enum ContentMode: String, CaseIterable { case structured, binary }

    /// What is published beside events.
    enum Beside: Hashable, Sendable {
        /// A location of OwnTracks, there.
        case location(topic: String)
        case homeAssistant(HomeAssistant)
    }

    /// How the broker is reached; who we are is filled in by ``connection(_:)``.
    private var broker: MQTTSettings
    private var authentication: MQTTAuthentication
    /// Where events go.
    package var eventTopic: String
    /// What comes before `/status` and `/down`; nil: neither of them is used.
    package var boxTopic: String?
    /// Whether several events may be one publication, as an array.
    package var isBatched: Bool
    /// What a publication says that it is; nil: nothing.
    package var contentType: String?
    /// Whether events are published in the "binary mode" of CloudEvents.
    var hasAttributesBeside: Bool
    private var format: Format
    private let box: BoxName
    /// Where Home Assistant looks for configurations.
    private var prefix: String
    /// When an event counts as delivered.
    package var acknowledgement: Acknowledgement
    /// After the broker's goodbye the first try is within this, s.
    package var spread: Double
    /// How often it is told where the vehicle is, s; nil: only events tell it.
    package var positionPause: Double?

    /// The broker, with our credentials.
    /// - Throws: for a credential that is not there.
    package func connection(_ credentials: Credentials) throws(BadValue) -> MQTTSettings {
        var settings = broker
        try authentication.apply(to: &settings, credentials)
        return settings
    }

    /// What is published beside events; nil: nothing.
    /// - Parameter version: of this program.
    func beside(version: String) -> Beside? {
        switch format {
        case .fleet, .cloudevents: nil
        case .owntracks: .location(topic: "owntracks/\(box.tenant)/\(box.box)")
        case .homeAssistant: .homeAssistant(HomeAssistant(box, prefix: prefix, version: version))
        }
    }

    /// Where it is published whether the daemon is there; nil: nowhere.
    var availabilityTopic: String? {
        format == .homeAssistant ? HomeAssistant.availabilityTopic(box) : nil
    }

    /// Nil without an address, which is then a problem of the file.
    static func read(
        _ file: inout ProgramSettings, _ box: BoxName, _ filter: UplinkFilter
    ) -> (destination: BrokerDestination, format: EventFormat)? {
        let before = file.problems.count
        let address = file.value("Uplink", "URL", BrokerAddress.setting)
        if address == nil, file.problems.count == before {
            file.refuse("Uplink", "URL", "is missing")
        }
        let keepAlive = file.span("Uplink", "KeepAliveSec", 240, in: 5...3600)
        let spread = file.span("Uplink", "ReconnectSpreadSec", 60, in: 0...3600)
        let format = file.choice("Uplink", "Format", Format.fleet)
        // Nobody answers with acknowledgements but geofenced-ingest.
        let standard: Acknowledgement = format == .fleet ? .backend : .broker
        let acknowledgement = file.choice("Uplink", "Ack", standard)
        let authentication = MQTTAuthentication(from: &file, for: address.map { [$0] } ?? [])
        // Readers of other formats expect no arrays.
        let isBatched = file.flag("Uplink", "Batch", format == .fleet)
        if isBatched, format != .fleet {
            file.refuse("Uplink", "Batch", "yes: not with \(format.rawValue)")
        }
        let prefix = file.text("Uplink", "DiscoveryPrefix")
        if prefix != nil, format != .homeAssistant {
            file.refuse("Uplink", "DiscoveryPrefix", "only with homeassistant")
        }
        if let prefix, !isTopic(prefix) {
            file.refuse("Uplink", "DiscoveryPrefix", "\(prefix): no topic of plain levels")
        }
        if format != .fleet, acknowledgement == .backend {
            file.refuse("Uplink", "Ack", "backend: not there")
        }
        if format == .owntracks, !filter.hasPosition {
            file.refuse("Uplink", "Format", "owntracks: wants Position=yes")
        }
        let mode = file.choice("Uplink", "ContentMode", ContentMode.structured)
        if mode == .binary, format != .cloudevents {
            file.refuse("Uplink", "ContentMode", "binary: only with cloudevents")
        }
        let positionPause = file.span("Uplink", "PositionEverySec", 0, in: 0...3600)
        if positionPause > 0, positionPause < 1 || format != .fleet || !filter.hasPosition {
            file.refuse(
                "Uplink", "PositionEverySec",
                positionPause < 1 ? "less than 1 s" : "only with Format=fleet and Position=yes")
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
        if format == .homeAssistant {
            broker.will = .init(
                topic: HomeAssistant.availabilityTopic(box),
                payload: HomeAssistant.availability(false),
                delay: 60)
        }
        let (eventTopic, written, contentType): (String, EventFormat, String?) =
            switch format {
            case .fleet: ("\(topic)/event", .fleet, nil)
            case .cloudevents:
                (
                    "cloudevents/\(box.tenant)/\(box.box)/event", .cloudEvents(box),
                    mode == .binary ? CloudEvent.dataMediaType : CloudEvent.mediaType
                )
            case .owntracks: ("owntracks/\(box.tenant)/\(box.box)/event", .ownTracks(box), nil)
            case .homeAssistant: (HomeAssistant.eventTopic(box), .homeAssistant, nil)
            }
        let destination = BrokerDestination(
            broker: broker, authentication: authentication, eventTopic: eventTopic,
            boxTopic: format == .fleet ? topic : nil, isBatched: isBatched,
            contentType: contentType, hasAttributesBeside: mode == .binary, format: format,
            box: box, prefix: prefix ?? "homeassistant",
            acknowledgement: acknowledgement, spread: spread,
            positionPause: positionPause > 0 ? positionPause : nil)
        return (destination, written)
    }

    private static func isTopic(_ text: String) -> Bool {
        text.utf8.count <= 128
            && text.split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy(TopicLevel.isPlain)
    }
}
