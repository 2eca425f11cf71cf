package import BusClient
import JSON

/// How events are written for a destination.
package enum EventFormat: Sendable {
    /// Version 1 of the fleet's JSON, for geofenced-ingest.
    case fleet
    /// CloudEvents of a box.
    case cloudEvents(BoxName)
    /// Transitions of OwnTracks, of a box.
    case ownTracks(BoxName)
    /// Entities of an OData service.
    case entity(EntityTable)

    /// Whether each says which numbers lie between it and the one before.
    package var namesHoles: Bool {
        switch self {
        case .fleet, .cloudEvents: true
        case .ownTracks, .entity: false
        }
    }

    /// An event; nil if it cannot be told in this format.
    /// - Parameter previous: the number up to which everything was sent, or was not for this
    ///   destination: what the reader lacks after it is a hole.
    package func body(
        of event: ForwardedEvent, previous: UInt64, _ filter: UplinkFilter
    ) -> [UInt8]? {
        var json = JSONWriter()
        switch self {
        case .fleet: EventBody.write(event, previous: previous, filter, to: &json)
        case .cloudEvents(let box):
            CloudEvent.write(
                .init(
                    box: box, log: event.log, seq: event.seq, kind: event.kind,
                    subject: event.fence, time: event.time), to: &json
            ) { EventBody.write(event, previous: previous, filter, to: &$0) }
        case .ownTracks(let box):
            guard OwnTracksTransition.write(event, box, to: &json) else { return nil }
        case .entity(let table): table.write(event, filter, to: &json)
        }
        return json.bytes
    }

    /// Events that the log has lost before they were sent, from the number after `previous` to
    /// `last`, whose number it bears; nil if that cannot be told in this format.
    package func gap(log: String, previous: UInt64, last: UInt64) -> [UInt8]? {
        span(log, last, "gap") {
            EventBody.writeGap(log: log, previous: previous, last: last, to: &$0)
        }
    }

    /// Events that are not for this destination, up to `last`: sent only after many of them, so that
    /// the log need not keep them.
    package func skip(log: String, previous: UInt64, last: UInt64) -> [UInt8]? {
        span(log, last, "skip") {
            EventBody.writeSkip(log: log, previous: previous, last: last, to: &$0)
        }
    }

    private func span(
        _ log: String, _ last: UInt64, _ kind: String, _ data: (inout JSONWriter) -> Void
    ) -> [UInt8]? {
        var json = JSONWriter()
        switch self {
        case .fleet: data(&json)
        case .cloudEvents(let box):
            CloudEvent.write(
                .init(box: box, log: log, seq: last, kind: kind, subject: nil, time: nil),
                to: &json, data: data)
        case .ownTracks, .entity: return nil
        }
        return json.bytes
    }
}
