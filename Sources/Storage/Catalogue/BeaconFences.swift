import Bytes
package import Law

/// Fences that are read all at once, wherever the vehicle is: those of beacons, which have no place, and
/// those whose way is followed.
extension Catalogue {
    /// The beacon fences, in no order; those whose records cannot be read are left out. No other
    /// query of the engine finds them.
    package func beaconRegions() throws -> [BeaconRegion] {
        try use { database in
            var regions: [BeaconRegion] = []
            try forEachFoundAtOnce(in: database) { record, number in
                guard record.isOfBeacons, !olderSets.hold(record) else { return }
                let (fence, history) = try fence(record, number: number)
                guard let region = BeaconRegion(fence, added: history.added) else {
                    throw DamagedRecord()
                }
                regions.append(region)
            }
            return regions
        }
    }

    /// Those whose way is followed; without those that cannot be read, which are noted.
    func followed() throws -> [CatalogueEntry] {
        if let followedEntries { return followedEntries }
        let found = try use { database in
            var (found, isWhole) = ([CatalogueEntry](), true)
            try forEachFoundAtOnce(in: database) { record, number in
                guard !record.isOfBeacons else { return }
                let entry = try readable(record, number: number)
                if let entry { found.append(entry) } else { isWhole = false }
            }
            return (found, isWhole)
        }
        // Where one had no room, it may have next time.
        if found.1 { followedEntries = found.0 }
        return found.0
    }

    /// Calls `body` with each record and its number; one that it cannot read is noted, and a number that
    /// does not lead to one of these.
    private func forEachFoundAtOnce(
        in database: Database, _ body: (FenceRecord, Int64) throws -> Void
    ) throws {
        try database.rows(
            """
            SELECT beacon.number, fences FROM beacon LEFT JOIN cell ON cell.number = beacon.number
            """
        ) { row in
            let cell = row.integer(0)
            guard !row.isNull(1) else {
                noteStray(cell)
                return true
            }
            try row.withBytes(1) { bytes in
                try FenceCell.forEach(bytes, of: cell, damaged: { note($0, of: cell) }) {
                    record, _ in
                    guard try record.isFoundAtOnce() else { return noteStray(cell) }
                    try body(record, cell + Int64(record.slot))
                }
            }
            return true
        }
    }

    private func noteStray(_ cell: Int64) {
        suspect("cell \(cell) is none of those that are found at once")
    }
}
