/// Where the regions of a window are, by id. Mostly there are so few that looking through them is
/// the quickest.
struct RegionPlaces {
    private static let few = 48
    private let regions: [FenceMonitor]
    private let digests: [UInt64]
    private let places: [FenceKey: Int]

    /// No key comes twice.
    init(_ regions: [FenceMonitor]) {
        self.regions = regions
        if regions.count <= Self.few {
            digests = regions.map(\.entry.digest)
            places = [:]
        } else {
            digests = []
            places = Dictionary(zip(regions.map(\.key), regions.indices)) { first, _ in first }
        }
    }

    func contains(_ entry: CatalogueEntry) -> Bool { place(of: entry) != nil }

    /// Of the region with the id of that entry.
    func place(of entry: CatalogueEntry) -> Int? {
        guard regions.count <= Self.few else { return places[entry.key] }
        let wanted = entry.digest
        for (place, digest) in digests.enumerated()
        where digest == wanted && regions[place].entry.hasID(of: entry) {
            return place
        }
        return nil
    }
}
