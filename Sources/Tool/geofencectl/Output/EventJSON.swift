package import Engine
import Geodesy
package import JSON
import Time

/// An event as one JSON object: the one form in which the tool prints events, whether they come
/// from the daemon's log or from a replay.
package enum EventJSON {
    /// Appends the object, without an end of line.
    package static func write(_ logged: LoggedEvent, to json: inout JSONWriter) {
        let event = logged.event
        json.beginObject()
        json.key("seq")
        json.integer(logged.seq)
        json.key("kind")
        json.string(event.kind.name)
        json.key("fence")
        json.optional(event.fence)
        json.key("title")
        json.string(event.title)
        json.key("time")
        json.string(event.time.iso8601)
        json.key("fix_time")
        json.string(event.fixTime.iso8601)
        json.key("presence")
        json.optional(event.presence?.name)
        json.key("inferred")
        json.bool(event.inferred)
        json.key("reason")
        json.optional(event.reason?.name)
        json.key("distance_m")
        json.optional(event.distance, decimals: 1)
        json.key("error_m")
        json.optional(event.error, decimals: 1)
        json.key("speed_mps")
        json.optional(event.speed, decimals: 1)
        json.key("course_deg")
        json.optional(event.course, decimals: 1)
        json.key("stay_s")
        if let stay = event.stay { json.number(stay.roundedSeconds) } else { json.null() }
        json.key("boot_id")
        json.optional(logged.bootID)
        if let position = event.coordinate {
            json.key("latitude")
            json.number(position.latitude, decimals: 7)
            json.key("longitude")
            json.number(position.longitude, decimals: 7)
        }
        if !event.announced {
            json.key("announced")
            json.bool(false)
        }
        json.key("metadata")
        json.raw(event.metadata.isEmpty ? "{}" : event.metadata)
        json.endObject()
    }

    /// The object as a line, with its end.
    package static func line(_ logged: LoggedEvent) -> [UInt8] {
        var json = JSONWriter()
        write(logged, to: &json)
        json.endLine()
        return json.bytes
    }
}

extension JSONWriter {
    /// The text, or `null`.
    mutating func optional(_ text: String?) {
        if let text { string(text) } else { null() }
    }

    /// The number with that many decimals, or `null`.
    mutating func optional(_ value: Double?, decimals: Int) {
        if let value { number(value, decimals: decimals) } else { null() }
    }
}

extension TimeSpan {
    /// To the millisecond.
    var roundedSeconds: Double { (seconds * 1000).rounded() / 1000 }
}
