import Geodesy
package import Model
package import Time

/// Stays that were opened, changed or closed at one instant.
struct StayChanges {
    var opened: [OpenStay] = []
    /// Ids of fences.
    var closed: [String] = []
    /// Fences that have ended.
    var spent: [SpentFence] = []
}

/// Collects what the monitors found at one instant and puts it in the order of the law: of earlier
/// stays the dwells (by id), then the events of their terms (by id), then the exits (smaller area
/// first); then of the first stays begun here the openings (larger first), the dwells, the exits
/// (smaller first); then the same for the second stays, and so on. Finally the ends of approaches
/// (by id), and their stages (the nearest hazard first). Ties by id as UTF-8 bytes.
package struct EventOrder {
    private struct FenceTransition {
        var transition: Transition
        var entry: CatalogueEntry

        var order: EventKind.Order? { transition.kind.order }

        /// Openings, dwells and exits of one generation of stays follow each other.
        var phase: Int {
            if case .stay(let phase)? = order { phase } else { 0 }
        }

        /// Crossings, then what is over of approaches, then their stages; then arrivals.
        var section: Int {
            switch order {
            case .stay?, nil: 0
            case .clear?: 1
            case .stage?: 2
            case .arrivalOver?: 3
            case .arrival?: 4
            }
        }
    }

    private var found: [FenceTransition] = []
    /// What becomes durable with the events.
    var changes = StayChanges()

    package init() {}

    /// Adds the transitions of one monitor, which is already in the state after them.
    package mutating func add(_ transitions: [Transition], of monitor: RegionMonitor) {
        guard !transitions.isEmpty else { return }
        found += transitions.map { FenceTransition(transition: $0, entry: monitor.entry) }
        if let last = transitions.last?.kind, last != .exit, last != .clear,
            let stay = monitor.openStay
        {
            changes.opened.append(stay)
        } else {
            changes.closed.append(monitor.entry.id)
        }
    }

    /// The events in order.
    /// - Parameters:
    ///   - fix: the one that proves them.
    ///   - driven: what the odometer shows at the last fix that was judged.
    ///   - byWheels: the wheels of the vehicle were heard at the proving fix.
    package func events(
        _ fix: Fix?, driven: OdometerReading, byWheels: Bool = false
    ) -> [Event] {
        guard !found.isEmpty else { return [] }
        return found.sorted(by: Self.precedes).map {
            var event = Event($0.transition, of: $0.entry.fence, provenBy: fix, driven: driven)
            if byWheels {
                event.terms = event.terms ?? TermsDetails()
                event.terms?.byWheels = true
            }
            return event
        }
    }

    private static func precedes(_ a: FenceTransition, _ b: FenceTransition) -> Bool {
        if a.section != b.section { return a.section < b.section }
        if a.section > 0 {
            let (toGo, other) = (a.transition.details?.toGo, b.transition.details?.toGo)
            if a.section == 2, let toGo, let other, toGo != other { return toGo < other }
            return a.entry.id.utf8.lexicographicallyPrecedes(b.entry.id.utf8)
        }
        if a.transition.stay != b.transition.stay { return a.transition.stay < b.transition.stay }
        if a.phase != b.phase { return a.phase < b.phase }
        let isCrossing = a.transition.kind == .enter || a.transition.kind == .exit
        if isCrossing, a.entry.area.size != b.entry.area.size {
            let smallerFirst = a.transition.kind == .exit
            return (a.entry.area.size < b.entry.area.size) == smallerFirst
        }
        return a.entry.id.utf8.lexicographicallyPrecedes(b.entry.id.utf8)
    }
}

extension Event {
    fileprivate init(
        _ transition: Transition, of fence: Fence, provenBy fix: Fix?, driven: OdometerReading
    ) {
        let isInitial =
            transition.kind == .enter && transition.reason == .initial && !fence.initialEnter
        let kind = isInitial ? .initial : transition.kind
        self.init(
            kind: kind, fence: fence.id, title: fence.title, time: transition.time,
            fixTime: fix?.time ?? transition.time, presence: kind.presence,
            inferred: transition.inferred, reason: transition.reason, distance: transition.distance,
            error: fix?.error, speed: fix?.speed, course: fix?.course, coordinate: fix?.coordinate,
            stay: transition.length,
            announced: kind.isAnnounced(onEntry: fence.notifyOnEntry, onExit: fence.notifyOnExit),
            metadata: fence.metadata,
            approach: transition.details, evidence: transition.evidence)
        terms = transition.terms
        let there = transition.driven ?? driven
        odometer = WayDetails.rounded(there.metres)
        way = transition.way?.details(there, error: fix?.error ?? 0)
    }

    /// `position-lost`, `position-doubtful` and their ends.
    package static func position(_ kind: EventKind, time: UTCTime, fix: Fix) -> Event {
        Event(
            kind: kind, fence: nil, time: time, fixTime: fix.time, presence: nil,
            error: fix.error, speed: fix.speed, course: fix.course, coordinate: fix.coordinate)
    }
}

extension Engine {
    /// `fences-lost`, `fences-back` or `log-lost`, at the time that the receiver has by now.
    mutating func tell(
        _ kind: EventKind, fencesLost: Bool? = nil, at now: Uptime, _ clock: UTCTime,
        _ directives: inout [Directive]
    ) {
        let fix = lastFix
        let time = fix.map { $0.time + max(now - $0.arrival, .zero) } ?? clock
        let believed = isPositionUncertain ? nil : fix
        let event = Event(
            kind: kind, fence: nil, time: time,
            fixTime: fix?.time ?? time, presence: nil, error: believed?.error,
            speed: believed?.speed, course: believed?.course, coordinate: believed?.coordinate)
        record([event], StayChanges(), fencesLost: fencesLost, &directives)
    }

    /// Makes events and what they change durable.
    mutating func record(
        _ events: [Event], _ changes: StayChanges, parking: Parking? = nil,
        fencesLost: Bool? = nil, _ directives: inout [Directive]
    ) {
        var events = events
        if !events.isEmpty { announcer.group(&events) }
        var record = EventRecord(
            events: events, opened: changes.opened, closed: changes.closed, known: known,
            positionLost: isPositionLost)
        record.spent = changes.spent
        // With a trip, so that what was counted of it is as durable as the events.
        record.parking = parking ?? (self.parking.hasTrip ? self.parking : nil)
        record.fencesLost = fencesLost
        record.driven = odometer.reading
        directives.append(.record(record))
    }
}
