package import Geodesy
package import Law
package import Model

// What others ask of the catalogue.
extension Catalogue {
    /// The nearest fences by their ids, for a question, see ``FenceRanking``.
    package func ranking(to anchor: SurfacePoint, limit: Int) -> FenceRanking {
        FenceRanking(self, to: anchor, limit: limit)
    }

    /// A page of the fences that match `filter`, see ``FenceListing``.
    package func listing(
        _ filter: FenceFilter, after id: String = "", offset: Int = 0, limit: Int
    ) -> FenceListing {
        FenceListing(self, filter, after: id, offset: offset, limit: limit)
    }

    /// The number of fences in each cell of a grid, see ``FenceCounting``.
    package func counting(_ grid: FenceGrid) -> FenceCounting { FenceCounting(self, grid) }

    /// Those of `ids` that exist.
    package func entries(ids: [String]) throws -> [CatalogueEntry] {
        try ids.compactMap { try entry(id: $0) }
    }

    /// For a start: those of `ids` that exist and can be read.
    package func readableEntries(ids: [String]) throws -> [CatalogueEntry] {
        try ids.compactMap { id in
            do { return try entry(id: id) } catch let error as StoreError
                where error.kind == .corrupt
            { return nil }
        }
    }

    /// For a start: the beacon fences, unless they cannot be read.
    package func readableBeaconRegions() throws -> [BeaconRegion] {
        do { return try beaconRegions() } catch let error as StoreError
            where error.kind == .corrupt
        { return [] }
    }

    /// Whether that fence is left out.
    package func leavesOut(_ id: String) -> Bool { leftOut.contains(id) }

    /// Whether sets that were accepted are not here: the file was lost, or is an older one.
    package var lacksFences: Bool { !manifest.lost.isEmpty }

    /// Its file; nil while that is not in use.
    package var file: String? { connection.absence == nil ? path : nil }

    /// All files of fences have been read: what comes of a file now is new.
    package func filesWereLoaded() { forgotFiles = false }

    /// Begins to make it one of what can be believed, after ``StoreCheck/Verdict/lacking(_:)``.
    /// - Throws: ``StoreError``, also while another change is under way.
    package func beginMending() throws -> CatalogueMending { try CatalogueMending(self) }
}
