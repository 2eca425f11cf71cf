import Formats
import JSON
import Model

/// An event as it leaves the vehicle: version 2 of the fleet's JSON, which is the event's own JSON
/// without what stays, in an envelope. Readers ignore what they do not know; `v` rises only if a
/// meaning changes.
enum EventBody {
    /// `{"v":2,"log":…,"prev":…,"event":{"seq":…,"kind":…}}`.
    /// - Parameters:
    ///   - log: the log that its number is of.
    ///   - previous: the number up to which everything was sent, or was not for this destination:
    ///     what the reader lacks after it is a hole.
    static func write(
        _ event: LoggedEvent, log: String, previous: UInt64, _ filter: UplinkFilter,
        to json: inout JSONWriter
    ) {
        head(log, previous, to: &json)
        json.key("event")
        json.beginObject()
        for field in EventField.all {
            guard let value = filter.value(of: field, in: event) else { continue }
            json.key(field.name)
            EventJSON.write(value, to: &json)
        }
        json.endObject()
        json.endObject()
    }

    /// Numbers that no event is sent for: `{"v":2,"log":…,"prev":…,"gap":…}`.
    static func write(
        _ span: EventFormat.Span, to last: UInt64, log: String, previous: UInt64,
        to json: inout JSONWriter
    ) {
        head(log, previous, to: &json)
        json.key(span.rawValue)
        json.integer(last)
        json.endObject()
    }

    private static func head(_ log: String, _ previous: UInt64, to json: inout JSONWriter) {
        json.beginObject()
        json.key("v")
        json.integer(2)
        json.key("log")
        json.string(log)
        json.key("prev")
        json.integer(previous)
    }
}
