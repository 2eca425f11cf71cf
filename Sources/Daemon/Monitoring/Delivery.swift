import Engine
import Storage
import Time

/// Section 5 of the law: every event is committed before it is announced, and announced at least
/// once. What cannot be committed waits in ``PendingRecords``; what cannot be announced waits in the
/// log, where each sink has a position of its own.
///
/// The engine's state is written ahead, to the memory file, together with what is about to be
/// committed: a process that is killed at any moment finds both or neither of them to have happened.
/// Only where there is no such file is the state in the commit, which then costs twice the pages.
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
    private let memory: CheckpointFile?
    /// The memory file has all that the engine has taken.
    private var isRemembered = false
    /// A memory is of one boot; the file may outlive it where no runtime directory was given.
    private let bootID: [UInt8]
    private let troubles: Troubles
    private var sinks: [Waiting] = []
    private let queue: PendingRecords
    /// The engine's state that belongs to the last record that waits, where no memory file has it.
    private var queuedMemory: [UInt8]?
    private var commitBackOff = BackOff()
    private var sinkBackOff = BackOff(first: .milliseconds(100))
    /// Everything up to here was announced when the process before this one ended.
    private let announcedBefore: UInt64
    /// The engine's memory of the process before this one.
    let remembered: EngineCheckpoint?

    init(
        store: SQLiteFenceStore, memory: CheckpointFile?, bootID: String?, queueLimit: Int,
        troubles: Troubles
    ) {
        self.store = store
        self.memory = bootID == nil ? nil : memory
        let boot = Array((bootID ?? "").utf8)
        self.bootID = boot
        self.troubles = troubles
        queue = PendingRecords(file: self.memory?.waiting, limit: queueLimit)
        let found = self.memory?.read().flatMap { DeliveryCheckpoint($0, bootID: boot) }
        if let found {
            let position = found.position
            queue.recover(
                position.waiting, ahead: found.ahead,
                committed: max(store.lastSeq, position.lastSeq) - position.lastSeq)
        }
        // The log may have been lost with its file: a number is never given twice.
        store.raiseLastSeq(to: found?.position.lastSeq ?? 0)
        announcedBefore = min(
            max(store.announcedSeq, found?.position.announced ?? 0), store.lastSeq)
        remembered = found?.engine
    }

    /// The stays that are open once what waits has been committed.
    func openStays() throws -> [OpenStay] {
        let stays = try store.openStays()
        return queue.record?.openStays(after: stays) ?? stays
    }

    /// As committed last, or as it will be.
    var known: Generation { max(store.known, queue.record?.known ?? 0) }

    /// As committed last, or as it will be.
    var isPositionLost: Bool { queue.record?.positionLost ?? store.positionLost }

    func add(_ sink: any EventSink) {
        let trouble: Trouble = sink.name == "bus" ? .bus : .journal
        sinks.append(Waiting(sink: sink, trouble: trouble, position: announcedBefore))
    }

    /// When something that failed wants to be tried again.
    var nextRetry: Uptime? {
        guard let commit = commitBackOff.until else { return sinkBackOff.until }
        return sinkBackOff.until.map { min($0, commit) } ?? commit
    }

    /// Commits, then announces. What waits already goes first, in the same transaction.
    func commit(_ record: EventRecord, engine: Engine, at now: Uptime) {
        if queue.isEmpty {
            let isAhead = write(engine, ahead: record)
            attempt(record, isAhead ? nil : snapshot(of: engine), at: now)
            if addToMemory(nil) { return }
        } else {
            wait(record, snapshot(of: engine))
        }
        remember(engine)
    }

    /// Writes the engine's state for the case of a kill. Where events wait that are not kept, the
    /// old state stays: it is the one from which they would be found again.
    func remember(_ engine: Engine) {
        isRemembered = false
        guard memory != nil, engine.hasMemory, queue.isEmpty || queue.isKept else { return }
        if write(engine, ahead: nil) {
            queue.forget()
            troubles.end(.memory)
        } else {
            troubles.begin(.memory, "more than \(CheckpointFile.capacity) bytes do not fit")
        }
    }

    /// The same for an engine that was remembered and has taken nothing since but this report, which
    /// was uneventful. False where it cannot be: then the engine wants to be remembered.
    func remember(_ report: EngineCheckpoint.Report) -> Bool {
        memory == nil || addToMemory(report)
    }

    private func addToMemory(_ report: EngineCheckpoint.Report?) -> Bool {
        guard let memory, isRemembered, queue.isEmpty || queue.isKept else { return false }
        let position = position
        isRemembered = memory.add {
            DeliveryCheckpoint.writeAddition(position, report, to: &$0)
        }
        if isRemembered { queue.forget() }
        return isRemembered
    }

    /// False where there is nowhere to write to, or nothing to write.
    private func write(_ engine: Engine, ahead: EventRecord?) -> Bool {
        guard let memory, engine.hasMemory else { return false }
        let position = position
        isRemembered = memory.write {
            DeliveryCheckpoint.write(position, ahead: ahead, engine, bootID: bootID, to: &$0)
        }
        return isRemembered
    }

    private var position: DeliveryCheckpoint.Position {
        DeliveryCheckpoint.Position(
            announced: announced, lastSeq: store.lastSeq, waiting: queue.mark)
    }

    /// For the log. A replay, which is of no boot, finds nothing of it again.
    private func snapshot(of engine: Engine) -> [UInt8]? {
        bootID.isEmpty ? nil : engine.memoryBytes
    }

    /// Tries again what failed and is due.
    func retry(at now: Uptime) {
        if let record = queue.record, !commitBackOff.holds(at: now) {
            attempt(record, queuedMemory, at: now)
        }
        if sinkBackOff.until != nil, !sinkBackOff.holds(at: now) { announce(at: now) }
    }

    /// The disk takes what it is given, unless something waits still.
    func endTrouble() {
        if queue.isEmpty { troubles.end(.storeUnwritable) }
    }

    /// For an orderly end, with which the runtime directory may go.
    func flush(_ engine: Engine) {
        remember(engine)
        do {
            try store.flush(snapshot: queue.isEmpty ? snapshot(of: engine) : nil)
        } catch {
            troubles.note(.storeUnwritable, "\(error)")
        }
    }

    private func attempt(_ record: EventRecord, _ bytes: [UInt8]?, at now: Uptime) {
        do {
            let logged = try store.commit(record, snapshot: bytes)
            queue.clear()
            queuedMemory = nil
            commitBackOff.succeed()
            troubles.end(.storeUnwritable)
            troubles.end(.eventsLost)
            announce(at: now, fresh: logged)
        } catch {
            if queue.isEmpty { wait(record, bytes) }
            commitBackOff.fail(at: now)
            troubles.begin(.storeUnwritable, "\(error)")
        }
    }

    private func wait(_ record: EventRecord, _ bytes: [UInt8]?) {
        if queue.add(record) > 0 {
            troubles.begin(.eventsLost, "more events wait for the disk than there is room for")
        }
        queuedMemory = bytes
    }

    // MARK: Announcing

    /// The least position of all sinks.
    private var announced: UInt64 { sinks.lazy.map(\.position).min() ?? store.lastSeq }

    /// Offers every sink what it has not announced yet. `fresh` are the events just committed, so
    /// that a sink that is up to date needs no reading.
    func announce(at now: Uptime, fresh: [LoggedEvent] = []) {
        var isWaiting = false
        let before = sinks.map(\.position)
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
            // A journald that has been away takes what waited by as much as its socket holds.
            if sinks.map(\.position) != before { sinkBackOff.succeed() }
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
}
