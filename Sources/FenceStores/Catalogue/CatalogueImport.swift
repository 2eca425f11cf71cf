package import Fencing

/// A large set of fences on its way into the catalogue, in as many calls as the caller likes.
///
/// It has its own connection: until ``finish()`` every question is answered from the catalogue as
/// it was, and events are committed as ever (they are in another file). Other changes are refused
/// as busy meanwhile. Dropped without ``finish()``, it leaves nothing behind.
package final class CatalogueImport {
    /// Nil once it is over.
    private var session: Session?
    private let ended: () -> Void

    private struct Session {
        var database: Database
        var writer: CatalogueWriter
    }

    init(
        _ database: Database, origin: FenceOrigin, floor: Generation,
        ended: @escaping () -> Void
    ) throws {
        self.ended = ended
        // Ids come in no order, and the cache is small; but 8 MB of it saved nothing that could be
        // measured (1 100 000 fences, 27 s of processor either way), and glibc would keep them.
        try database.script("PRAGMA cache_size=-2048")
        try database.begin()
        do {
            session = Session(
                database: database,
                writer: try CatalogueWriter(database, origin: origin, floor: floor))
        } catch {
            database.rollback()
            throw error
        }
    }

    deinit { cancel() }

    /// - Throws: ``CatalogueRefusal`` for an id that comes twice or is none, ``StoreError``; the
    ///   import is over then, and nothing of it is stored.
    package func add(_ fence: Fence) throws {
        do {
            if let flaw = FenceRules.flaw(fence) {
                throw CatalogueRefusal(fence: fence.id, reason: flaw)
            }
            switch try session?.writer.put(fence) {
            case .stored, .unchanged:
                if let doubt = fence.doubt { session?.writer.warn(fence.id, doubt) }
            case .owned(let owner):
                session?.writer.warn(fence.id, "belongs to \(owner); this entry is left out")
            case .twice:
                throw CatalogueRefusal(fence: fence.id, reason: "comes twice in one batch")
            case nil:
                preconditionFailure("add after the end of an import")
            }
        } catch {
            cancel()
            throw error
        }
    }

    /// Commits, durably.
    /// - Parameter replacing: fences of this origin that were not added are removed.
    package func finish(replacing: Bool) throws -> CatalogueChange {
        do {
            if replacing { try session?.writer.removeUnseen() }
            guard let change = try session?.writer.finish() else {
                preconditionFailure("an import ended twice")
            }
            try session?.database.commit()
            end()
            return change
        } catch {
            cancel()
            throw error
        }
    }

    /// Forgets everything that was added.
    package func cancel() {
        guard session != nil else { return }
        session?.database.rollback()
        end()
    }

    /// Closes the connection, and with it frees its cache.
    private func end() {
        session = nil
        ended()
    }
}
