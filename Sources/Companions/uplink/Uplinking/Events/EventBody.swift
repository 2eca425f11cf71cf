import BusClient
import JSON
import Time

/// An event as it leaves the vehicle: version 1 of the fleet's JSON. Readers ignore what they do not
/// know; `v` rises only if a meaning changes.
enum EventBody {
    /// - Parameter previous: the number up to which everything was sent, or was not for this
    ///   destination: what the reader lacks after it is a hole.
    static func write(
        _ event: ForwardedEvent, previous: UInt64, _ filter: UplinkFilter,
        to json: inout JSONWriter
    ) {
        json.beginObject()
        head(event.log, event.seq, previous, event.kind, to: &json)
        if let fence = event.fence {
            json.key("fence")
            json.string(fence)
            if !event.title.isEmpty {
                json.key("title")
                json.string(event.title)
            }
        }
        json.key("time")
        json.string(event.time.iso8601)
        json.key("fixTime")
        json.string(event.fixTime.iso8601)
        if let stay = event.stay {
            json.key("stay")
            json.number((stay.seconds * 1000).rounded() / 1000)
        }
        json.key("inferred")
        json.bool(event.inferred)
        for (key, value) in [
            ("reason", event.reason), ("presence", event.presence), ("boot", event.boot),
        ] {
            guard let value else { continue }
            json.key(key)
            json.string(value)
        }
        for (key, value) in [("distance", event.distance), ("error", event.error)] {
            guard let value else { continue }
            json.key(key)
            json.number(value, decimals: 1)
        }
        if filter.hasPosition, let position = event.position { write(position, to: &json) }
        if let approach = event.approach {
            json.key("approach")
            json.value(approach)
        }
        if let terms = event.terms {
            json.key("terms")
            json.value(terms)
        }
        let metadata = filter.metadata(of: event)
        if !metadata.isEmpty {
            json.key("meta")
            json.value(.object(metadata))
        }
        json.endObject()
    }

    /// Events that the log has lost before they were sent: from the number after `previous` to
    /// `last`, whose number it bears.
    static func writeGap(
        log: String, previous: UInt64, last: UInt64, to json: inout JSONWriter
    ) {
        json.beginObject()
        head(log, last, previous, "gap", to: &json)
        json.key("from")
        json.integer(previous + 1)
        json.key("to")
        json.integer(last)
        json.endObject()
    }

    /// Events that are not for this destination, up to `last`: sent only after many of them, so that
    /// the log need not keep them.
    static func writeSkip(
        log: String, previous: UInt64, last: UInt64, to json: inout JSONWriter
    ) {
        json.beginObject()
        head(log, last, previous, "skip", to: &json)
        json.endObject()
    }

    private static func head(
        _ log: String, _ seq: UInt64, _ previous: UInt64, _ kind: String, to json: inout JSONWriter
    ) {
        json.key("v")
        json.integer(1)
        json.key("log")
        json.string(log)
        json.key("seq")
        json.integer(seq)
        json.key("prev")
        json.integer(previous)
        json.key("kind")
        json.string(kind)
    }

    private static func write(_ position: ForwardedEvent.Position, to json: inout JSONWriter) {
        json.key("lat")
        json.number(position.latitude, decimals: 7)
        json.key("lon")
        json.number(position.longitude, decimals: 7)
        for (key, value) in [("speed", position.speed), ("course", position.course)] {
            guard let value else { continue }
            json.key(key)
            json.number(value, decimals: 1)
        }
    }
}
