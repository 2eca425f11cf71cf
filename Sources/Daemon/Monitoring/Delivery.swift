import Bytes
import Law
import Model
import Storage
import Time

/// Section 5 of the law: every event is committed before it is announced, and announced at least
/// once. What cannot be committed waits in ``PendingRecords``; what cannot be announced waits in
/// the log, where each sink has its own position.
///
/// The engine's state is written to the checkpoint together with what is about to be committed:
/// after a kill at any moment, either both or neither of them have happened. Only without such a
/// file is the state part of the commit, which then costs twice the pages.
@MainActor
final class Delivery {
    private let store: Store
    private let checkpoint: CheckpointWriter
    private let troubles: Troubles
    private var sinks: [SinkDelivery] = []
    private let pending: PendingRecords
    /// The engine's checkpoint after the last pending record, if there is no file.
    private var pendingCheckpoint: [UInt8]?
    private var commitBackOff = BackOff()
    /// The position of each sink; until the first announcement, the one when the previous process
    /// ended.
    private var announced: SinkPositions
    /// The same as far as it is in the log, or will be with the next commit.
    private var lasting: SinkPositions
    /// When the log is to say more of it; nil while nothing is missing.
    private var lastingDue: Uptime?
    /// When how things stand was last written beside the log.
    private var secondAt: Uptime?
    /// The engine's checkpoint left by the previous process.
    let restored: EngineCheckpoint?
    /// The least time between two writes of positions alone, and the most from an announcement to one.
    private static let lastingInterval = TimeSpan.seconds(60)
    /// Called when the log has grown.
    var committed: () -> Void = {}

    init(
        store: Store, checkpoint: CheckpointFile?, bootID: String?, queueLimit: Int,
        troubles: Troubles
    ) {
        self.store = store
        self.troubles = troubles
        let checkpoint = CheckpointWriter(checkpoint, bootID: bootID)
        self.checkpoint = checkpoint
        let pending = PendingRecords(file: checkpoint.pendingRecords, limit: queueLimit)
        self.pending = pending
        store.waiting = { pending.record }
        let found = checkpoint.read()
        announced = store.log.announced
        if let found {
            let position = found.position
            // What it was about to commit may have been.
            let last = max(store.log.lastSeq, position.lastSeq)
            let isLast = pending.recover(
                position.pending, committing: found.committing, committed: last - position.lastSeq)
            let waiting = pending.record?.events.count ?? 0
            // A checkpoint of an earlier time: what waited then has been committed.
            let isOlder =
                !isLast || store.log.hasGone(beyond: .init(last: last, waiting: waiting))
            if isOlder { pending.clear() }
            store.log.settleEnd(
                after: .init(last: position.lastSeq, waiting: isOlder ? 0 : waiting))
            announced = announced.furthest(position.announced)
            restored = isOlder ? nil : found.engine
        } else {
            store.log.settleEnd()
            restored = nil
        }
        announced = announced.limited(to: store.log.lastSeq)
        lasting = store.log.announced.limited(to: store.log.lastSeq)
    }

    /// The stays that are open once the pending records have been committed.
    func openStays() throws -> [OpenStay] {
        let stays = try store.log.openStays()
        return pending.record?.openStays(after: stays) ?? stays
    }

    /// The last event of that fence that says whether the vehicle is arriving there.
    func lastArrival(at fence: String) throws -> Event? {
        let kinds: Set<EventKind> = [.arriving, .arrivingOver, .enter, .initial, .exit]
        let waiting = pending.record?.events.last {
            $0.fence?.isExactly(fence) == true && kinds.contains($0.kind)
        }
        return try waiting ?? store.log.lastArrival(at: fence)?.event
    }

    /// As last committed, or as it will be.
    var known: Generation { max(store.log.known, pending.record?.known ?? 0) }

    /// As last committed, or as it will be.
    var isPositionLost: Bool { pending.record?.positionLost ?? store.log.positionLost }

    /// As last committed, or as it will be.
    var areFencesLost: Bool { pending.record?.fencesLost ?? store.log.fencesLost }

