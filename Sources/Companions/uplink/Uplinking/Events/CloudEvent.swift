import JSON
import Time

/// An event of CloudEvents 1.0 (JSON format). Its `source` and `id` together are unique by that
/// standard: the box with its log, and the number in it.
enum CloudEvent {
    /// Of one event that has its attributes in itself ("structured mode"), and of an array of such.
    static let mediaType = "application/cloudevents+json; charset=utf-8"
    /// Of the data of one event that has its attributes beside it ("binary mode").
    static let dataMediaType = "application/json"
    static let batchMediaType = "application/cloudevents-batch+json"

    /// What surrounds the data.
    struct Envelope {
        var box: BoxName
        var log: String
        var seq: UInt64
        /// `org.geofenced.KIND.v1`.
        var kind: String
        /// Id of the fence.
        var subject: String?
        var time: UTCTime?
    }

    static func write(
        _ envelope: Envelope, to json: inout JSONWriter, data: (inout JSONWriter) -> Void
    ) {
        json.beginObject()
        let source = "/\(envelope.box.tenant)/\(envelope.box.box)/\(envelope.log)"
        let members: [(String, String?)] = [
            ("specversion", "1.0"), ("type", "org.geofenced.\(envelope.kind).v1"),
            ("source", source), ("id", "\(envelope.seq)"), ("time", envelope.time?.iso8601),
            ("subject", envelope.subject), ("datacontenttype", dataMediaType),
        ]
        for (key, value) in members {
            guard let value else { continue }
            json.key(key)
            json.string(value)
        }
        json.key("data")
        data(&json)
        json.endObject()
    }

    /// The same in "binary mode" (MQTT Protocol Binding for CloudEvents 1.0, 3.1): the attributes beside
    /// the data. Together they are no longer than the event in itself.
    /// - Returns: nil for what is no such event.
    static func binary(
        _ event: [UInt8]
    ) -> (attributes: [(name: String, value: String)], data: [UInt8])? {
        guard let members = (try? JSONValue(parsing: event))?.object,
            let data = members.first(where: { $0.key == "data" })
        else { return nil }
        // The type of the data is that of the publication.
        let attributes = members.filter { $0.key != "data" && $0.key != "datacontenttype" }
        return (
            attributes.compactMap { member in member.value.string.map { (member.key, $0) } },
            Array(data.value.text.utf8)
        )
    }
}
