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
/// second stays, and so on. Ties by id as UTF-8 bytes.
package struct EventOrder {
    private struct Told {
        var finding: FenceMonitor.Finding
        var fence: Fence

        /// Openings, dwells and exits of one generation of stays follow each other.
        var phase: Int {
            switch finding.kind {
            case .opening: 0
            case .dwell: 1
            case .exit: 2
            }
        }
    }

    private var told: [Told] = []
    /// What becomes durable with the events.
    private(set) var changes = StayChanges()

    package init() {}

    /// Adds the transitions of one monitor, which is already in the state after them.
    package mutating func add(_ findings: [FenceMonitor.Finding], of monitor: FenceMonitor) {
        guard !findings.isEmpty else { return }
        let fence = monitor.entry.fence
        told += findings.map { Told(finding: $0, fence: fence) }
        if findings.last?.kind != .exit, let stay = monitor.openStay {
            changes.opened.append(stay)
        } else {
            changes.closed.append(fence.id)
        }
    }

    /// The events in order; `fix` is the one that proves them.
    package func events(_ fix: Fix?) -> [Event] {
        guard !told.isEmpty else { return [] }
        return told.sorted(by: Self.precedes).map { Event($0.finding, of: $0.fence, provenBy: fix) }
    }

    private static func precedes(_ a: Told, _ b: Told) -> Bool {
        if a.finding.stay != b.finding.stay { return a.finding.stay < b.finding.stay }
        if a.phase != b.phase { return a.phase < b.phase }
        if a.finding.kind != .dwell, a.fence.area.size != b.fence.area.size {
            let smallerFirst = a.finding.kind == .exit
            return (a.fence.area.size < b.fence.area.size) == smallerFirst
        }
        return a.fence.id.utf8.lexicographicallyPrecedes(b.fence.id.utf8)
    }
}

extension Event {
    fileprivate init(_ finding: FenceMonitor.Finding, of fence: Fence, provenBy fix: Fix?) {
        let isInitial = finding.reason == .initial && !fence.initialEnter
        let kind: EventKind =
            switch finding.kind {
            case .opening: isInitial ? .initial : .enter
            case .dwell: .dwell
            case .exit: .exit
            }
        let announced =
            switch finding.kind {
            case .opening: fence.notifyOnEntry
            case .dwell: true
            case .exit: fence.notifyOnExit
            }
        self.init(
            kind: kind, fence: fence.id, title: fence.title, time: finding.time,
            fixTime: fix?.time ?? finding.time, presence: kind == .exit ? .outside : .inside,
            inferred: finding.inferred, reason: finding.reason, distance: finding.distance,
            error: fix?.error, speed: fix?.speed, course: fix?.course, coordinate: fix?.coordinate,
            stay: finding.length, announced: announced, metadata: fence.metadata)
    }

    /// `position-lost` and `position-regained`.
    package static func position(_ kind: EventKind, time: ReceiverTime, fix: Fix) -> Event {
        Event(
            kind: kind, fence: nil, time: time, fixTime: fix.time, presence: nil,
            error: fix.error, speed: fix.speed, course: fix.course, coordinate: fix.coordinate)
    }
}

extension Engine {
    /// Makes events and what they change durable.
    mutating func record(
        _ events: [Event], _ changes: StayChanges,
        _ directives: inout [Directive]
    ) {
        directives.append(
            .record(
                EventRecord(
                    events: events, opened: changes.opened, closed: changes.closed, known: known,
                    positionLost: isPositionLost)))
    }
}
