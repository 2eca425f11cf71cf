import JSON
import Time

/// An event of CloudEvents 1.0 (JSON format). Its `source` and `id` together are unique by that
/// standard: the box with its log, and the number in it.
enum CloudEvent {
    /// Of one event that has its attributes in itself ("structured mode"), and of an array of such.
    static let mediaType = "application/cloudevents+json; charset=utf-8"
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
            ("subject", envelope.subject), ("datacontenttype", "application/json"),
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
}
