package import Engine
package import Geodesy

/// The one source of truth, on disk: the catalogue and the event log, each in a file of its own in
/// the state directory.
///
/// Two files, because an import of a million fences holds the write lock of its file for seconds,
/// and a crossing must be durable before it is announced; and because a damaged catalogue can be
/// loaded again, while the numbers of the event log can not.
///
/// What throws a ``StoreError`` has stored nothing, and may be tried again: a full disk that was
/// cleared, a file system that was mounted for writing again, are found so by the next call.
package final class SQLiteFenceStore: FenceStore {
    private let catalogue: Catalogue
    private let log: EventLog

    /// - Parameters:
    ///   - directory: where the files are.
    ///   - bootID: of this boot, 32 hexadecimal digits; goes into every event.
    ///   - condemned: why the catalogue that is there is to be set aside without a look.
    /// - Throws: ``StoreError`` where nothing can be worked with. Files that are damaged, foreign or
    ///   newer than this program are no error, see ``setAside``; nor is a disk that is full,
    ///   read-only, or not there, see ``absence``.
    package init(
        directory: String, bootID: String?, retention: Retention = .standard,
        condemned: String? = nil
    ) throws {
        log = try EventLog(
            path: directory + "/events.sqlite", retention: retention, bootID: bootID)
        catalogue = try Catalogue(path: directory + "/catalogue.sqlite", condemned: condemned)
        // A catalogue that can only be read has the fences that are known.
        if !catalogue.connection.isReadOnly { try catalogue.raiseGeneration(to: log.known) }
    }

    /// Why the files themselves are not in use; nil when they are. The disk was full or read-only
    /// before they were opened, or the directory is not there. Until it can be used, fences of files
    /// are kept in memory where the catalogue cannot be read, and every commit fails.
    package var absence: StoreError? { log.connection.absence ?? catalogue.connection.absence }

    /// The catalogue is in memory and began empty: what the engine remembers of the fences of files
    /// can only be found again once these are in it.
    package var wantsFiles: Bool {
        catalogue.connection.absence != nil && !catalogue.connection.isReadOnly
    }

    /// Tries whether files that were not in use can be used now.
    package func mend() {
        log.mend()
        catalogue.mend()
    }

    /// Files that could not be used and were moved out of the way, to be reported once each.
    package var setAside: [QuarantinedFile] { log.setAside + catalogue.connection.setAside }

    /// How many ``setAside`` has; it may grow while the store is used.
    package var setAsideCount: Int {
        log.connection.setAside.count + catalogue.connection.setAside.count
    }

    /// Fences and events whose records are not as they were written, as far as they have been asked
    /// for. They are left out of every answer, and nothing else is touched by them.
    package var unreadable: [String] { catalogue.unreadableNames + log.unreadableNames }

    /// How many ``unreadable`` has.
    package var unreadableCount: Int { catalogue.unreadableCount + log.unreadableCount }

    // MARK: Catalogue, questions

    package var generation: Generation { catalogue.generation }

    package var count: Int { catalogue.count }

    package func entries(meeting box: GeoBox) throws -> [CatalogueEntry] {
        try catalogue.entries(meeting: box)
    }

    package func entries(ids: [String]) throws -> [CatalogueEntry] {
        try ids.compactMap { try catalogue.entry(id: $0) }
    }

    package func nearest(to anchor: SurfacePoint, limit: Int) throws -> [RankedEntry] {
        try catalogue.nearest(to: anchor, limit: limit)
    }

    /// - Throws: ``StoreError``, also for a fence that is there and whose record cannot be read.
    package func fence(id: String) throws -> StoredFence? { try catalogue.fence(id: id) }

    /// Ordered by id as UTF-8 bytes. For a long walk pass the last id of the portion before; an
    /// offset is counted off anew in every call. There are fewer than `limit` where they are large;
    /// none only at the end.
    package func fences(
        after id: String = "", offset: Int = 0, limit: Int
    ) throws -> [StoredFence] {
        try catalogue.fences(after: id, offset: offset, limit: limit)
    }

    /// A page of those that `filter` lets through, see ``FenceListing``.
    package func listing(
        _ filter: FenceFilter, after id: String = "", offset: Int = 0, limit: Int
    ) -> FenceListing {
        FenceListing(catalogue, filter, after: id, offset: offset, limit: limit)
    }

    /// How many there are in each cell of a grid, see ``FenceCounting``.
    package func counting(_ grid: FenceGrid) -> FenceCounting { FenceCounting(catalogue, grid) }

    /// The origins that have fences, in the order in which they came.
    package func origins() throws -> [OriginSummary] { try catalogue.origins() }

    // MARK: Catalogue, changes

    /// One atomic and durable batch, idempotent by id. A batch that changes nothing leaves the
    /// generation as it is.
    /// - Parameter leavesOut: an entry whose id belongs to another origin is left out and named in
    ///   the warnings; else it refuses the batch.
    /// - Throws: ``CatalogueRefusal`` for an id that is none, comes twice, or belongs to another
    ///   origin; ``ChangeRefusal`` where a condition does not hold; ``StoreError``. Then nothing is
    ///   stored.
    package func apply(
        upserts: [Fence], removing ids: [String] = [], origin: FenceOrigin = .bus,
        conditions: ChangeConditions = ChangeConditions(), leavesOut: Bool = false
    ) throws -> CatalogueChange {
        try catalogue.apply(
            upserts: upserts, removing: ids, origin: origin, conditions: conditions,
            leavesOut: leavesOut)
    }

    /// An import is under way, and other changes of the catalogue are refused as busy.
    package var isImporting: Bool { catalogue.importing }

    /// Begins a large change, see ``CatalogueImport``. One at a time.
    /// - Throws: ``ChangeRefusal`` where a condition does not hold already; ``StoreError``.
    package func beginImport(
        origin: FenceOrigin, conditions: ChangeConditions = ChangeConditions()
    ) throws -> CatalogueImport {
        try catalogue.beginImport(origin: origin, conditions: conditions)
    }

    /// Makes the fences of `origin` those that `next` gives until it gives nil.
    /// - Throws: what `next` throws, ``CatalogueRefusal``, ``ChangeRefusal``, ``StoreError``; then
    ///   nothing is stored.
    package func replaceAll(
        origin: FenceOrigin, conditions: ChangeConditions = ChangeConditions(),
        with next: () throws -> Fence?
    ) throws -> CatalogueChange {
        let session = try beginImport(origin: origin, conditions: conditions)
        do {
            while let fence = try next() { try session.add(fence) }
        } catch {
            session.cancel()
            throw error
        }
        return try session.finish(replacing: true)
    }

    /// Gives pages that fell free back to the file system, a portion at a time (some
    /// milliseconds). For quiet moments.
    package func shrink() throws { try catalogue.shrink() }

    // MARK: Events

    /// Which log the numbers are of: 32 hexadecimal digits, made with its file; empty while there is
    /// none that can be read.
    package var logID: String { log.id }

    package func commit(_ record: EventRecord) throws -> [LoggedEvent] {
        try log.commit(record, checkpoint: nil)
    }

    /// As ``commit(_:)``; `checkpoint` is that of the engine after it, where no file has it.
    /// An older one is removed in any case.
    package func commit(_ record: EventRecord, checkpoint: [UInt8]?) throws -> [LoggedEvent] {
        try log.commit(record, checkpoint: checkpoint)
    }

    /// Events with greater numbers than `seq`, in order. There is a gap when `seq + 1` is less than
    /// ``oldestSeq``.
    package func events(after seq: UInt64, limit: Int) throws -> [LoggedEvent] {
        try log.events(after: seq, limit: limit)
    }

    /// The last event that changed the presence in that fence, as far as the log is kept.
    package func lastChange(of fence: String) throws -> LoggedEvent? {
        try log.lastChange(of: fence)
    }

    /// Number of the oldest event that is kept; ``lastSeq`` + 1 when there is none.
    package var oldestSeq: UInt64 { log.oldestSeq }

    /// Number of the last event; 0 before the first.
    package var lastSeq: UInt64 { log.lastSeq }

    /// No event gets a number up to `floor`: they were given in a log that was lost.
    package func raiseLastSeq(to floor: UInt64) { log.raise(to: floor) }

    /// How far each sink had announced when that was last written.
    package var announced: SinkPositions { log.announced }

    /// Written with the next commit or ``flush(checkpoint:)``: after a crash some are announced
    /// again, none is forgotten.
    package func markAnnounced(_ positions: SinkPositions) { log.markAnnounced(positions) }

    /// Writes what is kept for the next commit, and the engine's checkpoint. For an orderly stop.
    package func flush(checkpoint: [UInt8]? = nil) throws { try log.flush(checkpoint: checkpoint) }

    // MARK: Consumers

    /// Every durable consumer, by name.
    package func consumers() throws -> [Consumer] { try log.consumers() }

    /// Adds a consumer, or changes all but its position if it is there already.
    package func register(_ consumer: Consumer) throws { try log.register(consumer) }

    /// Forgets a consumer and its position; nothing happens where there is none of the name.
    package func unregister(consumer name: String) throws { try log.unregister(name) }

    /// The consumer has dealt with everything up to `seq`. A position never falls.
    package func acknowledge(_ seq: UInt64, consumer name: String) throws {
        try log.acknowledge(seq, consumer: name)
    }

    // MARK: What the engine starts from

    /// Stays that had begun and not ended at the last commit.
    package func openStays() throws -> [OpenStay] { try log.openStays() }

    /// The greatest ``EventRecord/known`` committed.
    package var known: Generation { log.known }

    /// As committed last.
    package var positionLost: Bool { log.positionLost }

    /// The position that was saved last; nil before the first.
    package func lastPosition() throws -> LastPosition? { try log.lastPosition() }

    /// A transaction of its own: at most once a minute, and on an orderly stop.
    package func save(_ position: LastPosition) throws { try log.save(position) }

    /// The engine's checkpoint of the last commit or ``flush(checkpoint:)``, if it was given there.
    package func checkpoint() throws -> StoredCheckpoint? { try log.checkpoint() }
}
