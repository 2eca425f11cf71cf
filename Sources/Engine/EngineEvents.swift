import Geodesy
package import Time

/// Stays that were opened, changed or closed at one instant.
struct StayChanges {
    var opened: [OpenStay] = []
    /// Ids of fences.
    var closed: [String] = []
}

/// Collects what the monitors found at one instant and puts it in the order of the law: of earlier
/// stays the dwells (by id), then the exits (smaller area first); then of the first stays begun
/// here the openings (larger first), the dwells, the exits (smaller first); then the same of the
/// second stays, and so on. Last what is over of approaches (by id), and their stages (the nearest hazard
/// first). Ties by id as UTF-8 bytes.
package struct EventOrder {
    private struct FenceTransition {
        var transition: FenceMonitor.Transition
        var entry: CatalogueEntry

        /// Openings, dwells and exits of one generation of stays follow each other.
        var phase: Int {
            switch transition.kind {
            case .opening: 0
            case .dwell: 1
            case .exit: 2
            case .stage, .clear: 3
            }
        }

        /// Crossings, then what is over of approaches, then their stages.
        var section: Int {
            switch transition.kind {
            case .opening, .dwell, .exit: 0
            case .clear: 1
            case .stage: 2
            }
        }
    }

    private var found: [FenceTransition] = []
    /// What becomes durable with the events.
    private(set) var changes = StayChanges()

    package init() {}

    /// Adds the transitions of one monitor, which is already in the state after them.
    package mutating func add(_ transitions: [FenceMonitor.Transition], of monitor: FenceMonitor) {
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

    /// The events in order; `fix` is the one that proves them.
    package func events(_ fix: Fix?) -> [Event] {
        guard !found.isEmpty else { return [] }
        return found.sorted(by: Self.precedes).map {
            Event($0.transition, of: $0.entry.fence, provenBy: fix)
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
        if a.transition.kind != .dwell, a.entry.area.size != b.entry.area.size {
            let smallerFirst = a.transition.kind == .exit
            return (a.entry.area.size < b.entry.area.size) == smallerFirst
        }
        return a.entry.id.utf8.lexicographicallyPrecedes(b.entry.id.utf8)
    }
}

extension Event {
    fileprivate init(_ transition: FenceMonitor.Transition, of fence: Fence, provenBy fix: Fix?) {
        let isInitial = transition.reason == .initial && !fence.initialEnter
        let kind: EventKind =
            switch transition.kind {
            case .opening: isInitial ? .initial : .enter
            case .dwell: .dwell
            case .exit: .exit
            case .stage(let stage): stage.kind
            case .clear: .clear
            }
        var presence: Presence? = kind == .exit ? .outside : .inside
        if transition.isOfApproach { presence = nil }
        let announced =
            switch transition.kind {
            case .opening: fence.notifyOnEntry
            case .dwell, .stage, .clear: true
            case .exit: fence.notifyOnExit
            }
        self.init(
            kind: kind, fence: fence.id, title: fence.title, time: transition.time,
            fixTime: fix?.time ?? transition.time, presence: presence,
            inferred: transition.inferred, reason: transition.reason, distance: transition.distance,
            error: fix?.error, speed: fix?.speed, course: fix?.course, coordinate: fix?.coordinate,
            stay: transition.length, announced: announced, metadata: fence.metadata,
            approach: transition.details, evidence: transition.evidence)
    }

    /// `position-lost` and `position-regained`.
    package static func position(_ kind: EventKind, time: ReceiverTime, fix: Fix) -> Event {
        Event(
            kind: kind, fence: nil, time: time, fixTime: fix.time, presence: nil,
            error: fix.error, speed: fix.speed, course: fix.course, coordinate: fix.coordinate)
    }
}

extension FenceMonitor.Transition {
    /// A stage, or the end of one.
    var isOfApproach: Bool {
        switch kind {
        case .stage, .clear: true
        case .opening, .dwell, .exit: false
        }
    }
}

extension Engine {
    /// Makes events and what they change durable.
    mutating func record(
        _ events: [Event], _ changes: StayChanges,
        _ directives: inout [Directive]
    ) {
        var events = events
        if !events.isEmpty { announcer.settle(&events) }
        directives.append(
            .record(
                EventRecord(
                    events: events, opened: changes.opened, closed: changes.closed, known: known,
                    positionLost: isPositionLost)))
    }
}
