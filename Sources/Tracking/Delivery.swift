import FenceStores
import Fencing

/// Section 5 of the law: every event is committed before it is announced, and announced at least
/// once. What cannot be committed waits in a bounded queue; what cannot be announced waits in the
/// log, where each sink has a position of its own.
@MainActor
final class Delivery {
    private struct Waiting {
        let sink: any EventSink
        let trouble: Trouble
        /// Announced up to this number.
        var position: UInt64
        /// Since when it could not announce.
        var since: Uptime?
    }

    /// A bus that is just being connected to, or a journal that takes a breath, is no trouble yet.
    private static let patience = TimeSpan.seconds(5)

    private let store: SQLiteFenceStore
    private let memory: MemoryFile?
    /// A memory is of one boot; the file may outlive it where no runtime directory was given.
    private let bootID: [UInt8]
    private let queueLimit: Int
    private let troubles: Troubles
    private var sinks: [Waiting] = []
    /// What could not be committed, as one transaction, and the engine's state with it.
    private var queue: (record: EventRecord, memory: [UInt8]?)?
    private var commitBackOff = BackOff()
    private var sinkBackOff = BackOff()
    /// Everything up to here was announced when the process before this one ended.
    private let announcedBefore: UInt64
    /// The engine's memory of the process before this one.
    let remembered: EngineMemory?

    init(
        store: SQLiteFenceStore, memory: MemoryFile?, bootID: String?, queueLimit: Int,
        troubles: Troubles
    ) {
        self.store = store
        self.memory = bootID == nil ? nil : memory
        let boot = Array((bootID ?? "").utf8)
        self.bootID = boot
        self.queueLimit = queueLimit
        self.troubles = troubles
        var announced = store.announcedSeq
        var remembered: EngineMemory?
        if let bytes = self.memory?.read(), bytes.starts(with: boot),
            bytes.count >= boot.count + 8
        {
            let rest = bytes.dropFirst(boot.count)
            announced = max(announced, Self.decodeSeq(rest.prefix(8)))
            remembered = EngineMemory(bytes: rest.dropFirst(8))
        }
        announcedBefore = min(announced, store.lastSeq)
        self.remembered = remembered
    }

    func add(_ sink: any EventSink) {
        let trouble: Trouble = sink.name == "bus" ? .bus : .journal
        sinks.append(Waiting(sink: sink, trouble: trouble, position: announcedBefore))
    }

    /// When something that failed wants to be tried again.
    var nextRetry: Uptime? {
        [commitBackOff.until, sinkBackOff.until].compactMap { $0 }.min()
    }

    /// Commits, then announces. What waits already goes first, in the same transaction.
    func commit(_ record: EventRecord, engine: Engine, at now: Uptime) {
        let bytes = engine.memory?.bytes
        if let queue {
            self.queue = (bounded(queue.record.followed(by: record)), bytes)
            return
        }
        attempt(record, bytes, at: now)
        remember(engine)
    }

    /// Writes the engine's state for the case of a kill. While events wait to be committed the old
    /// state stays: it is the one from which they would be found again.
    func remember(_ engine: Engine) {
        guard queue == nil, let memory, let bytes = engine.memory?.bytes else { return }
        if memory.write(bootID + Self.encodeSeq(announced) + bytes) {
            troubles.end(.memory)
        } else {
            troubles.begin(.memory, "\(bytes.count) bytes do not fit")
        }
    }

    /// Tries again what failed and is due.
    func retry(at now: Uptime) {
        if let (record, bytes) = queue, !commitBackOff.holds(at: now) {
            queue = nil
            attempt(record, bytes, at: now)
        }
        if sinkBackOff.until != nil, !sinkBackOff.holds(at: now) { announce(at: now) }
    }

    /// For an orderly end.
    func flush() {
        do { try store.flush() } catch { troubles.note(.storeUnwritable, "\(error)") }
    }

    private func attempt(_ record: EventRecord, _ bytes: [UInt8]?, at now: Uptime) {
        do {
            let logged =
                if let bytes {
                    try store.commit(record, snapshot: bytes)
                } else {
                    try store.commit(record)
                }
            commitBackOff.succeed()
            troubles.end(.storeUnwritable)
            troubles.end(.eventsLost)
            announce(at: now, fresh: logged)
        } catch {
            queue = (record, bytes)
            commitBackOff.fail(at: now)
            troubles.begin(.storeUnwritable, "\(error)")
        }
    }

    /// The newest are what matters on the road: the oldest are given up.
    private func bounded(_ record: EventRecord) -> EventRecord {
        let excess = record.events.count - queueLimit
        guard excess > 0 else { return record }
        troubles.begin(.eventsLost, "more than \(queueLimit) events wait for the disk")
        var record = record
        record.events.removeFirst(excess)
        return record
    }

    // MARK: Announcing

    /// The least position of all sinks.
    private var announced: UInt64 { sinks.map(\.position).min() ?? store.lastSeq }

    /// Offers every sink what it has not announced yet. `fresh` are the events just committed, so
    /// that a sink that is up to date needs no reading.
    func announce(at now: Uptime, fresh: [LoggedEvent] = []) {
        var isWaiting = false
        for index in sinks.indices {
            if bringUp(&sinks[index], fresh) {
                sinks[index].since = nil
                troubles.end(sinks[index].trouble)
            } else {
                isWaiting = true
                noteWaiting(&sinks[index], at: now)
            }
        }
        store.markAnnounced(announced)
        if isWaiting {
            if !sinkBackOff.holds(at: now) { sinkBackOff.fail(at: now) }
        } else {
            sinkBackOff.succeed()
        }
    }

    private func noteWaiting(_ waiting: inout Waiting, at now: Uptime) {
        let since = waiting.since ?? now
        waiting.since = since
        guard now - since >= Self.patience else { return }
        troubles.begin(
            waiting.trouble, "events wait to be announced, from number \(waiting.position + 1) on")
    }

    /// False when the sink wants to be offered the rest later.
    private func bringUp(_ waiting: inout Waiting, _ fresh: [LoggedEvent]) -> Bool {
        while waiting.position < store.lastSeq {
            let next = waiting.position + 1
            let events: [LoggedEvent]
            if fresh.first?.seq == next {
                events = fresh
            } else {
                do {
                    events = try store.events(after: waiting.position, limit: 64)
                } catch {
                    troubles.begin(waiting.trouble, "\(error)")
                    return false
                }
            }
            // Retention may have cut the log: there is nothing left to announce.
            guard !events.isEmpty else {
                waiting.position = store.lastSeq
                break
            }
            for event in events {
                if event.event.announced, !waiting.sink.announce(event) { return false }
                waiting.position = event.seq
            }
        }
        return true
    }

    private static func encodeSeq(_ seq: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: seq >> (8 * $0)) }
    }

    private static func decodeSeq(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
