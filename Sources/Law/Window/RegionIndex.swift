import Model

/// Finds the regions of a window by id. With the few there usually are, a linear search is fastest.
struct RegionIndex {
    private static let few = 48
    private let regions: [RegionMonitor]
    private let digests: [UInt64]
    private let indices: [FenceKey: Int]

    /// No key comes twice.
    init(_ regions: [RegionMonitor]) {
        self.regions = regions
        if regions.count <= Self.few {
            digests = regions.map(\.entry.digest)
            indices = [:]
        } else {
            digests = []
            indices = Dictionary(zip(regions.map(\.key), regions.indices)) { first, _ in first }
        }
    }

    func contains(_ entry: CatalogueEntry) -> Bool { index(of: entry) != nil }

    /// The index of the region with the id of that entry; nil where there is none.
    func index(of entry: CatalogueEntry) -> Int? {
        guard regions.count <= Self.few else { return indices[entry.key] }
        let wanted = entry.digest
        for (index, digest) in digests.enumerated()
        where digest == wanted && regions[index].entry.hasID(of: entry) {
            return index
        }
        return nil
    }
}
