import Engine
import Formats
import Geodesy
import Geofence1
package import JSON
package import Systemd
package import Time

/// An event for programs that pass it on, without the types of the engine: names as in its JSON.
package struct ForwardedEvent {
    /// Its number in the log.
    package var seq: UInt64
    /// Which log the number is of, 32 hexadecimal digits; empty from a daemon without `log-id`.
    package var log: String
    /// `enter`, `exit` and so on.
    package var kind: String
    /// Id of the fence; nil for what is told of the daemon as a whole, `position-lost` for example.
    package var fence: String?
    /// Empty if it has none.
    package var title = ""
    /// When the boundary was crossed, UTC of the receiver.
    package var time: ReceiverTime
    /// Of the fix that proved it.
    package var fixTime: ReceiverTime
    /// Of an exit, where it is known.
    package var stay: TimeSpan?
    /// No fix bears witness of the state between this crossing and its neighbour.
    package var inferred = false
    /// The name of the rule.
    package var reason: String?
    /// The name of the presence after it.
    package var presence: String?
    /// m, signed, at the proving fix.
    package var distance: Double?
    /// m, of the proving fix.
    package var error: Double?
    /// The boot in which it was told.
    package var boot: String?
    /// Where and how fast the vehicle was; nil if the caller may not read that.
    package var position: Position?
    /// The other properties of the fence, an object.
    package var metadata = JSONValue.object([])
    /// False for one that is only for the log.
    package var isAnnounced = true
    /// Of an alert: the limit, the vehicle, how far, the way out; an object.
    package var approach: JSONValue?
    /// The members about the terms of the fence, an object: stopped, speedLimit, speedUnit,
    /// maxSpeed (km/h), length (s), each for the kinds that have it.
    package var terms: JSONValue?

    /// WGS 84 degrees; m/s; degrees true.
    package struct Position: Hashable, Sendable {
        /// Degrees.
        package var latitude: Double
        /// Degrees.
        package var longitude: Double
        /// m/s; nil if the receiver reports none.
        package var speed: Double?
        /// Degrees true; nil if the receiver reports none.
        package var course: Double?

        package init(latitude: Double, longitude: Double, speed: Double?, course: Double?) {
            self.latitude = latitude
            self.longitude = longitude
            self.speed = speed
            self.course = course
        }
    }

    package init(seq: UInt64, log: String, kind: String, fence: String?, time: ReceiverTime) {
        self.seq = seq
        self.log = log
        self.kind = kind
        self.fence = fence
        self.time = time
        fixTime = time
    }

    /// One element of the answer of `ReadEvents`; nil for one that this version does not know.
    package init?(bus value: BusValue) {
        guard let members = value.asStructure, let logged = LoggedEvent(bus: members) else {
            return nil
        }
        let event = logged.event
        let details = members[3].asDictionary ?? [:]
        self.init(
            seq: logged.seq, log: details["log"]?.asString ?? "", kind: event.kind.name,
            fence: event.fence, time: event.time)
        title = event.title
        fixTime = event.fixTime
        stay = event.stay
        inferred = event.inferred
        reason = event.reasonName
        presence = event.presence?.name
        distance = event.distance
        error = event.error
        boot = logged.bootID
        isAnnounced = event.announced
        metadata = details["metadata"].flatMap(JSONValue.init) ?? .object([])
        approach = details["approach"].flatMap(JSONValue.init)
        terms = event.terms?.forwarded
        if let coordinate = event.coordinate {
            position = Position(
                latitude: coordinate.latitude, longitude: coordinate.longitude,
                speed: event.speed, course: event.course)
        }
    }

    /// The names of all kinds, for checking what a filter names.
    package static var kinds: [String] { EventKind.allCases.map(\.name) }
}

/// A page of the event log, for programs that pass it on.
package struct ForwardedPage {
    /// In ascending order.
    package var events: [ForwardedEvent]
    /// The next page begins after this number. Events of kinds unknown to this version lie between.
    package var next: UInt64
    /// Events between the requested number and these have been deleted from the log.
    package var hasGap: Bool
}

extension DaemonClient {
    /// Reads a page after `seq` without waiting; `reply` is called from the loop.
    package func beginEvents(
        after seq: UInt64, limit: UInt32,
        reply: @escaping @MainActor (Result<ForwardedPage, ClientError>) -> Void
    ) throws(ClientError) {
        try begin("ReadEvents", [.uint64(seq), .uint32(limit)]) { answer in
            reply(
                answer.map { values in
                    ForwardedPage(
                        events: (values.first?.asArray ?? []).compactMap(ForwardedEvent.init(bus:)),
                        next: values.dropFirst().first?.asUInt64 ?? seq,
                        hasGap: values.last?.asBool ?? false)
                })
        }
    }

    /// The position of a durable consumer, without waiting; nil if it is not registered.
    package func beginPosition(
        of name: String, reply: @escaping @MainActor (Result<UInt64?, ClientError>) -> Void
    ) throws(ClientError) {
        try begin("ListConsumers", []) { answer in
            reply(
                answer.map { values in
                    (values.first?.asArray ?? []).compactMap(KnownConsumer.init(bus:))
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
