package import Geodesy
package import Time

/// Where the vehicle is, as far as one fence is concerned.
package enum Presence: UInt32, Sendable {
    case unknown = 0
    case outside = 1
    case inside = 2
}

/// The rule that proved an event.
package enum EventReason: UInt8, CaseIterable, Sendable {
    case certain
    case path
    case settled
    case initial
    case restart
    case jump
    case fenceChanged
    case fenceRemoved
    /// Of `clear`: no longer on any leg. Of `arriving-over`: it moves away.
    case turnedOff
    /// Of `clear`: the restricted section lies behind.
    case passed
    /// Of `clear` and of a stage: the vehicle was set to something else.
    case vehicleChanged
    /// Of `clear`: no position for too long.
    case positionLost
    /// Its beacon was heard.
    case sighted
    /// Its beacon is no longer heard.
    case silent
    /// A companion was coupled; for an exit, another of its group was.
    case coupled
    /// Presence was set by hand.
    case manual
    /// The hours of the fence have ended. The raw values leave a gap before this one.
    case schedule = 32
    /// The fence has expired.
    case expired = 33
    /// Of `arriving-over`: it was told long ago.
    case late = 34
}

/// One line of the event log, before it has a number.
package struct Event: Hashable, Sendable {
    /// What happened.
    package var kind: EventKind
    /// Nil for what is told of the daemon as a whole.
    package var fence: String?
    /// Title of the fence; empty where it has none.
    package var title: String
    /// When the boundary was crossed, receiver UTC.
    package var time: UTCTime
    /// The fix that proved it.
    package var fixTime: UTCTime
    /// Presence after the event; nil where there is no fence.
    package var presence: Presence?
    /// No fix lies between this crossing and the one before or after it.
    package var inferred: Bool
    /// What proved it; nil for a dwell, `positionLost` and `positionRegained`. Of `positionTrusted`
    /// `jump`, unless the vehicle is found where it was.
    package var reason: EventReason?
    /// The name of a reason that this version does not know, of a newer one; `reason-77` where only
    /// its number is known.
    package var newerReason: String?
    /// Signed distance at the proving fix, m; for `path` at the deepest point of the run.
    package var distance: Double?
    /// Error of the proving fix, m.
    package var error: Double?
    /// Speed at the proving fix, m/s.
    package var speed: Double?
    /// Course at the proving fix, degrees true.
    package var course: Double?
    /// Of the proving fix. Only for readers who may read the location.
    package var coordinate: Coordinate?
    /// How long the stay was, of `exit`, or the `trip`.
    package var stay: TimeSpan?
    /// What the odometer showed there, m; nil where no metres are counted.
    package var odometer: Double?
    /// How far the vehicle was driven: inside, of `exit`, or of a `trip` in all.
    @Boxed package var way: WayDetails?
    /// False: in the log, but not announced (the fence asked for silence).
    package var announced: Bool
    /// The fence's metadata, the text of a JSON object.
    package var metadata: String
    /// Of `advisory`, `urgent` and `clear`: which limit, how far, which way out.
    @Boxed package var approach: ApproachDetails?
    /// Of an enter or exit that the law proved: by which numbers.
    @Boxed package var evidence: Evidence?
    /// Of an enter or exit that sightings or silence proved: the beacon, and the numbers.
    @Boxed package var beacon: BeaconEvidence?
    /// The details about the terms of the fence.
    @Boxed package var terms: TermsDetails?
    /// Of `trip`: where it began and ended.
    @Boxed package var trip: TripDetails?
    /// ``RecordedDriver/number``; nil: nobody was set. Given where a record is committed: the law
    /// neither sets nor reads it.
    package var driver: Int64?

    package init(
        kind: EventKind, fence: String?, title: String = "", time: UTCTime,
        fixTime: UTCTime, presence: Presence?, inferred: Bool = false,
        reason: EventReason? = nil, distance: Double? = nil, error: Double? = nil,
        speed: Double? = nil, course: Double? = nil, coordinate: Coordinate? = nil,
        stay: TimeSpan? = nil, announced: Bool = true, metadata: String = "{}",
        approach: ApproachDetails? = nil, evidence: Evidence? = nil,
        beacon: BeaconEvidence? = nil
    ) {
        self.kind = kind
        self.fence = fence
        self.title = title
        self.time = time
        self.fixTime = fixTime
        self.presence = presence
        self.inferred = inferred
        self.reason = reason
        self.distance = distance
        self.error = error
        self.speed = speed
        self.course = course
        self.coordinate = coordinate
        self.stay = stay
        self.announced = announced
        self.metadata = metadata
        self.approach = approach
        self.evidence = evidence
        self.beacon = beacon
        odometer = nil
        way = nil
        terms = nil
        trip = nil
    }
}

extension Event {
    /// Of ``reason``, or of one that this version does not know; nil where there is none.
    package var reasonName: String? { reason?.name ?? newerReason }

    /// Sets the reason by its name.
    package mutating func setReason(_ name: String?) {
        reason = EventReason.allCases.first { $0.name == name }
        if reason == nil, let name, name.hasPrefix("reason-") {
            reason = UInt8(name.dropFirst(7)).flatMap(EventReason.init(rawValue:))
        }
        newerReason = reason == nil ? name : nil
    }

    /// Of ``reason``, or of one of which only the number is known.
    package var reasonNumber: UInt8? {
        if let reason { return reason.rawValue }
        guard let newerReason, newerReason.hasPrefix("reason-") else { return nil }
        return UInt8(newerReason.dropFirst(7))
    }

    /// Sets the reason by its number.
    package mutating func setReason(number: UInt8) {
        reason = EventReason(rawValue: number)
        newerReason = reason == nil ? "reason-\(number)" : nil
    }
}

extension EventReason {
    /// The name in JSON and in the journal.
    package var name: String {
        switch self {
        case .certain: "certain"
        case .path: "path"
        case .settled: "settled"
        case .initial: "initial"
        case .restart: "restart"
        case .jump: "jump"
        case .fenceChanged: "fence-changed"
        case .fenceRemoved: "fence-removed"
        case .turnedOff: "turned-off"
        case .passed: "passed"
        case .vehicleChanged: "vehicle-changed"
        case .positionLost: "position-lost"
        case .sighted: "sighted"
        case .silent: "silent"
        case .coupled: "coupled"
        case .manual: "manual"
        case .schedule: "schedule"
        case .expired: "expired"
        case .late: "late"
        }
    }
}

extension Presence {
    /// The name in JSON.
    package var name: String {
        switch self {
        case .unknown: "unknown"
        case .outside: "outside"
        case .inside: "inside"
        }
    }
}

/// An event as the log holds it.
package struct LoggedEvent: Hashable, Sendable {
    /// The order in which events became known: 1, 2, 3, … without a gap, never reused.
    package var seq: UInt64
    /// The event itself.
    package var event: Event
    /// The boot in which it was recorded, 32 hexadecimal digits; nil in replay.
    package var bootID: String?
    /// ``RecordedDriver/id`` of who drove; nil if nobody was set, and of one who was forgotten.
    package var driver: String?

    package init(seq: UInt64, event: Event, bootID: String?) {
        self.seq = seq
        self.event = event
        self.bootID = bootID
    }
}
