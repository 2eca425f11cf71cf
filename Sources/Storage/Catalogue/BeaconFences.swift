import Bytes
import Engine

/// Fences that are read all at once, wherever the vehicle is: those of beacons, which have no place, and
/// those whose way is followed.
extension Catalogue {
    /// All of them, in no order; those whose records cannot be read are noted and left out.
    func beaconRegions() throws -> [BeaconRegion] {
        try use { database in
            var regions: [BeaconRegion] = []
            try database.rows(
                "SELECT beacon.number, fences FROM beacon JOIN cell ON cell.number = beacon.number"
            ) { row in
                let cell = row.integer(0)
                try row.withBytes(1) { bytes in
                    try FenceCell.forEach(bytes, damaged: { note($0, of: cell) }) { record, _ in
                        guard record.isOfBeacons else { return }
                        let (fence, history) = try fence(
                            record, number: cell + Int64(record.slot))
                        guard let region = BeaconRegion(fence, added: history.added) else {
                            throw DamagedRecord()
                        }
                        regions.append(region)
                    }
                }
                return true
            }
            return regions
        }
    }

    /// Those whose way is followed; without those that cannot be read, which are noted.
    func followed() throws -> [CatalogueEntry] {
        if let followedEntries { return followedEntries }
        let found = try use { database in
            var (found, isWhole) = ([CatalogueEntry](), true)
            try database.rows(
                "SELECT beacon.number, fences FROM beacon JOIN cell ON cell.number = beacon.number"
            ) { row in
                let cell = row.integer(0)
                try row.withBytes(1) { bytes in
                    try FenceCell.forEach(bytes, damaged: { note($0, of: cell) }) { record, _ in
                        guard !record.isOfBeacons, try record.isFollowed() else { return }
                        let entry = try readable(record, number: cell + Int64(record.slot))
                        if let entry { found.append(entry) } else { isWhole = false }
                    }
                }
                return true
            }
            return (found, isWhole)
        }
        // Where one had no room, it may have next time.
        if found.1 { followedEntries = found.0 }
        return found.0
    }
}
