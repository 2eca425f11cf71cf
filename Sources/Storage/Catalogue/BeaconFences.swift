import Bytes
import Engine

/// The beacon fences, which have no place and are read all at once.
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
}
