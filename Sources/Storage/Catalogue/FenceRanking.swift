import Bytes
import Geodesy
import Law
import Model

/// The fences nearest to a place, found in portions, for a question: what an area is decoded to is
/// dropped at once, so that the answer does not depend on how many of them fit into memory. A fence
/// that changes meanwhile is in it as it was or as it is.
package final class FenceRanking {
    private let catalogue: Catalogue
    private var search: NearestFenceSearch
    private let isWanted: Bool
    /// Numbers of the cells that have been looked at.
    private var looked: Set<Int64> = []

    init(_ catalogue: Catalogue, to anchor: SurfacePoint, limit: Int) {
        self.catalogue = catalogue
        isWanted = limit > 0
        search = NearestFenceSearch(from: anchor, limit: max(limit, 1))
    }

    /// Continues until `isTimeUp` returns true; at the end the fences of least signed distance, in
    /// that order, ties by id as UTF-8 bytes. Those that cannot be read are left out, and noted.
    /// - Throws: ``StoreError``; then it is over.
    package func step(until isTimeUp: () -> Bool) throws -> [RankedFence]? {
        guard isWanted else { return [] }
        let isDone = try catalogue.use { try look($0, until: isTimeUp) }
        guard isDone else { return nil }
        var seen: Set<FenceKey> = []
        return try search.rankedIDs().filter { seen.insert(FenceKey($0.id)).inserted }
    }

    /// From the nearest cell that has not been looked at; false if the time was up before the end.
    private func look(_ database: Database, until isTimeUp: () -> Bool) throws -> Bool {
        let place = search.bound.place
        var isDone = true
        try database.rows(
            NearestFenceSearch.bestFirst, .real(place.latitude), .real(place.longitude),
            .real(search.bound.cosine)
        ) { row in
            guard search.wants(row) else { return false }
            let cell = row.integer(0)
            guard looked.insert(cell).inserted else { return true }
            try row.withBytes(1) { bytes in
                try search.look(
                    at: bytes, of: cell, damaged: { catalogue.note($0, of: cell) },
                    area: {
                        try catalogue.passing($0, number: cell + Int64($0.slot)).area
                    })
            }
            isDone = !isTimeUp()
            return isDone
        }
        return isDone
    }
}