    /// As last committed, or as it will be.
    var isLogLossTold: Bool {
        get throws {
            let isWaiting = pending.record?.events.contains { $0.kind == .logLost } ?? false
            return try isWaiting || store.log.isLossTold()
        }
    }

    /// The sink continues from the position of its name; a new one from that of the slowest.
    func add(_ sink: any EventSink) {
        let position = announced[sink.name]
        sinks.append(
            SinkDelivery(sink, from: position, settled: min(lasting[sink.name], position)))
    }

    /// When the next failed operation is to be retried.
    var nextRetry: Uptime? {
        var earliest = commitBackOff.until
        if store.isSecondBehind, let due = secondAt.map({ $0 + Self.lastingInterval }) {
            earliest = earliest.map { min($0, due) } ?? due
        }
        if let lastingDue { earliest = earliest.map { min($0, lastingDue) } ?? lastingDue }
        for index in sinks.indices {
            guard let until = sinks[index].backOff.until else { continue }
            earliest = earliest.map { min($0, until) } ?? until
        }
        return earliest
    }

    // MARK: Committing

    /// How many events wait to be committed.
    var waiting: Int { pending.record?.events.count ?? 0 }

    /// Commits, then announces. Pending records go first, in the same transaction. The events get the
    /// present driver here, before they wait anywhere: the law knows of none.
    func commit(_ record: EventRecord, engine: Engine, at now: Uptime) {
        let record = record.driven(by: store.log.driver?.number)
        if pending.isEmpty {
            let outcome = checkpoint.write(position, engine, committing: record)
            attempt(record, outcome == .written ? nil : checkpoint.bytes(of: engine), at: now)
            if addToCheckpoint(nil) { return }
        } else {
            wait(record, checkpoint.bytes(of: engine))
        }
        writeCheckpoint(engine)
    }

    /// Retries failed operations that are due.
    func retry(at now: Uptime, engine: Engine) {
        let before = announced
        if let record = pending.record, !commitBackOff.holds(at: now) {
            attempt(record, pendingCheckpoint, at: now)
        }
        if sinks.contains(where: { $0.backOff.until != nil && !$0.backOff.holds(at: now) }) {
            announce(at: now)
        }
        keepPositions(since: before, engine)
    }

    /// The disk accepts writes, unless records are still pending.
    func endTrouble() {
        if pending.isEmpty { troubles.end(.storeUnwritable) }
    }

    /// For an orderly stop, when the runtime directory may be removed.
    func flush(_ engine: Engine) {
        writeCheckpoint(engine)
        store.log.markAnnounced(announced)
        do {
            try store.flush(checkpoint: pending.isEmpty ? checkpoint.bytes(of: engine) : nil)
        } catch {
            troubles.note(.storeUnwritable, "\(error)")
        }
        keepSecond()
    }

    /// How things stand is written beside the log, if that is due.
    func writeSecond(at now: Uptime) {
        if let secondAt, now < secondAt + Self.lastingInterval { return }
        guard store.isSecondBehind else { return }
        secondAt = now
        keepSecond()
    }

    private func keepSecond() {
        guard store.isSecondBehind else { return }
        do { try store.keepSecond() } catch { troubles.note(.storeUnwritable, "\(error)") }
    }

    private func attempt(_ record: EventRecord, _ bytes: [UInt8]?, at now: Uptime) {
        do {
            let logged = try store.log.commit(record, checkpoint: bytes)
            pending.clear()
            pendingCheckpoint = nil
            commitBackOff.succeed()
            troubles.end(.storeUnwritable)
            troubles.end(.eventsLost)
            announce(at: now, fresh: logged)
            if !logged.isEmpty { committed() }
            writeSecond(at: now)
        } catch {
            if pending.isEmpty { wait(record, bytes) }
            commitBackOff.fail(at: now)
            troubles.begin(.storeUnwritable, "\(error)")
        }
    }

    private func wait(_ record: EventRecord, _ bytes: [UInt8]?) {
        if pending.add(record) > 0 {
            troubles.begin(.eventsLost, "more events wait for the disk than there is room for")
        }
        pendingCheckpoint = bytes
    }

    // MARK: Announcing

