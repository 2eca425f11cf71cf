import CSQLite
import Law
import Model
import Schedules

/// Changes of the catalogue: one batch at once, or an import in portions.
extension Catalogue {
    /// One atomic batch, idempotent by id: removals first, then upserts.
    /// - Parameter leavesOut: whether an entry whose id belongs to another origin is skipped and
    ///   named in the warnings; otherwise it refuses the batch.
    /// - Throws: ``CatalogueRefusal``, ``ChangeRefusal``, ``StoreError``; then nothing is stored.
    func apply(
        upserts: [Fence], removing ids: [String], origin: FenceOrigin,
        conditions: ChangeConditions, leavesOut: Bool, held: HeldFences
    ) throws -> CatalogueChange {
        var seen: Set<FenceKey> = []
        for id in upserts.map(\.id) + ids where !seen.insert(FenceKey(id)).inserted {
            throw CatalogueRefusal(fence: id, reason: "comes twice in one batch")
        }
        for fence in upserts {
            if let flaw = hourBook.flaw(fence) {
                throw CatalogueRefusal(fence: fence.id, reason: flaw)
            }
        }
        try refuseWhileImporting()
        try refuseWhileAbsent(origin)
        let (change, copied) = try use { database in
            try refuseStrays(upserts.map(\.id) + ids, database)
            return try database.transaction(undone: conditions.isDryRun) {
                var writer = try CatalogueWriter(
                    database, origin: origin, floor: generation, conditions: conditions,
                    manifest: presentManifest, held: held)
                func isOurs(_ id: String, _ owner: FenceOrigin) throws {
                    guard leavesOut else {
                        throw CatalogueRefusal(fence: id, reason: "belongs to \(owner)")
                    }
                    writer.warnLeftOut(id, owner)
                }
                for id in ids {
                    if let owner = try writer.remove(id: id) { try isOurs(id, owner) }
                }
                for fence in upserts {
                    if case .owned(let owner) = try writer.put(fence) {
                        try isOurs(fence.id, owner)
                    } else if let warning = fence.warning {
                        writer.warn(fence.id, warning)
                    }
                }
                while try !writer.write(until: { false }) {}
                return (try writer.finish(.changes), writer.copied)
            }
        }
        if !conditions.isDryRun { noteCopied(copied) }
        try refresh()
        noteMended()
        return change
    }

    /// Removes those of the fences that still exist, unless they were added again: one transaction.
    /// - Throws: ``StoreError``; then all are still there.
    func remove(ended fences: [SpentFence]) throws {
        try refuseWhileImporting()
        let owned = try use { database in
            try Dictionary(grouping: fences) { spent -> Int64? in
                guard let number = try CellTable.number(id: spent.fence, in: database),
                    let history = try read(number, spent.fence, database, { try $0.history() }),
                    history.added == spent.added
                else { return nil }
                return history.origin
            }
        }
        let origins = try use { database in
            try owned.keys.compactMap { $0 }.sorted().map { number in
                (origin: try origin(number, database) ?? .bus, fences: owned[number] ?? [])
            }
        }
        guard !origins.isEmpty else { return }
        for (origin, _) in origins { try refuseWhileAbsent(origin) }
        let copied = try use { database in
            try database.transaction {
                try origins.map { origin, fences in
                    var writer = try CatalogueWriter(
                        database, origin: origin, floor: generation,
                        conditions: ChangeConditions(), manifest: presentManifest,
                        held: HeldFences())
                    for spent in fences {
                        _ = try writer.remove(id: spent.fence, hasEnded: true)
                    }
                    _ = try writer.finish(.changes)
                    return writer.copied
                }
            }
        }
        for change in copied { noteCopied(change) }
        try refresh()
        noteMended()
    }

    /// Begins a change in portions; other changes are refused until it has ended.
    func beginImport(
        origin: FenceOrigin, conditions: ChangeConditions, leavesOut: Bool, held: HeldFences
    ) throws -> CatalogueImport {
        try refuseWhileImporting()
        try refuseWhileAbsent(origin)
        let session = try CatalogueImport(
            try connection.another(), origin: origin, floor: generation, conditions: conditions,
            manifest: presentManifest, held: held, hourBook: hourBook, leavesOut: leavesOut
        ) { [weak self] error, copied in
            self?.isImporting = false
            if let error { self?.connection.note(error) }
            if let copied { self?.noteCopied(copied) }
            try? self?.refresh()
            self?.noteMended()
        }
        isImporting = true
        return session
    }

    /// One that is not found for damage would be there twice, or would stay.
    private func refuseStrays(_ ids: [String], _ database: Database) throws {
        guard connection.suspect == nil else { return }
        for id in ids { _ = try number(id: id, database) }
        if connection.suspect != nil { throw StoreError(lostRecordIn: path) }
    }

    private func refuseWhileImporting() throws(StoreError) {
        guard isImporting else { return }
        throw StoreError(
            code: SQLITE_BUSY, message: "an import is under way", path: connection.path)
    }

    /// A change over the bus must be durable; the administrator's files can be read again at the
    /// next start.
    private func refuseWhileAbsent(_ origin: FenceOrigin) throws {
        connection.mend()
        if origin.isFile { return }
        if let absence = connection.absence { throw absence }
    }
}
