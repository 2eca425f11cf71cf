package import Model
import Storage
package import Time

// Who may change which fences, and how many may exist.
extension MonitoringService {
    /// Fences in the catalogue.
    package var fenceCount: Int { store.count }

    /// Names of the files of fences.d that have fences in the catalogue; empty if the store cannot
    /// be read.
    package var fenceFiles: [String] {
        let origins = (try? store.catalogue.origins()) ?? []
        return origins.compactMap { if case .file(let name) = $0.origin { name } else { nil } }
            .sorted()
    }

    /// The origins that have fences.
    /// - Throws: `StoreError`
    package func origins() throws -> [OriginSummary] { try store.catalogue.origins() }

    /// One atomic batch, idempotent by id, of fences of the bus: an id that belongs to another
    /// origin refuses the batch.
    /// - Throws: ``CatalogueRefusal``, ``ChangeRefusal``, `StoreError`; then nothing is stored.
    package func apply(
        upserts: [Fence], removing ids: [String], at now: Uptime
    ) throws -> CatalogueChange {
        let change = try store.apply(
            upserts: upserts, removing: ids, conditions: limited(.bus))
        catalogueMayHaveChanged(at: now)
        return change
    }

    /// One atomic batch of fences of `origin`, idempotent by id. An entry whose id belongs to
    /// another origin is skipped and named in the warnings.
    /// - Throws: ``CatalogueRefusal``, ``ChangeRefusal``, `StoreError`; then nothing is stored.
    package func apply(
        upserts: [Fence], removing ids: [String], of origin: FenceOrigin,
        _ conditions: ChangeConditions, at now: Uptime
    ) throws -> CatalogueChange {
        let change = try store.apply(
            upserts: upserts, removing: ids, origin: origin,
            conditions: limited(origin, conditions), leavesOut: true)
        catalogueMayHaveChanged(at: now)
        return change
    }

    /// Replaces the fences of `origin` by those that `next` returns until it returns nil: one
    /// transaction.
    /// - Throws: what `next` throws, ``CatalogueRefusal``, ``ChangeRefusal``, `StoreError`.
    package func replaceAll(
        origin: FenceOrigin, at now: Uptime, with next: () throws -> Fence?
    ) throws -> CatalogueChange {
        let change = try store.replaceAll(
            origin: origin, conditions: limited(origin), with: next)
        catalogueMayHaveChanged(at: now)
        return change
    }

    /// With more entries of that origin in a file, whatever they are, the change is refused: those that are of
    /// others, and skipped, are no more than there are of these.
    func bound(
        of origin: FenceOrigin, _ conditions: ChangeConditions
    ) throws -> (entries: Int, refusal: ChangeRefusal) {
        let owned = try store.catalogue.origins().first { $0.origin == origin }?.fences ?? 0
        let others = max(store.count - owned, 0)
        let all = max(conditions.fenceLimit, store.count)
        let own = max(conditions.originLimit, owned)
        let (share, isAny) = others.addingReportingOverflow(own)
        return isAny || all <= share
            ? (all, .tooManyFences(limit: conditions.fenceLimit))
            : (share, .quotaExceeded(origin, limit: conditions.originLimit))
    }

    /// `conditions`, together with those of the settings: a named origin has a quota, so that none
    /// can take the room of the others.
    func limited(
        _ origin: FenceOrigin, _ conditions: ChangeConditions = ChangeConditions()
    ) -> ChangeConditions {
        var limited = conditions
        limited.fenceLimit = settings.fenceLimit
        if case .named = origin { limited.originLimit = settings.originLimit }
        return limited
    }
}
