package import Engine
import Storage
package import Time

// Durable consumers: their positions are kept with the log.
extension MonitoringService {
    /// By name.
    package func consumers() throws -> [Consumer] { try store.consumers() }

    /// Adds a consumer, or changes all but its position if it is there already.
    package func register(_ consumer: Consumer) throws { try store.register(consumer) }

    /// Forgets a consumer and its position; nothing happens where there is none of the name.
    package func unregister(consumer name: String) throws {
        try store.unregister(consumer: name)
    }

    /// The consumer has dealt with everything up to `seq`.
    package func acknowledge(_ seq: UInt64, consumer name: String) throws {
        try store.acknowledge(min(seq, store.lastSeq), consumer: name)
    }

    /// What the log has after that number: how many events, and when the first of them happened.
    package func backlog(
        after seq: UInt64
    ) throws -> (count: UInt64, oldest: ReceiverTime?) {
        let first = max(seq, oldestSeq - 1)
        guard first < lastSeq else { return (0, nil) }
        return (lastSeq - first, try store.events(after: first, limit: 1).first?.event.time)
    }
}

/// Where a durable consumer stands in the log. A transport brings what comes next and acknowledges;
/// the position is in the store.
@MainActor
package final class ConsumerCursor {
    /// Whose place it is; its number moves with what was acknowledged or passed over.
    package private(set) var consumer: Consumer
    private let tracking: MonitoringService
    /// Which log its position is of.
    package var logID: String { tracking.logID }
    private let isWanted: (Event) -> Bool
    /// As written in the store.
    private var stored: UInt64

    /// - Parameter isWanted: which events the consumer has asked for.
    package init(
        _ consumer: Consumer, in tracking: MonitoringService,
        isWanted: @escaping (Event) -> Bool
    ) {
        self.consumer = consumer
        self.tracking = tracking
        self.isWanted = isWanted
        stored = consumer.acknowledged
    }

    /// What comes next, of at most `limit` events of the log; nil when there is nothing. Events that
    /// are not wanted are passed over. `gap`: events before them have been cut off the log.
    package func next(limit: Int) throws -> (events: [LoggedEvent], gap: Bool)? {
        var gap = false
        while consumer.acknowledged < tracking.lastSeq {
            let page = try tracking.events(after: consumer.acknowledged, limit: limit)
            gap = gap || page.gap
            let wanted = page.events.filter { $0.event.announced && isWanted($0.event) }
            if let first = wanted.first {
                // A gap is told again with what is brought again.
                if !gap { try pass(to: first.seq - 1) }
                return (wanted, gap)
            }
            guard page.next > consumer.acknowledged else { return nil }
            try pass(to: page.next)
        }
        return nil
    }

    /// The consumer has dealt with everything up to `seq`; false where it had already.
    package func acknowledge(_ seq: UInt64) throws -> Bool {
        guard seq > consumer.acknowledged else { return false }
        try tracking.acknowledge(seq, consumer: consumer.name)
        consumer.acknowledged = seq
        stored = seq
        return true
    }

    /// Written now and then: after a crash they are passed over again.
    private func pass(to seq: UInt64) throws {
        consumer.acknowledged = seq
        guard seq - stored >= 256 else { return }
        try tracking.acknowledge(seq, consumer: consumer.name)
        stored = seq
    }
}
