import Bytes
package import Geodesy
package import Law
package import Model

/// The only source of truth, on disk: the catalogue and the event log, each in its own file in the
/// state directory.
///
/// Two files, because an import of a million fences holds the write lock of its file for seconds,
/// and a crossing must be durable before it is announced; and because a damaged catalogue can be
/// loaded again, while the numbers of the event log cannot.
///
/// A call that throws a ``StoreError`` has stored nothing, and may be repeated: when space was
/// freed on a full disk, or a file system was mounted for writing again, the next call succeeds.
package final class SQLiteFenceStore: FenceStore {
    let catalogue: Catalogue
    let log: EventLog
    /// Where the files are.
    package let directory: String
    /// What the caller has yet to commit: the log knows nothing of it, and it counts all the same where
    /// fences of lost sets come back.
    package var waiting: () -> EventRecord? = { nil }
    /// That there is a store, where that is to be remembered.
    var mark: UseMark?

    /// - Parameters:
    ///   - directory: where the files are.
    ///   - cache: a directory that is not on the same disk at best: if all of the store is gone, a file
    ///     there says that there was one. Nil for a store that nobody misses.
    ///   - bootID: of this boot, 32 hexadecimal digits; goes into every event.
    /// - Throws: ``StoreError`` if no database can be used at all. Files that are damaged, foreign
    ///   or newer than this program are not an error, see ``setAside``; nor is a disk that is full,
    ///   read-only, or missing, see ``absence``.
    package convenience init(
        directory: String, cache: String? = nil, bootID: String?, retention: Retention = Retention()
    ) throws {
        try self.init(
            directory: directory, cache: cache, bootID: bootID, retention: retention,
            events: .events, fences: .catalogue)
    }

    /// - Parameters:
    ///   - events: the format of the log.
    ///   - fences: the format of the catalogue.
    init(
        directory: String, cache: String? = nil, bootID: String?,
        retention: Retention = Retention(),
        events: DatabaseFormat, fences: DatabaseFormat
    ) throws {
        self.directory = directory
        mark = cache.map { UseMark(directory: $0) }
        log = try EventLog(
            path: directory + "/events.sqlite", retention: retention, bootID: bootID,
            format: events, wasUsed: mark?.content != nil)
        let known = log.everKnown
        catalogue = try Catalogue(
            directory: directory, hadFences: known > 0 || mark?.content?.hasFences == true,
            format: fences)
        // A read-only catalogue holds exactly the fences that are known.
        guard !catalogue.connection.isReadOnly else { return }
        // What was set aside had others: each of its generations stands for something else.
        let last = catalogue.connection.lastNumber.map { $0 + 1 } ?? 0
        try catalogue.raiseGeneration(to: max(known, last))
    }

    /// Why the files themselves are not in use; nil when they are. The disk was full or read-only
    /// before they were opened, or the directory does not exist. Until they can be used, fences of
    /// files are kept in memory if the catalogue cannot be read, and every commit fails.
    package var absence: StoreError? { log.connection.absence ?? catalogue.connection.absence }

    /// Fences of files may be missing: what the engine remembers of them can be found again only once
    /// these have been loaded, and what waits is judged with them. The catalogue is in memory and began
    /// empty, or is a new file, or sets of files are lost, or nothing says which.
    package var wantsFiles: Bool {
        let connection = catalogue.connection
        if connection.absence != nil { return !connection.isReadOnly }
        return catalogue.forgotFiles || catalogue.connection.isNew
            || catalogue.manifest.lost.keys.contains { FenceOrigin(name: $0.text).isFile }
    }

    /// All files of fences have been read: what comes of a file now is new.
    package func filesWereLoaded() { catalogue.forgotFiles = false }

    /// Tries whether files that were unavailable can be used now.
    package func mend() {
        log.mend()
        catalogue.mend()
    }

    /// Quarantined files, each to be reported once.
    package var setAside: [QuarantinedFile] { log.setAside + catalogue.connection.setAside }

    /// How many ``setAside`` has; it may grow while the store is used.
    package var setAsideCount: Int {
        log.connection.setAside.count + catalogue.connection.setAside.count
    }

    /// What was found in the files and is not of geofenced, in words; each is returned once.
    package func takeForeign() -> [String] {
        [log.connection, catalogue.connection].flatMap { connection in
            defer { connection.foreign = [] }
            return connection.foreign.map { "\(connection.path): \($0)" }
        }
    }

    /// Fences and events whose records are damaged, among those that have been asked for. They are
    /// left out of every answer, and nothing else is affected.
    package var unreadable: [String] { catalogue.unreadableNames + log.unreadableNames }

    /// The number of ``unreadable`` records.
    package var unreadableCount: Int { catalogue.unreadableCount + log.unreadableCount }

    // MARK: Catalogue, fences that are left out

    /// Leaves these fences out of every answer, as if they could not be read, until they change.
    package func leaveOut(_ ids: [String]) throws { try catalogue.leaveOut(ids) }

    /// Whether that fence is left out.
    package func leavesOut(_ id: String) -> Bool { catalogue.leftOut.contains(id) }

    /// Those that are not left out any more: they have changed, or were removed.
    package func takeChangedBack() throws -> [String] { try catalogue.takeChangedBack() }

    // MARK: Catalogue, questions

    package var generation: Generation { catalogue.generation }

    package var count: Int { catalogue.count }

    package func entries(
        meeting box: GeoBox, limit: Int = .max,
        where isWanted: (CatalogueEntry) -> Bool = { _ in true }
    ) throws -> [CatalogueEntry] {
        try catalogue.entries(meeting: box, limit: limit, where: isWanted)
    }

    package func entries(ids: [String]) throws -> [CatalogueEntry] {
        try ids.compactMap { try catalogue.entry(id: $0) }
    }

    package func nearest(to anchor: SurfacePoint, limit: Int) throws -> [RankedEntry] {
        try catalogue.nearest(to: anchor, limit: limit)
    }

    package func followed() throws -> [CatalogueEntry] { try catalogue.followed() }

    /// The nearest fences by their ids, for a question, see ``FenceRanking``.
    package func ranking(to anchor: SurfacePoint, limit: Int) -> FenceRanking {
        FenceRanking(catalogue, to: anchor, limit: limit)
    }

    /// A fence that the caller looks at and drops: also one that has no room beside those in use.
    /// Nil if there is none, or it has no area, or cannot be read.
    package func passingEntry(id: String) throws -> CatalogueEntry? {
        try catalogue.passingEntry(id: id)
    }

    /// The beacon fences, in no order; those whose records cannot be read are left out. No other
    /// query of the engine finds them.
    package func beaconRegions() throws -> [BeaconRegion] { try catalogue.beaconRegions() }

    /// - Throws: ``StoreError``, also for a fence that exists but whose record cannot be read.
    package func fence(id: String) throws -> StoredFence? { try catalogue.fence(id: id) }

    /// Ordered by id as UTF-8 bytes. For a long walk pass the last id of the previous page; an
    /// offset is counted again in every call. There are fewer than `limit` if they are large; the
    /// page is empty only at the end.
    package func fences(
        after id: String = "", offset: Int = 0, limit: Int
    ) throws -> [StoredFence] {
        try catalogue.fences(after: id, offset: offset, limit: limit)
    }

    /// A page of the fences that match `filter`, see ``FenceListing``.
    package func listing(
        _ filter: FenceFilter, after id: String = "", offset: Int = 0, limit: Int
    ) -> FenceListing {
        FenceListing(catalogue, filter, after: id, offset: offset, limit: limit)
    }

    /// The number of fences in each cell of a grid, see ``FenceCounting``.
    package func counting(_ grid: FenceGrid) -> FenceCounting { FenceCounting(catalogue, grid) }

    /// The origins that have fences, in the order in which they were added; then those that had, and
    /// lost all of them.
    package func origins() throws -> [OriginSummary] { try catalogue.origins() }

    /// Whether sets that were accepted are not here: the file was lost, or is an older one.
    package var lacksFences: Bool { !catalogue.manifest.lost.isEmpty }

    package var mayLackFences: Bool {
        lacksFences || catalogue.connection.suspect != nil || log.connection.suspect != nil
    }

    /// Nobody misses the sets of that origin any more; nil for all.
    /// - Throws: ``StoreError``; then they are still missed.
    package func acceptLoss(of origin: FenceOrigin?) throws {
        try catalogue.acceptLoss(of: origin)
    }

    // MARK: Catalogue, changes

    /// One atomic and durable batch, idempotent by id. A batch that changes nothing leaves the
    /// generation as it is.
    /// - Parameter leavesOut: whether an entry whose id belongs to another origin is skipped and
    ///   named in the warnings; otherwise it refuses the batch.
    /// - Throws: ``CatalogueRefusal`` for an id that is invalid, duplicate, or belongs to another
    ///   origin; ``ChangeRefusal`` if a condition does not hold; ``StoreError``. Then nothing is
    ///   stored.
    package func apply(
        upserts: [Fence], removing ids: [String] = [], origin: FenceOrigin = .bus,
        conditions: ChangeConditions = ChangeConditions(), leavesOut: Bool = false
    ) throws -> CatalogueChange {
        try catalogue.apply(
            upserts: upserts, removing: ids, origin: origin, conditions: conditions,
            leavesOut: leavesOut, held: try held(origin))
    }

    /// An import is under way, and other changes of the catalogue are refused as busy.
    package var isImporting: Bool { catalogue.importing }

    /// Begins a large change, see ``CatalogueImport``. One at a time.
    /// - Parameter leavesOut: as of ``apply(upserts:removing:origin:conditions:leavesOut:)``.
    /// - Throws: ``ChangeRefusal`` if a condition does not hold already; ``StoreError``.
    package func beginImport(
        origin: FenceOrigin, conditions: ChangeConditions = ChangeConditions(),
        leavesOut: Bool = true
    ) throws -> CatalogueImport {
        try catalogue.beginImport(
            origin: origin, conditions: conditions, leavesOut: leavesOut, held: try held(origin))
    }

    /// Fences that were lost come back as what they were.
    private func held(_ origin: FenceOrigin) throws -> HeldFences {
        let isLost =
            origin.isFile && catalogue.forgotFiles || catalogue.manifest.lost[origin.name] != nil
            || catalogue.connection.suspect != nil
        return try HeldFences(isLost: isLost, isFile: origin.isFile) { [self] in
            let (waiting, stays) = (waiting(), try log.openStays())
            return (
                waiting?.openStays(after: stays) ?? stays,
                try log.spentFences(limit: .max) + (waiting?.spent ?? []),
                max(log.known, waiting?.known ?? 0)
            )
        }
    }

    /// Replaces the fences of `origin` by those that `next` returns until it returns nil.
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

    /// Returns free pages to the file system, some at a time (some milliseconds). For idle times.
    package func shrink() throws { try catalogue.shrink() }

    // MARK: Events

    /// Which log the numbers belong to: 32 hexadecimal digits, made with its file; empty while no
    /// id can be read.
    package var logID: String { log.id }

    /// Which log a number belongs to, as ``logID``: another one for events of a backup that was restored
    /// elsewhere.
    package func logID(of seq: UInt64) -> String { log.id(of: seq) }

    package func commit(_ record: EventRecord) throws -> [LoggedEvent] {
        try log.commit(record, checkpoint: nil)
    }

    /// Like ``commit(_:)``; `checkpoint` is the engine's after it, if no file holds it. An older
    /// one is removed in any case.
    package func commit(_ record: EventRecord, checkpoint: [UInt8]?) throws -> [LoggedEvent] {
        try log.commit(record, checkpoint: checkpoint)
    }

    /// Events with greater numbers than `seq`, in order. There is a gap if `seq + 1` is less than
    /// ``oldestSeq``, and where numbers are ``lost``.
    package func events(after seq: UInt64, limit: Int) throws -> [LoggedEvent] {
        try log.events(after: seq, limit: limit)
    }

    /// Those of them that are about one of `fences`, compared by their bytes; a repeated id counts
    /// once. The other events are not read.
    package func events(
        of fences: [String], after seq: UInt64, limit: Int
    ) throws -> [LoggedEvent] {
        try log.events(of: fences, after: seq, limit: limit)
    }

    /// The last event that changed the presence in that fence, as far as the log is kept.
    package func lastChange(of fence: String) throws -> LoggedEvent? {
        try log.lastChange(of: fence)
    }

    /// The last event of that fence that says whether the vehicle is arriving there, as far as the log is
    /// kept.
    package func lastArrival(at fence: String) throws -> LoggedEvent? {
        try log.lastArrival(at: fence)
    }

    /// Number of the oldest event that is kept; ``lastSeq`` + 1 if the log is empty.
    package var oldestSeq: UInt64 { log.oldestSeq }

    /// Whether events after that number were deleted, or will be before the log has grown by a
    /// tenth.
    package func isCutting(after seq: UInt64) -> Bool { log.isCutting(after: seq) }

    /// Number of the last event; 0 before the first.
    package var lastSeq: UInt64 { log.lastSeq }

    /// How far each sink had announced when that was last written.
    package var announced: SinkPositions { log.announced }

    /// Written with the next commit, position or ``flush(checkpoint:)``, or by ``keepAnnounced()``: after a
    /// crash some events are announced again, none is lost.
    /// - Parameter trimming: up to which events may be trimmed; nil: as far as every sink has announced.
    package func markAnnounced(_ positions: SinkPositions, trimming: UInt64? = nil) {
        log.markAnnounced(positions, trimming: trimming)
    }

    /// What was marked has been written.
    package var isAnnouncedKept: Bool { log.isAnnouncedKept }

    /// Writes what was marked, if nothing else has.
    package func keepAnnounced() throws { try log.keepAnnounced() }

    /// Writes what waits for the next commit, and the engine's checkpoint. For an orderly stop.
    package func flush(checkpoint: [UInt8]? = nil) throws {
        if let usedMark { mark?.keep(usedMark) }
        try log.flush(checkpoint: checkpoint)
    }

    // MARK: Consumers

    /// Every durable consumer, by name.
    package func consumers() throws -> [Consumer] { try log.consumers() }

    /// Adds a consumer, or updates all but its position if it exists.
    package func register(_ consumer: Consumer) throws { try log.register(consumer) }

    /// Forgets a consumer and its position; does nothing if there is no consumer of that name.
    package func unregister(consumer name: String) throws { try log.unregister(name) }

    /// The consumer has processed everything up to `seq`. A position never decreases.
    package func acknowledge(_ seq: UInt64, consumer name: String) throws {
        try log.acknowledge(seq, consumer: name)
    }

    // MARK: What the engine starts from

    /// Stays that had begun and not ended at the last commit.
    package func openStays() throws -> [OpenStay] { try log.openStays() }

    /// The greatest ``EventRecord/known`` committed.
    package var known: Generation { log.known }

    /// The value last committed.
    package var positionLost: Bool { log.positionLost }
    /// The same of ``EventRecord/fencesLost``.
    package var fencesLost: Bool { log.fencesLost }

    /// The last saved position; nil before the first.
    package func lastPosition() throws -> LastPosition? { try log.lastPosition() }

    /// What the odometer showed when a record or a position was last committed; zero before.
    package func driven() throws -> OdometerReading { try log.driven() }

    /// A transaction of its own: at most once a minute, and on an orderly stop.
    package func save(_ position: LastPosition) throws { try log.save(position) }

    /// The engine's checkpoint of the last commit or ``flush(checkpoint:)``, if it was given there.
    package func checkpoint() throws -> StoredCheckpoint? { try log.checkpoint() }
}
