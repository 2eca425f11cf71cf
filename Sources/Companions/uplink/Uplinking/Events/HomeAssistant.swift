import Formats
import JSON
import Model
import Time

/// What Home Assistant finds by itself at its broker: a device tracker and an event entity of the box
/// (home-assistant.io/integrations/mqtt, "MQTT Discovery").
package struct HomeAssistant: Hashable, Sendable {
    private let box: BoxName
    /// Where its configurations are.
    private let prefix: String
    /// Of this program.
    private let version: String

    /// - Parameter prefix: a topic that Home Assistant looks at, `homeassistant` if nobody has changed it.
    package init(_ box: BoxName, prefix: String, version: String) {
        (self.box, self.prefix, self.version) = (box, prefix, version)
    }

    /// Where events of a box go.
    static func eventTopic(_ box: BoxName) -> String { "\(topic(box))/event" }

    /// Where it is said, retained, whether the daemon of a box is there.
    static func availabilityTopic(_ box: BoxName) -> String { "\(topic(box))/availability" }

    /// What is said there.
    static func availability(_ isThere: Bool) -> [UInt8] {
        Array((isThere ? "online" : "offline").utf8)
    }

    private static func topic(_ box: BoxName) -> String { "geofenced/\(box.tenant)/\(box.box)" }

    /// Scalars of a state, as Python counts them; Home Assistant takes no longer ones.
    private static let longestState = 255
    /// What is said of a vehicle in no place.
    private static let nowhere = "not_home"

    /// An event: its kind, and its JSON without what stays, as attributes.
    static func write(
        _ event: LoggedEvent, log: String, _ filter: UplinkFilter, to json: inout JSONWriter
    ) {
        json.beginObject()
        json.key("event_type")
        json.string(event.event.kind.name)
        json.key("log")
        json.string(log)
        for field in EventField.all {
            guard let value = filter.value(of: field, in: event) else { continue }
            json.key(field.name)
            EventJSON.write(value, to: &json)
        }
        json.endObject()
    }

    /// Of the two entities, retained.
    package var configurations: [BesideMessage] {
        let own = Self.topic(box)
        let id = "geofenced_\(box.tenant)_\(box.box)"
        let device: JSONValue = .object([
            JSONMember("identifiers", .array([.string(id)])),
            JSONMember("name", .string(box.box)),
            JSONMember("manufacturer", .string("geofenced")),
            JSONMember("model", .string(box.tenant)),
            JSONMember("sw_version", .string(version)),
        ])
        func message(_ component: String, _ members: [JSONMember]) -> BesideMessage {
            let all =
                [
                    JSONMember("unique_id", .string("\(id)_\(component)")),
                    JSONMember("device", device),
                    JSONMember("availability_topic", .string(Self.availabilityTopic(box))),
                ]
                + members
            return BesideMessage(
                topic: "\(prefix)/\(component)/\(id)/config",
                payload: Array(JSONValue.object(all).text.utf8))
        }
        return [
            message(
                "device_tracker",
                [
                    JSONMember("name", .null), JSONMember("state_topic", .string("\(own)/place")),
                    JSONMember("json_attributes_topic", .string("\(own)/attributes")),
                    JSONMember("source_type", .string("gps")),
                    // A place may be called what stands for none.
                    JSONMember("payload_reset", .string("")),
                ]),
            message(
                "event",
                [
                    JSONMember("name", .string("Event")),
                    JSONMember("state_topic", .string("\(own)/event")),
                    JSONMember(
                        "event_types", .array(EventKind.allCases.map { .string($0.name) })),
                ]),
        ]
    }

    /// Where the vehicle is, retained: the place that it is in since last, all of them, and the position
    /// of the event where that may leave.
    /// - Parameters:
    ///   - event: as ``write(_:log:_:to:)`` has written it; nil: there is none, and no position.
    ///   - places: nil: not known, and what was said of them stays.
    package func state(_ event: [UInt8]?, in places: [Place]?) -> [BesideMessage] {
        guard let places else { return [] }
        let own = Self.topic(box)
        let latest = places.max { ($0.since?.nanoseconds ?? 0) < ($1.since?.nanoseconds ?? 0) }
        let title = latest?.title.unicodeScalars
        let state = title.map { String($0.prefix(Self.longestState)) } ?? Self.nowhere
        var messages = [BesideMessage(topic: "\(own)/place", payload: Array(state.utf8))]
        let json = event.flatMap { try? JSONValue(parsing: $0) }
        // Without an event the attributes of the last one stay.
        guard let json else { return messages }
        var attributes: [JSONMember] = []
        // An error without a position is of no use there.
        let names = json["latitude"]?.double == nil ? [] : ["latitude", "longitude", "error_m"]
        for key in names + ["time"] {
            guard let value = json[key], value != .null else { continue }
            attributes.append(JSONMember(key == "error_m" ? "gps_accuracy" : key, value))
        }
        attributes.append(JSONMember("places", .array(places.map { .string($0.title) })))
        messages.append(
            BesideMessage(
                topic: "\(own)/attributes", payload: Array(JSONValue.object(attributes).text.utf8)))
        return messages
    }
}
