import JSON
package import Model

/// How events are written for a destination.
package enum EventFormat: Sendable {
    /// The fleet's JSON, for geofenced-ingest.
    case fleet
    /// CloudEvents of a box.
    case cloudEvents(BoxName)
    /// Transitions of OwnTracks, of a box.
    case ownTracks(BoxName)
    /// Entities of an OData service.
    case entity(EntityTable)
    /// Events of Home Assistant.
    case homeAssistant
    /// Queries of an address, of a box.
    case query(QueryTemplate, BoxName)

    /// Whether each says which numbers lie between it and the one before.
    package var namesHoles: Bool {
        switch self {
        case .fleet, .cloudEvents: true
        case .ownTracks, .entity, .homeAssistant, .query: false
        }
    }

    /// Why no event is sent for some numbers: the name of the member that says so.
    package enum Span: String, Sendable {
        /// The log has lost them before they were sent.
        case gap
        /// They are not for this destination: said only after many of them, so that the log need
        /// not keep them.
        case skip
    }

    /// An event; nil if it cannot be told in this format.
    /// - Parameters:
    ///   - log: the log that its number is of.
    ///   - previous: the number up to which everything was sent, or was not for this destination:
    ///     what the reader lacks after it is a hole.
    package func body(
        of event: LoggedEvent, log: String, previous: UInt64, _ filter: UplinkFilter
    ) -> [UInt8]? {
        var json = JSONWriter()
        switch self {
        case .fleet:
            EventBody.write(event, log: log, previous: previous, filter, to: &json)
        case .cloudEvents(let box):
            let envelope = CloudEvent.Envelope(
                box: box, log: log, seq: event.seq, kind: event.event.kind.name,
                subject: event.event.fence, time: event.event.time)
            CloudEvent.write(envelope, to: &json) {
                EventBody.write(event, log: log, previous: previous, filter, to: &$0)
            }
        case .ownTracks(let box):
            guard OwnTracksTransition.write(event.event, box, to: &json) else { return nil }
        case .entity(let table): table.write(event, log: log, filter, to: &json)
        case .homeAssistant: HomeAssistant.write(event, log: log, filter, to: &json)
        case .query(let template, let box):
            return template.query(of: event, log: log, box, filter).map { Array($0.utf8) }
        }
        return json.bytes
    }

    /// Numbers from the one after `previous` to `last` for which no event is sent; nil if that cannot
    /// be told in this format.
    package func body(
        of span: Span, to last: UInt64, log: String, previous: UInt64
    ) -> [UInt8]? {
        var json = JSONWriter()
        switch self {
        case .fleet: EventBody.write(span, to: last, log: log, previous: previous, to: &json)
        case .cloudEvents(let box):
            let envelope = CloudEvent.Envelope(
                box: box, log: log, seq: last, kind: span.rawValue, subject: nil, time: nil)
            CloudEvent.write(envelope, to: &json) {
                EventBody.write(span, to: last, log: log, previous: previous, to: &$0)
            }
        case .ownTracks, .entity, .homeAssistant, .query: return nil
        }
        return json.bytes
    }
}