    /// A sink that could not announce can do so again.
    func sinkIsReady(at now: Uptime, engine: Engine) {
        let before = announced
        for index in sinks.indices { sinks[index].endBackOff() }
        announce(at: now)
        keepPositions(since: before, engine)
    }

    private func announce(at now: Uptime, fresh: [LoggedEvent] = []) {
        for index in sinks.indices { sinks[index].bringUp(store, fresh: fresh, at: now, troubles) }
        announced = positions(\.position)
        let all = positions(\.lasting)
        // A commit writes the least in any case; more would be a page of each.
        mark(SinkPositions(least: all.least, further: lasting.further))
        guard all != lasting || !store.log.isAnnouncedKept || sinks.contains(where: \.hasNews)
        else {
            return
        }
        let next = now + Self.lastingInterval
        lastingDue = lastingDue.map { min($0, next) } ?? next
    }

    private func positions(_ position: KeyPath<SinkDelivery, UInt64>) -> SinkPositions {
        let least = sinks.lazy.map { $0[keyPath: position] }.min() ?? store.log.lastSeq
        var further: [String: UInt64] = [:]
        for sink in sinks { further[sink.sink.name] = sink[keyPath: position] }
        return SinkPositions(least: least, further: further)
    }

    private func mark(_ positions: SinkPositions) {
        lasting = positions
        store.log.markAnnounced(positions, trimming: announced.least)
    }

    /// How far sinks have announced is written with what is written now, as far as it outlives the power:
    /// so that it is not told again, however long ago it was.
    func markLasting(at now: Uptime) {
        for index in sinks.indices { sinks[index].settle(at: now) }
        mark(positions(\.lasting))
        lastingDue = sinks.lazy.compactMap(\.settles).min().map {
            max($0, now + Self.lastingInterval)
        }
    }

    /// What has been marked could not be written.
    func retryLasting(at now: Uptime) { lastingDue = now + Self.lastingInterval }

    /// By a write of its own, if that is due.
    func writeLasting(at now: Uptime) {
        guard let lastingDue, now >= lastingDue else { return }
        markLasting(at: now)
        do { try store.log.keepAnnounced() } catch {
            troubles.note(.storeUnwritable, "\(error)")
            retryLasting(at: now)
        }
    }

    // MARK: Checkpoint

    /// The engine has processed an input: adds it to the checkpoint, or marks that as out of date.
    /// - Parameter uneventful: it has changed only the engine, see ``Tracker/Outcome/isUneventful``.
    func tookInput(_ input: Input, uneventful: Bool, at now: Uptime) {
        guard checkpoint.isCurrent else { return }
        switch input {
        case .timer where uneventful: return
        // Not stored: a killed process does not listen, so after it the last sighting decides
        // nothing.
        case .sighting where uneventful: return
        case .report(let report) where uneventful:
            if addToCheckpoint(EngineCheckpoint.Report(report, at: now)) { return }
        default: break
        }
        checkpoint.becomeOld()
    }

    /// The checkpoint lacks something that the engine has processed.
    var hasOldCheckpoint: Bool { !checkpoint.isCurrent }

    /// Events announced since then are not announced again after a kill.
    private func keepPositions(since before: SinkPositions, _ engine: Engine) {
        guard announced != before, !addToCheckpoint(nil) else { return }
        writeCheckpoint(engine)
    }

    /// If records are pending that are in no file, the old checkpoint stays: their events would be
    /// found again from it.
    func writeCheckpoint(_ engine: Engine) {
        guard pending.isEmpty || pending.isKept else { return checkpoint.becomeOld() }
        switch checkpoint.write(position, engine) {
        case .nothing: break
        case .written:
            pending.forget()
            troubles.end(.checkpoint)
        case .tooLarge:
            troubles.begin(
                .checkpoint, "more than \(CheckpointFile.capacity) bytes do not fit")
        }
    }

    private func addToCheckpoint(_ report: EngineCheckpoint.Report?) -> Bool {
        guard pending.isEmpty || pending.isKept, checkpoint.add(position, report) else {
            return false
        }
        pending.forget()
        return true
    }

    private var position: DeliveryCheckpoint.Position {
        DeliveryCheckpoint.Position(
            announced: announced, lastSeq: store.log.lastSeq, pending: pending.mark)
    }
}
