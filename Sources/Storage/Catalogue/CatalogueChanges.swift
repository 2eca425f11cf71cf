import CSQLite
import Engine
import Schedules

/// Changes of the catalogue: one batch at once, or an import in portions.
extension Catalogue {
    /// One atomic batch, idempotent by id: removals first, then upserts.
    /// - Parameter leavesOut: whether an entry whose id belongs to another origin is skipped and
    ///   named in the warnings; otherwise it refuses the batch.
    /// - Throws: ``CatalogueRefusal``, ``ChangeRefusal``, ``StoreError``; then nothing is stored.
    func apply(
        upserts: [Fence], removing ids: [String], origin: FenceOrigin,
        conditions: ChangeConditions, leavesOut: Bool
    ) throws -> CatalogueChange {
        var seen: Set<String> = []
        for id in upserts.map(\.id) + ids where !seen.insert(id).inserted {
            throw CatalogueRefusal(fence: id, reason: "comes twice in one batch")
        }
        for fence in upserts {
            if let flaw = hourBook.flaw(fence) {
                throw CatalogueRefusal(fence: fence.id, reason: flaw)
            }
        }
        try refuseWhileImporting()
        try refuseWhileAbsent(origin)
        let change = try use { database in
            try database.transaction(undone: conditions.isDryRun) {
                var writer = try CatalogueWriter(
                    database, origin: origin, floor: generation, conditions: conditions)
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
                return try writer.finish()
            }
        }
        try refresh()
        noteMended()
        return change
    }

    /// Begins a change in portions; other changes are refused until it has ended.
    func beginImport(
        origin: FenceOrigin, conditions: ChangeConditions
    ) throws -> CatalogueImport {
        try refuseWhileImporting()
        try refuseWhileAbsent(origin)
        let session = try CatalogueImport(
            try connection.another(), origin: origin, floor: generation, conditions: conditions,
            hourBook: hourBook
        ) { [weak self] in
            self?.importing = false
            try? self?.refresh()
            self?.noteMended()
        }
        importing = true
        return session
    }

    private func refuseWhileImporting() throws(StoreError) {
        guard importing else { return }
        throw StoreError(
            code: SQLITE_BUSY, message: "an import is under way", path: connection.path)
    }

    /// A change over the bus must be durable; the administrator's files can be read again at the
    /// next start.
    private func refuseWhileAbsent(_ origin: FenceOrigin) throws {
        connection.mend()
        if case .file = origin { return }
        if let absence = connection.absence { throw absence }
    }
}
