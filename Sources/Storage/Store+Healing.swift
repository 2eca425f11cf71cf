import Bytes
package import Model

// The copies of sets, and lost sets that are filled again from them.
extension Store {
    /// The work of a process of its own, which leaves the copy for ``Catalogue/takeCopy(of:)``.
    /// - Parameter state: the directory of the store.
    /// - Throws: ``StoreError``; then nothing is left.
    package static func writeCopy(of origin: FenceOrigin, in state: String) throws {
        try SetCopies.write(of: origin, in: state)
    }

    /// Begins to fill a lost set again from its copy.
    /// - Returns: nil if there is nothing to do any more.
    package func beginHealing(_ origin: FenceOrigin) -> SetHealing? {
        guard catalogue.healable.contains(origin) else { return nil }
        return SetHealing(self, origin)
    }
}

/// A lost set being filled again from its copy, a portion at a time: until the end every query is
/// answered from the catalogue as it was. Dropped before that, it leaves nothing behind.
package final class SetHealing {
    /// What came of it.
    package enum Outcome: Hashable, Sendable {
        /// All of the set is back: that many fences.
        case healed(Int)
        /// The copy was older, or not whole: that many fences of it are back.
        case partly(Int)
        /// It cannot be read.
        case damaged
    }

    private let store: Store
    private let origin: FenceOrigin
    private let path: String
    private var scan: SetCopyScan?
    private var filling: (reader: SetCopyReader, session: CatalogueImport)?
    private var count = 0

    fileprivate init(_ store: Store, _ origin: FenceOrigin) {
        self.store = store
        self.origin = origin
        path = store.catalogue.copies.path(of: origin.name)
    }

    /// Continues until `isTimeUp` returns true, or to the end: then the catalogue has changed.
    /// - Throws: ``StoreError``, ``ChangeRefusal``; then nothing has changed, and it is over.
    package func step(until isTimeUp: () -> Bool) throws -> Outcome? {
        if filling == nil {
            do {
                guard try begin(until: isTimeUp) else { return nil }
            } catch is DamagedCopy {}
        }
        guard let (reader, session) = filling, let scan, let mark = scan.mark else {
            store.catalogue.copies.setAside(origin.name)
            return .damaged
        }
        // Those of a lost set come back as they were; then all others of it have been removed.
        let isAll = mark.contents.mark == store.catalogue.manifest.lost[origin.name]
        while reader.count < scan.end, let entry = try reader.next() {
            if case .put(let bytes) = entry {
                try add(bytes, at: reader.count, scan, session, replacing: isAll)
            }
            if isTimeUp() { return nil }
        }
        // What is not all of it is put beside what there is.
        let bringing = isAll ? CatalogueWriter.Bringing.copy(mark.contents) : .olderCopy
        guard try session.finish(bringing, replacing: isAll, until: isTimeUp) != nil else {
            return nil
        }
        filling = nil
        let isLost = store.catalogue.manifest.lost[origin.name] != nil
        // It is here by now, and would remove what comes next.
        if isLost || scan.isTorn { store.catalogue.copies.drop(origin.name) }
        return isLost ? .partly(count) : .healed(count)
    }

    /// True when the set can be filled, or never.
    private func begin(until isTimeUp: () -> Bool) throws -> Bool {
        if scan == nil { scan = try SetCopyScan(path) }
        guard try scan?.step(until: isTimeUp) == true else { return false }
        guard scan?.mark != nil else { return true }
        filling = (try SetCopyReader(path), try store.beginImport(origin: origin))
        return true
    }

    /// - Parameter replaces: what is there may be an older one; if not, the copy may be.
    private func add(
        _ bytes: [UInt8], at entry: Int, _ scan: SetCopyScan, _ session: CatalogueImport,
        replacing replaces: Bool
    ) throws {
        let found = bytes.withByteView { bytes -> (fence: Fence, history: FenceRecord.History)? in
            guard let record = try? FenceRecord(bytes), let id = try? record.id(),
                scan.holds(entry, id)
            else { return nil }
            return try? record.fence()
        }
        guard let (fence, history) = found, !session.refuses(fence) else { return }
        if !replaces, try store.catalogue.hasID(fence.id) { return }
        // One that was there when the last event was told is not met for the first time.
        try session.add(fence, added: history.added <= store.log.known ? history.added : nil)
        count += 1
    }
}
