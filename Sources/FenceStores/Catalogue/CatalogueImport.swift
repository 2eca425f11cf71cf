package import Fencing

/// A large set of fences on its way into the catalogue, in as many calls as the caller likes.
///
/// It has its own connection: until ``finish()`` every question is answered from the catalogue as
/// it was, and events are committed as ever (they are in another file). Other changes are refused
/// as busy meanwhile. Dropped without ``finish()``, it leaves nothing behind.
package final class CatalogueImport {
    private let database: Database
    private var writer: CatalogueWriter
    private let ended: () -> Void
    private var isOpen = true

    init(
        _ database: Database, origin: FenceOrigin, floor: Generation,
        ended: @escaping () -> Void
    ) throws {
        self.database = database
        self.ended = ended
        // Ids come in no order: without a cache each would rewrite a page of the index.
        try database.script("PRAGMA cache_size=-8192")
        try database.begin()
        do {
            writer = try CatalogueWriter(database, origin: origin, floor: floor)
        } catch {
            database.rollback()
            throw error
        }
    }

    deinit { if isOpen { cancel() } }

    /// - Throws: ``CatalogueRefusal`` for an id that comes twice or is none, ``StoreError``; the
    ///   import is over then, and nothing of it is stored.
    package func add(_ fence: Fence) throws {
        precondition(isOpen, "add after the end of an import")
        do {
            if let flaw = FenceRules.flaw(fence) {
                throw CatalogueRefusal(fence: fence.id, reason: flaw)
            }
            switch try writer.put(fence) {
            case .stored, .unchanged:
                if let doubt = fence.doubt { writer.warn(fence.id, doubt) }
            case .owned(let owner):
                writer.warn(fence.id, "belongs to \(owner); this entry is left out")
            case .twice:
                throw CatalogueRefusal(fence: fence.id, reason: "comes twice in one batch")
            }
        } catch {
            cancel()
            throw error
        }
    }

    /// Commits, durably.
    /// - Parameter replacing: fences of this origin that were not added are removed.
    package func finish(replacing: Bool) throws -> CatalogueChange {
        precondition(isOpen, "an import ended twice")
        do {
            if replacing { try writer.removeUnseen() }
            let change = try writer.finish()
            try database.commit()
            isOpen = false
            ended()
            return change
        } catch {
            cancel()
            throw error
        }
    }

    /// Forgets everything that was added.
    package func cancel() {
        guard isOpen else { return }
        isOpen = false
        database.rollback()
        ended()
    }
}
