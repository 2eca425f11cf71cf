import Formats
import Geodesy
import Geofence1
import JSON
package import Model
package import Systemd
import Time

extension LoggedEvent {
    /// Decodes one element of the answer of `ReadEvents`, or the arguments of `Transition`, which
    /// were encoded by ``EventMessage``. Nil if they are not an event.
    package init?(bus members: [BusValue]) {
        guard members.count == 4, let seq = members[0].asUInt64,
            let fence = members[1].asString,
            let kind = members[2].asUInt32.map(EventKind.init(rawValue:)),
            let details = members[3].asDictionary,
            let time = details["time"]?.asUInt64
        else { return nil }
        self.init(
            seq: seq,
            event: Event(
                kind: kind, fence: fence.isEmpty ? nil : fence,
                time: UTCTime(microseconds: time),
                fixTime: UTCTime(microseconds: time), presence: nil),
            bootID: nil)
        for field in EventField.all {
            guard let name = field.bus, let told = details[name],
                let value = EventValue(told, field.form)
            else { continue }
            field.set(value, in: &self)
        }
        if let latitude = details["latitude"]?.asDouble,
            let longitude = details["longitude"]?.asDouble
        {
            event.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        }
    }
}

extension EventValue {
    /// Nil where it is of another form.
    fileprivate init?(_ bus: BusValue, _ form: EventField.Form) {
        let value: EventValue? =
            switch form {
            case .text: bus.asString.map { .text($0) }
            case .flag: bus.asBool.map { .flag($0) }
            case .integer: bus.asUInt64.map { .integer($0) }
            case .real: bus.asDouble.map { .real($0, decimals: 0) }
            case .time: bus.asUInt64.map { .time(UTCTime(microseconds: $0)) }
            case .span: bus.asUInt64.map { .span(TimeSpan(microseconds: $0)) }
            case .presence:
                bus.asUInt32.flatMap(Presence.init(rawValue:)).map { .presence($0) }
            case .object: JSONValue(bus).map { .object($0) }
            }
        guard let value else { return nil }
        self = value
    }
}

extension TimeSpan {
    fileprivate init(microseconds: UInt64) {
        self = UTCTime(microseconds: microseconds) - UTCTime(nanoseconds: 0)
    }
}

/// A page of the event log.
package struct EventLogPage {
    /// In ascending order.
    package var events: [LoggedEvent]
    /// The next page begins after this number.
    package var next: UInt64
    /// Events between the requested number and these have been deleted from the log.
    package var hasGap: Bool
    /// Which log the numbers are of, 32 hexadecimal digits; nil without an event, and from a daemon
    /// without `log-id`.
    package var log: String?

    /// From the answer of `ReadEvents` to a question for those after `seq`.
    package init(bus answer: [BusValue], after seq: UInt64) {
        let structures = (answer.first?.asArray ?? []).compactMap(\.asStructure)
        events = structures.compactMap(LoggedEvent.init(bus:))
        log = structures.last.flatMap(Self.log)
        next = answer.dropFirst().first?.asUInt64 ?? seq
        hasGap = answer.last?.asBool ?? false
    }

    /// The part of the answer that is of one log: where a backup was restored elsewhere, the next one
    /// begins behind it.
    fileprivate init(ofOneLog answer: [BusValue], after seq: UInt64) {
        self.init(bus: answer, after: seq)
        let structures = (answer.first?.asArray ?? []).compactMap(\.asStructure)
        guard let first = structures.first.flatMap(Self.log), first != log else { return }
        let others = structures.drop { Self.log($0) == first }
        guard let end = others.first?.first?.asUInt64, end > 0 else { return }
        events.removeAll { $0.seq >= end }
        (next, log) = (end - 1, first)
    }

    private static func log(_ event: [BusValue]) -> String? {
        event.last?.asDictionary?["log"]?.asString
    }
}

extension DaemonClient {
    /// A page of events after `seq`; with a `limit` of 0 as many as the daemon returns at once.
    /// - Parameter fences: ids; the page need have no events of others, but may: of a daemon without
    ///   `FindEvents`, and where they are too many for one call. None: all events.
    package func events(
        after seq: UInt64, limit: UInt32 = 0, of fences: [String] = []
    ) throws(ClientError) -> EventLogPage {
        if (1...Geofence1.mostFencesOfEvents).contains(fences.count) {
            do throws(ClientError) {
                let answer = try call(
                    .findEvents,
                    [.dictionary([("ids", .strings(fences))]), .uint64(seq), .uint32(limit)],
                    interactive: asksUser)
                return EventLogPage(bus: answer, after: seq)
            } catch {
                guard error.isUnknownMethod else { throw error }
            }
        }
        let answer = try call(
            .readEvents, [.uint64(seq), .uint32(limit)], interactive: asksUser)
        return EventLogPage(bus: answer, after: seq)
    }

    /// Reads a page after `seq` without waiting, of events of one log; `reply` is called from the loop.
    package func beginEvents(
        after seq: UInt64, limit: UInt32,
        reply: @escaping @MainActor (Result<EventLogPage, ClientError>) -> Void
    ) throws(ClientError) {
        try begin(.readEvents, [.uint64(seq), .uint32(limit)]) { answer in
            reply(answer.map { EventLogPage(ofOneLog: $0, after: seq) })
        }
    }

    /// The position of a durable consumer, without waiting; nil if it is not registered.
    package func beginPosition(
        of name: String, reply: @escaping @MainActor (Result<UInt64?, ClientError>) -> Void
    ) throws(ClientError) {
        try begin(.listConsumers, []) { answer in
            reply(
                answer.map { values in
                    (values.first?.asArray ?? []).compactMap(ToldConsumer.init(bus:))
                        .first { $0.name == name }?.acknowledged
                })
        }
    }

    /// Calls `body` for each event that is broadcast, as a hint that there is something to read.
    /// - Returns: the subscription, which ends when it is released.
    package func onTransition(
        _ body: @escaping @MainActor () -> Void
    ) throws(SystemError) -> BusSlot {
        var match = BusMatch(sender: Geofence1.name, path: Geofence1.path)
        match.interface = Geofence1.managerInterface
        match.member = "Transition"
        return try connection.subscribe(match) { _ in body() }
    }
}
