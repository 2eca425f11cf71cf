package import Model
import Schedules

/// A large set of fences being loaded into the catalogue, in as many calls as the caller likes.
///
/// It has its own connection: until ``finish()`` every query is answered from the catalogue as it
/// was, and events are committed as usual (they are in another file). Other changes are refused as
/// busy meanwhile. Dropped without ``finish()``, it leaves nothing behind.
package final class CatalogueImport {
    /// Nil once it is over.
    private var session: Session?
    private let isDryRun: Bool
    private let leavesOut: Bool
    private let hourBook: HourBook
    private let ended: (_ error: (any Error)?, _ copied: SetCopyChange?) -> Void

    private struct Session {
        var database: Database
        var writer: CatalogueWriter
    }

    init(
        _ database: Database, origin: FenceOrigin, floor: Generation,
        conditions: ChangeConditions, manifest: FenceManifest?, held: HeldFences,
        hourBook: HourBook, leavesOut: Bool,
        ended: @escaping (_ error: (any Error)?, _ copied: SetCopyChange?) -> Void
    ) throws {
        self.leavesOut = leavesOut
        self.ended = ended
        self.hourBook = hourBook
        isDryRun = conditions.isDryRun
        // New rows are written in the order of their tables: a larger cache would not help.
        try database.script("PRAGMA cache_size=-2048")
        try database.begin()
        do {
            session = Session(
                database: database,
                writer: try CatalogueWriter(
                    database, origin: origin, floor: floor, conditions: conditions,
                    manifest: manifest, held: held))
        } catch {
            database.rollback()
            throw error
        }
    }

    deinit { cancel() }

    /// - Throws: ``CatalogueRefusal`` for an id that is invalid or duplicate (duplicates among new
    ///   ids are reported by ``finish(replacing:)``), ``ChangeRefusal``, ``StoreError``; then the
    ///   import is over, and nothing of it is stored.
    package func add(_ fence: Fence) throws { try put(fence, added: nil, wasStored: false) }

    /// One that was accepted before.
    /// - Parameter added: the generation in which it was added, as a copy says; nil: this one.
    func add(_ fence: Fence, added: Generation?) throws {
        try put(fence, added: added, wasStored: true)
    }

    private func put(_ fence: Fence, added: Generation?, wasStored: Bool) throws {
        do {
            if let flaw = hourBook.flaw(fence, wasStored: wasStored) {
                throw CatalogueRefusal(fence: fence.id, reason: flaw)
            }
            switch try session?.writer.put(fence, added: added) {
            case .stored, .unchanged:
                if let warning = fence.warning { session?.writer.warn(fence.id, warning) }
            case .owned(let owner):
                try leaveOut(fence.id, owner)
            case .twice:
                throw CatalogueRefusal(fence: fence.id, reason: "comes twice in one batch")
            case nil:
                preconditionFailure("add after the end of an import")
            }
        } catch {
            cancel(after: error)
            throw error
        }
    }

    /// Removes a fence; an unknown id is ignored.
    /// - Throws: ``CatalogueRefusal``, ``StoreError``; then the import is over, and nothing of it
    ///   is stored.
    package func remove(id: String) throws {
        guard session != nil else { preconditionFailure("remove after the end of an import") }
        do {
            if let owner = try session?.writer.remove(id: id) { try leaveOut(id, owner) }
        } catch {
            cancel()
            throw error
        }
    }

    /// Whether that fence, which was accepted before, would end the import.
    func refuses(_ fence: Fence) -> Bool { hourBook.flaw(fence, wasStored: true) != nil }

    private func leaveOut(_ id: String, _ owner: FenceOrigin) throws {
        guard leavesOut else { throw CatalogueRefusal(fence: id, reason: "belongs to \(owner)") }
        session?.writer.warnLeftOut(id, owner)
    }

    /// Commits, durably.
    /// - Parameter replacing: fences of this origin that were not added are removed.
    /// - Throws: ``CatalogueRefusal`` for a duplicate id, ``ChangeRefusal``, ``StoreError``; then
    ///   nothing is stored.
    package func finish(replacing: Bool) throws -> CatalogueChange {
        while true {
            if let change = try finish(replacing: replacing, until: { false }) { return change }
        }
    }

    /// Like ``finish(replacing:)``, in portions: nil if the time was up before the end, and then it
    /// must be called again.
    package func finish(
        replacing: Bool, until isTimeUp: () -> Bool
    ) throws -> CatalogueChange? {
        try finish(replacing ? .whole : .changes, replacing: replacing, until: isTimeUp)
    }

    /// The same of what was put from a copy of the set.
    func finish(
        _ bringing: CatalogueWriter.Bringing, replacing: Bool, until isTimeUp: () -> Bool
    ) throws -> CatalogueChange? {
        guard session != nil else { preconditionFailure("an import ended twice") }
        do {
            if replacing, try session?.writer.removeUnseen(until: isTimeUp) == false { return nil }
            guard try session?.writer.write(until: isTimeUp) == true else { return nil }
            let change = try session?.writer.finish(bringing)
            let copied = session?.writer.copied
            guard !isDryRun else {
                cancel()
                return change
            }
            try session?.database.commit()
            // The write-ahead log has grown as large as the import, and the file now holds all of
            // it. Does not wait for readers on other connections.
            try? session?.database.script(
                "PRAGMA busy_timeout=0; PRAGMA wal_checkpoint(TRUNCATE)")
            end(after: nil, copied)
            return change
        } catch {
            cancel(after: error)
            throw error
        }
    }

    /// Discards everything that was added.
    package func cancel() { cancel(after: nil) }

    private func cancel(after error: (any Error)?) {
        guard session != nil else { return }
        session?.database.rollback()
        end(after: error)
    }

    /// Closes the connection, which frees its cache.
    private func end(after error: (any Error)?, _ copied: SetCopyChange? = nil) {
        session = nil
        ended(error, copied)
    }
}

extension CatalogueWriter {
    /// What was put.
    enum Bringing {
        /// Changes of the set.
        case changes
        /// All that the origin has.
        case whole
        /// All that its copy has, which has those contents.
        case copy(SetContents)
        /// What an older copy has and is not there.
        case olderCopy
    }
}
