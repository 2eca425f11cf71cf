import Bytes
import Geodesy
import Law

/// Ids with the numbers of their fences: many, in little memory.
private struct MetFences {
    private struct Met {
        var start: Int32
        var count: Int32
        var number: Int64
    }

    private var bytes: [UInt8] = []
    private var all: [Met] = []

    mutating func add(_ id: ByteView, _ number: Int64) {
        all.append(Met(start: Int32(bytes.count), count: Int32(id.count), number: number))
        bytes.append(contentsOf: id)
    }

    /// In the order of the ids.
    func numbers() -> [Int64] {
        func id(_ met: Met) -> ArraySlice<UInt8> {
            bytes[Int(met.start)..<Int(met.start + met.count)]
        }
        return all.sorted { id($0).lexicographicallyPrecedes(id($1)) }.map(\.number)
    }
}

extension Catalogue {
    /// Where more fences meet a box than can be monitored: they are decoded in the order of their
    /// ids, one after the other, until there are enough.
    func firstEntries(
        meeting box: GeoBox, limit: Int, _ database: Database,
        where isWanted: (CatalogueEntry) -> Bool
    ) throws -> [CatalogueEntry] {
        let test = BoxTest(box)
        var met = MetFences()
        try cells(meeting: box, database) { cell, bytes in
            try FenceCell.forEach(bytes, of: cell, damaged: { note($0, of: cell) }) { record, _ in
                guard try test.mayMeet(record, record.rawCircle()) else { return }
                met.add(try record.id(), cell + Int64(record.slot))
            }
            return true
        }
        var found: [CatalogueEntry] = []
        for number in met.numbers() where found.count < limit {
            if let entry = try entry(number: number, database), isWanted(entry) {
                found.append(entry)
            }
        }
        return found
    }
}

extension [CatalogueEntry] {
    /// The first `limit` by id, of those that `isWanted`.
    func first(_ limit: Int, where isWanted: (CatalogueEntry) -> Bool) -> [CatalogueEntry] {
        let ordered = filter(isWanted).sorted {
            $0.id.utf8.lexicographicallyPrecedes($1.id.utf8)
        }
        return Array(ordered.prefix(limit))
    }
}
