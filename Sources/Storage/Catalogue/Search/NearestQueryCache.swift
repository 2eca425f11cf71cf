import Bytes
import Geodesy
import Law

/// What the catalogue remembers of the last query, since the next one is usually close by: the
/// distance of the nearest fences, and the prefetched cells around there.
struct NearestQueryCache {
    /// Makes an entry of a record of the fence with that number; nil if it cannot be read.
    typealias Entry = (FenceRecord, _ number: Int64) throws -> CatalogueEntry?
    /// Called for records, or the rest of the cell with that number, that cannot be read.
    typealias Damaged = (FenceRecord?, _ cell: Int64) -> Void
    /// Passes the number and the bytes of every cell that meets the box, until the callback returns
    /// false.
    typealias Cells = (GeoBox, (Int64, ByteView) throws -> Bool) throws -> Void

    private var reach: NearestReach?
    private var prefetched: PrefetchedCells?
    /// The margin for which there was too much to read, and for how many more queries that is
    /// respected.
    private var tooMuch: (margin: Double, times: Int)?

    /// The fences may have changed; their distance is still a good guess.
    mutating func forget() { prefetched = nil }

    /// The `limit` nearest to the anchor were found within that signed distance, m.
    mutating func note(_ anchor: SurfacePoint, limit: Int, reach: Double) {
        self.reach = NearestReach(from: anchor, limit: limit, reach: reach)
    }

    /// How far to look from there, m; nil if nothing is known about it.
    func reach(around anchor: SurfacePoint, limit: Int) -> Double? {
        reach?.around(anchor, limit: limit)
    }

    /// Every fence whose box meets `box`; nil if that cannot be known without reading.
    mutating func entries(meeting box: GeoBox, entry: Entry) throws -> [CatalogueEntry]? {
        guard knows(box) else { return nil }
        return try prefetched?.entries(meeting: box, entry: entry)
    }

    /// From the prefetched cells, which are read if necessary; nil if too little is known or there
    /// is too much.
    mutating func nearest(
        to anchor: SurfacePoint, limit: Int, entry: Entry, cells: Cells,
        damaged: @escaping Damaged
    ) throws -> [RankedEntry]? {
        guard let last = self.reach, var reach = last.around(anchor, limit: limit) else {
            return nil
        }
        for _ in 0..<2 {
            let margin = NearestReach.margin(reach)
            let box = GeoBox(around: anchor.coordinate, radius: margin)
            if !knows(box) {
                try read(around: anchor, comingFrom: last.anchor, margin, cells, damaged)
            }
            guard knows(box),
                let found = try prefetched?.nearest(
                    to: anchor, limit: limit, within: reach, around: box, entry: entry)
            else { return nil }
            if found.count == limit, let last = found.last {
                note(anchor, limit: limit, reach: last.signedDistance)
                return found
            }
            // Too few are this near.
            reach *= 2
        }
        return nil
    }

    /// Whether everything that meets the box is known without reading.
    private func knows(_ box: GeoBox) -> Bool { prefetched?.box.holds(box) == true }

    /// Keeps nothing if even the minimum is too much; then it is not tried again for a while,
    /// unless much less is needed.
    private mutating func read(
        around anchor: SurfacePoint, comingFrom last: SurfacePoint, _ margin: Double,
        _ cells: Cells, _ damaged: @escaping Damaged
    ) throws {
        let before = prefetched
        prefetched = nil
        if let tooMuch, tooMuch.times > 0, margin > 0.7 * tooMuch.margin {
            self.tooMuch?.times -= 1
            return
        }
        tooMuch = nil
        for room in PrefetchedCells.rooms {
            let box = PrefetchedCells.box(
                around: anchor, comingFrom: last, margin: margin, room: room)
            var read = PrefetchedCells(box, before: before)
            try cells(box) { cell, bytes in
                try read.add(bytes, number: cell, before: before) { damaged($0, cell) }
                return !read.isTooMuch
            }
            if !read.isTooMuch {
                prefetched = read
                return
            }
        }
        tooMuch = (margin, times: 32)
    }
}
