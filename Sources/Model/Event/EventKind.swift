/// What has happened, as a number: that of the D-Bus interface and of the log. Numbers are open: one
/// that this version does not know, from a log that a newer one has written, is passed on as it is.
package struct EventKind: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

extension EventKind {
    /// A stay begins at a crossing.
    package static let enter = EventKind(rawValue: 1)
    /// A stay ends.
    package static let exit = EventKind(rawValue: 2)
    /// A stay has lasted for the `dwell` of the fence.
    package static let dwell = EventKind(rawValue: 3)
    /// Found inside, no crossing seen.
    package static let initial = EventKind(rawValue: 4)
    /// No fix was accepted for too long.
    package static let positionLost = EventKind(rawValue: 5)
    /// A fix is accepted again.
    package static let positionRegained = EventKind(rawValue: 6)
    /// The vehicle is coming to a hazard that it does not fit.
    package static let advisory = EventKind(rawValue: 7)
    /// It is past the last way out, or about to be there.
    package static let urgent = EventKind(rawValue: 8)
    /// The end of an advisory or urgent.
    package static let clear = EventKind(rawValue: 9)
    /// The radio that receives beacons has not listened for too long.
    package static let beaconsLost = EventKind(rawValue: 10)
    /// It listens again.
    package static let beaconsRegained = EventKind(rawValue: 11)
    /// Inside, above the speed limit of the fence.
    package static let overspeed = EventKind(rawValue: 12)
    /// No longer above it.
    package static let overspeedEnd = EventKind(rawValue: 13)
    /// Left without the stop that the fence requires.
    package static let noStop = EventKind(rawValue: 14)
    /// Inside for longer than the fence allows.
    package static let overstay = EventKind(rawValue: 15)
    /// The parked vehicle moves, and its ignition is off.
    package static let towed = EventKind(rawValue: 16)
    /// A vehicle that has no reason to move is said to be where it cannot have come to.
    package static let positionDoubtful = EventKind(rawValue: 17)
    /// The position is believed again.
    package static let positionTrusted = EventKind(rawValue: 18)
    /// Fences that were accepted are not here: nobody watches them.
    package static let fencesLost = EventKind(rawValue: 19)
    /// They are here again, or nobody misses them any more.
    package static let fencesBack = EventKind(rawValue: 20)
    /// On its way to the fence, and soon there.
    package static let arriving = EventKind(rawValue: 21)
    /// No longer on its way there.
    package static let arrivingOver = EventKind(rawValue: 22)
    /// A trip is over.
    package static let trip = EventKind(rawValue: 23)
    /// Where the vehicle is in a trip, recorded now and then.
    package static let position = EventKind(rawValue: 24)
    /// The event log has lost its end, or all of it.
    package static let logLost = EventKind(rawValue: 25)
}

extension EventKind: CustomStringConvertible {
    package var description: String { name }
}

extension EventKind: CaseIterable {
    /// The kinds that this version knows, by their numbers.
    package static var allCases: [EventKind] { rows.map(\.kind) }

    /// This version knows what it means.
    package var isKnown: Bool { row != nil }

    /// The name in JSON, on the bus and in the journal; `kind-77` for one that is not known.
    package var name: String { row?.name ?? "kind-\(rawValue)" }

    /// From its ``name``; nil for one that is no name of a kind.
    package init?(name: String) {
        if let row = Self.rows.first(where: { $0.name == name }) {
            self = row.kind
        } else {
            guard name.hasPrefix("kind-"), let number = UInt32(name.dropFirst(5)), number > 0
            else { return nil }
            self.init(rawValue: number)
            guard self.name == name else { return nil }
        }
    }

    /// The place among the events of one instant; nil where there is no fence.
    package var order: Order? { row?.order }

    /// The presence after it; nil where it says nothing about one.
    package var presence: Presence? { row?.presence }

    /// Whether a fence with these two flags wants it announced.
    package func isAnnounced(onEntry: Bool, onExit: Bool) -> Bool {
        switch row?.silencedBy {
        case .entry?: onEntry
        case .exit?: onExit
        case nil: true
        }
    }

    /// Where an event stands among those of one instant, see section 3 of the law.
    package enum Order: Hashable, Sendable {
        /// Of a stay: the place within it.
        case stay(phase: Int)
        /// What was said of an approach is over.
        case clear
        /// A stage of an approach.
        case stage
        /// What was told of an arrival is over.
        case arrivalOver
        /// An arrival is told.
        case arrival
    }

    /// Which flag of a fence keeps it out of announcements.
    private enum Flag { case entry, exit }

    /// What the law says of a kind; how it is told is in `Formats`.
    private struct Row: Sendable {
        let kind: EventKind
        let name: String
        let order: Order?
        let presence: Presence?
        let silencedBy: Flag?

        init(
            _ kind: EventKind, _ name: String, _ order: Order? = nil, _ presence: Presence? = nil,
            silencedBy: Flag? = nil
        ) {
            self.kind = kind
            self.name = name
            self.order = order
            self.presence = presence
            self.silencedBy = silencedBy
        }
    }

    /// In the order of their numbers, from 1.
    private static let rows: [Row] = [
        Row(.enter, "enter", .stay(phase: 0), .inside, silencedBy: .entry),
        Row(.exit, "exit", .stay(phase: 6), .outside, silencedBy: .exit),
        Row(.dwell, "dwell", .stay(phase: 1), .inside),
        Row(.initial, "initial", .stay(phase: 0), .inside, silencedBy: .entry),
        Row(.positionLost, "position-lost"),
        Row(.positionRegained, "position-regained"),
        Row(.advisory, "advisory", .stage),
        Row(.urgent, "urgent", .stage),
        Row(.clear, "clear", .clear),
        Row(.beaconsLost, "beacons-lost"),
        Row(.beaconsRegained, "beacons-regained"),
        Row(.overspeed, "overspeed", .stay(phase: 3), .inside),
        Row(.overspeedEnd, "overspeed-end", .stay(phase: 4), .inside),
        Row(.noStop, "no-stop", .stay(phase: 7), .outside),
        Row(.overstay, "overstay", .stay(phase: 2), .inside),
        Row(.towed, "towed"),
        Row(.positionDoubtful, "position-doubtful"),
        Row(.positionTrusted, "position-trusted"),
        Row(.fencesLost, "fences-lost"),
        Row(.fencesBack, "fences-back"),
        Row(.arriving, "arriving", .arrival, .outside),
        Row(.arrivingOver, "arriving-over", .arrivalOver, .outside),
        Row(.trip, "trip"),
        Row(.position, "position"),
        Row(.logLost, "log-lost"),
    ]

    private var row: Row? {
        guard rawValue >= 1, rawValue <= Self.rows.count else { return nil }
        return Self.rows[Int(rawValue) - 1]
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
