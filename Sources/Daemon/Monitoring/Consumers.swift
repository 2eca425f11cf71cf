package import Model
import Storage
package import Time

// Durable consumers: their positions are stored with the log.
extension MonitoringService {
    /// In order of name.
    package func consumers() throws -> [Consumer] { try store.log.consumers() }

    /// Adds a consumer, or updates all but its position if it exists.
    package func register(_ consumer: Consumer) throws {
        try store.log.register(consumer)
        noteWake()
    }

    /// Forgets a consumer and its position; does nothing if there is no consumer of that name.
    package func unregister(consumer name: String) throws {
        try store.log.unregister(name)
        noteWake()
    }

    /// The consumer has processed everything up to `seq`.
    package func acknowledge(_ seq: UInt64, consumer name: String) throws {
        try store.log.acknowledge(min(seq, store.log.lastSeq), consumer: name)
        if let loss = store.log.loss, seq > loss.last { mending.lossDue = .boot }
        noteWake()
    }

    /// What the log has after that number: the number of events, and the time of the first.
    package func backlog(
        after seq: UInt64
    ) throws -> (count: UInt64, oldest: UTCTime?) {
        let first = max(seq, oldestSeq - 1)
        guard first < lastSeq else { return (0, nil) }
        let count = lastSeq - first - min(store.log.lost.count(after: first), lastSeq - first)
        return (count, try store.log.events(after: first, limit: 1).first?.event.time)
    }

    /// Whether events after that number were deleted from the log, or will be soon.
    package func isCutting(after seq: UInt64) -> Bool { store.log.isCutting(after: seq) }

    /// Which consumers have not acknowledged what ``isCutting(after:)`` is true of; nil: none.
    package func consumersFallBehind(_ names: String?) {
        if let names {
            troubles.begin(.consumerBehind, "the log gives up events of \(names)")
        } else {
            troubles.end(.consumerBehind)
        }
    }
}

/// A durable consumer's position in the log. A transport delivers what comes next and acknowledges;
/// the position is in the store.
@MainActor
package final class ConsumerCursor {
    /// Its number advances with what was acknowledged or skipped.
    package private(set) var consumer: Consumer
    /// Numbers of the events that were brought and are not acknowledged, in ascending order.
    package private(set) var open: [UInt64] = []
    private let monitoring: MonitoringService
    /// The log that a number belongs to.
    package func logID(of seq: UInt64) -> String { monitoring.logID(of: seq) }
    private let isWanted: (Event) -> Bool
    /// The position in the store.
    private var stored: UInt64
    /// Everything up to this was brought or skipped: what was acknowledged, unless something is open.
    private var passed: UInt64
    /// Before the next event are some that have been deleted from the log, or lost, before the consumer
    /// had them.
    private var gap = false
    /// Behind what was acknowledged is a gap, and up to this number nothing that it wants: perhaps long
    /// before the event that the gap is told with.
    private var quiet: UInt64 = 0

    /// - Parameter isWanted: which events the consumer has asked for.
    package init(
        _ consumer: Consumer, in monitoring: MonitoringService,
        isWanted: @escaping (Event) -> Bool
    ) {
        self.consumer = consumer
        self.monitoring = monitoring
        self.isWanted = isWanted
        stored = consumer.acknowledged
        passed = consumer.acknowledged
    }

    /// What comes after the events that were brought, of at most `limit` events of the log; nil if
    /// there is nothing. Unwanted events are skipped. `gap`: events before them have been deleted from
    /// the log, or were lost with its end.
    package func next(limit: Int) throws -> (events: [LoggedEvent], gap: Bool)? {
        while passed < monitoring.lastSeq {
            let page = try monitoring.events(after: passed, limit: limit)
            gap = gap || page.gap
            let wanted = page.events.filter { $0.event.announced && isWanted($0.event) }
            if let first = wanted.first {
                if !gap { try skip(to: first.seq - 1) }
                return (wanted, gap)
            }
            guard page.next > passed else { return nil }
            try skip(to: page.next)
        }
        return nil
    }

    /// Events of ``next(limit:)`` are being brought: what comes next is after them.
    package func bring(_ events: [LoggedEvent]) {
        open += events.map(\.seq)
        passed = open.last ?? passed
        gap = false
    }

    /// What was not acknowledged is to be brought again, with the gap before it.
    package func rewind() {
        open = []
        gap = quiet > consumer.acknowledged
        passed = max(consumer.acknowledged, quiet)
    }

    /// The consumer has processed everything up to `seq`; false if it already had.
    package func acknowledge(_ seq: UInt64) throws -> Bool {
        guard seq > consumer.acknowledged else { return false }
        try monitoring.acknowledge(seq, consumer: consumer.name)
        consumer.acknowledged = seq
        stored = seq
        open.removeAll { $0 <= seq }
        if open.isEmpty { rewind() }
        return true
    }

    /// Written only sometimes: after a crash they are skipped again.
    private func skip(to seq: UInt64) throws {
        passed = seq
        // Behind what is open it is no position.
        guard open.isEmpty else { return }
        if gap { return quiet = seq }
        consumer.acknowledged = seq
        guard seq - stored >= 256 else { return }
        try monitoring.acknowledge(seq, consumer: consumer.name)
        stored = seq
    }
}
