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
package final class Store {
    /// The fences.
    package let catalogue: Catalogue
    /// The events, and what is told with them.
    package let log: EventLog
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

    // MARK: Changes

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

    /// Removes fences that have ended, of any origin, and their marks: one transaction of each
    /// file. One that was added again since then stays.
    /// - Throws: ``StoreError``, also while an import is under way; then the call should be
    ///   repeated.
    package func retire(_ fences: [SpentFence]) throws {
        guard !fences.isEmpty else { return }
        try catalogue.remove(ended: fences)
        try log.forget(fences)
    }

    /// Writes what waits for the next commit, and the engine's checkpoint. For an orderly stop.
    package func flush(checkpoint: [UInt8]? = nil) throws {
        if let usedMark { mark?.keep(usedMark) }
        try log.flush(checkpoint: checkpoint)
    }
}

/// What the law asks.
extension Store: FenceStore {
    package var generation: Generation { catalogue.generation }

    package var count: Int { catalogue.count }

    package func entries(
        meeting box: GeoBox, limit: Int = .max,
        where isWanted: (CatalogueEntry) -> Bool = { _ in true }
    ) throws -> [CatalogueEntry] {
        try catalogue.entries(meeting: box, limit: limit, where: isWanted)
    }

    package func entries(ids: [String]) throws -> [CatalogueEntry] {
        try catalogue.entries(ids: ids)
    }

    package func nearest(to anchor: SurfacePoint, limit: Int) throws -> [RankedEntry] {
        try catalogue.nearest(to: anchor, limit: limit)
    }

    package func followed() throws -> [CatalogueEntry] { try catalogue.followed() }

    package var mayLackFences: Bool {
        catalogue.lacksFences || catalogue.connection.suspect != nil
            || log.connection.suspect != nil
    }

    package var heldFences: Set<FenceKey> { Set(catalogue.zoneless.fences.keys) }

    package func commit(_ record: EventRecord) throws -> [LoggedEvent] {
        try log.commit(record)
    }
}
