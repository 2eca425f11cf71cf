import Geodesy
package import Model
import Time

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
    var changes = Findings()

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

    /// The same, with what becomes durable with them.
    func findings(_ fix: Fix?, driven: OdometerReading, byWheels: Bool = false) -> Findings {
        var all = changes
        all.events = events(fix, driven: driven, byWheels: byWheels)
        return all
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
}
