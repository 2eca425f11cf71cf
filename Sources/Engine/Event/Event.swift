package import Geodesy
package import Time

/// Where the vehicle is, as far as one fence is concerned.
package enum Presence: UInt32, Sendable {
    case unknown = 0
    case outside = 1
    case inside = 2
}

/// What the daemon announces. The raw values are those of the D-Bus interface.
package enum EventKind: UInt32, CaseIterable, Sendable {
    case enter = 1
    case exit = 2
    case dwell = 3
    /// Found inside, no crossing seen.
    case initial = 4
    case positionLost = 5
    case positionRegained = 6
    /// The vehicle is coming to a hazard that it does not fit.
    case advisory = 7
    /// It is past the last way out, or about to be there.
    case urgent = 8
    /// The end of an advisory or urgent.
    case clear = 9
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
    /// Of `clear`: no longer on any leg.
    case turnedOff
    /// Of `clear`: the restricted section lies behind.
    case passed
    /// Of `clear` and of a stage: the vehicle was set to something else.
    case vehicleChanged
    /// Of `clear`: no position for too long.
    case positionLost
}

/// One line of the event log, before it has a number.
package struct Event: Hashable, Sendable {
    /// What happened.
    package var kind: EventKind
    /// Nil for `positionLost` and `positionRegained`.
    package var fence: String?
    /// Title of the fence; empty where it has none.
    package var title: String
    /// When the boundary was crossed, receiver UTC.
    package var time: ReceiverTime
    /// The fix that proved it.
    package var fixTime: ReceiverTime
    /// Presence after the event; nil where there is no fence.
    package var presence: Presence?
    /// No fix lies between this crossing and the one before or after it.
    package var inferred: Bool
    /// What proved it; nil for a dwell, `positionLost` and `positionRegained`.
    package var reason: EventReason?
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
    /// Length of the stay; of `exit` only.
    package var stay: TimeSpan?
    /// False: in the log, but not announced (the fence asked for silence).
    package var announced: Bool
    /// The fence's metadata, the text of a JSON object.
    package var metadata: String
    /// Of `advisory`, `urgent` and `clear`: which limit, how far, which way out.
    @Boxed package var approach: ApproachDetails?
    /// Of an enter or exit that the law proved: by which numbers.
    @Boxed package var evidence: Evidence?

    package init(
        kind: EventKind, fence: String?, title: String = "", time: ReceiverTime,
        fixTime: ReceiverTime, presence: Presence?, inferred: Bool = false,
        reason: EventReason? = nil, distance: Double? = nil, error: Double? = nil,
        speed: Double? = nil, course: Double? = nil, coordinate: Coordinate? = nil,
        stay: TimeSpan? = nil, announced: Bool = true, metadata: String = "{}",
        approach: ApproachDetails? = nil, evidence: Evidence? = nil
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
    }
}

extension EventKind {
    /// The name in JSON and in the journal.
    package var name: String {
        switch self {
        case .enter: "enter"
        case .exit: "exit"
        case .dwell: "dwell"
        case .initial: "initial"
        case .positionLost: "position-lost"
        case .positionRegained: "position-regained"
        case .advisory: "advisory"
        case .urgent: "urgent"
        case .clear: "clear"
        }
    }
}

extension ApproachStage {
    /// The kind of the event that says so.
    package var kind: EventKind {
        switch self {
        case .advisory: .advisory
        case .urgent: .urgent
        }
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

    package init(seq: UInt64, event: Event, bootID: String?) {
        self.seq = seq
        self.event = event
        self.bootID = bootID
    }
}
