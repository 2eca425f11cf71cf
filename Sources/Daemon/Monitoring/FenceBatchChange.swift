package import Model
import Storage
package import Time

/// One atomic batch of changes that is too large for one turn of the loop, stored a portion at a
/// time: until the end every query is answered from the catalogue as it was. Dropped before that,
/// it leaves nothing behind.
@MainActor
package final class FenceBatchChange {
    private let service: MonitoringService
    private let session: CatalogueImport
    private var removals: ArraySlice<String>
    private var upserts: ArraySlice<Fence>

    fileprivate init(
        _ service: MonitoringService, upserts: [Fence], removing ids: [String],
        _ session: CatalogueImport
    ) {
        self.service = service
        self.session = session
        removals = ids[...]
        self.upserts = upserts[...]
    }

    /// Continues until `isTimeUp` returns true, or to the end: then the catalogue has changed.
    /// - Throws: ``CatalogueRefusal``, ``ChangeRefusal``, or an error of the store; then nothing is
    ///   stored.
    package func step(at now: Uptime, until isTimeUp: () -> Bool) throws -> CatalogueChange? {
        repeat {
            if let id = removals.popFirst() {
                try session.remove(id: id)
            } else if let fence = upserts.popFirst() {
                try session.add(fence)
            } else {
                let change = try session.finish(replacing: false, until: isTimeUp)
                if change != nil { service.catalogueMayHaveChanged(at: now) }
                return change
            }
        } while !isTimeUp()
        return nil
    }
}

extension MonitoringService {
    /// Begins what ``apply(upserts:removing:of:_:at:)`` does, and for fences of the bus
    /// ``apply(upserts:removing:at:)``, in portions.
    /// - Parameter leavesOut: whether an entry of another origin is skipped; else it refuses all.
    /// - Throws: ``CatalogueRefusal``, ``ChangeRefusal``, `StoreError`.
    package func beginBatch(
        upserts: [Fence], removing ids: [String], of origin: FenceOrigin,
        _ conditions: ChangeConditions, leavesOut: Bool
    ) throws -> FenceBatchChange {
        var seen: Set<FenceKey> = []
        for id in upserts.lazy.map(\.id) where !seen.insert(FenceKey(id)).inserted {
            throw CatalogueRefusal(fence: id, reason: "comes twice in one batch")
        }
        for id in ids where !seen.insert(FenceKey(id)).inserted {
            throw CatalogueRefusal(fence: id, reason: "comes twice in one batch")
        }
        return FenceBatchChange(
            self, upserts: upserts, removing: ids,
            try store.beginImport(
                origin: origin, conditions: limited(origin, conditions),
                leavesOut: leavesOut))
    }
}
