import Bytes
import Geodesy
import Law

/// A fence by its id, and its distance from the point of the question.
package struct RankedFence: Hashable, Sendable {
    /// Its id.
    package var id: String
    /// m, negative inside.
    package var signedDistance: Double
}

/// The fences of least signed distance among the cells that are given to it.
///
/// They are found in one of two ways. If the catalogue was queried nearby before, the distance to
/// search is known, and the R*Tree gives the cells that meet a box of that size. Otherwise SQLite
/// walks the tree in the order of a score that we give to every node and box: a lower bound on the
/// signed distance of its content. "If an xQueryFunc sets rScore, then the R-Tree is searched in
/// order of increasing score … the lowest scored is processed next" – so cells arrive by increasing
/// bound, and the search ends at the first bound above the worst of the best so far. That costs
/// four times as much as the box, because of the callbacks for some 300 boxes.
struct NearestFenceSearch {
    static let function = "nearest_to"
    /// CROSS: makes SQLite walk the tree in its order.
    static let bestFirst: SQL = """
        SELECT box.number, fences, west, east, south, north
        FROM box CROSS JOIN cell ON cell.number = box.number
        WHERE box.number MATCH nearest_to(?, ?, ?)
        """

    private struct Candidate {
        var signedDistance: Double
        /// The number of the cell.
        var cell: Int32
        /// The offset of its record in the bytes of the cell.
        var start: Int32
        var count: Int32
    }

    /// A cell, or of a large one the beginning of a candidate's record, up to its id: what a search
    /// holds does not grow with the areas that it finds.
    private struct Copy {
        var cell: Int64
        var bytes: [UInt8]
        var isWhole: Bool
    }

    let bound: NearBound
    private let anchor: SurfacePoint
    private let limit: Int
    /// Nearest first, ties by id as UTF-8 bytes.
    private var best: [Candidate] = []
    /// Copies of what has candidates.
    private var cells: [Copy] = []
    /// Fences beyond this signed distance are not wanted, m.
    private(set) var worst: Double

    /// - Parameter reach: fences further away, m, are not wanted even if there are too few.
    init(from anchor: SurfacePoint, limit: Int, within reach: Double = .infinity) {
        self.anchor = anchor
        self.limit = limit
        worst = reach
        bound = NearBound(from: anchor.coordinate)
        best.reserveCapacity(min(limit, 64) + 1)
    }

    var isFull: Bool { best.count == limit }

    /// False when neither this box nor any after it can hold one of the best. An equal bound can,
    /// because of the id.
    func wants(_ row: borrowing Row) -> Bool {
        guard worst < .infinity else { return true }
        let box = GeoBox(
            west: row.real(2), south: row.real(4), east: row.real(3), north: row.real(5))
        return bound.signedDistance(to: box) <= worst
    }

    /// Takes the wanted fences of a cell, all but those that `skips`. `area` reads the area of a
    /// fence, and whether all of it can be read.
    mutating func look(
        at bytes: ByteView, of cell: Int64, damaged: (FenceRecord?) -> Void,
        skips: (FenceRecord) -> Bool = { _ in false },
        area: (FenceRecord) throws -> Area
    ) throws {
        var isKept = false
        let isSmall = bytes.count <= FenceCell.mostBytes
        try FenceCell.forEach(bytes, of: cell, damaged: damaged) { record, start in
            guard !skips(record) else { return }
            let distance: Double
            if let circle = try record.plainCircle() {
                guard bound.mayBeNearer(circle, than: worst) else { return }
                distance =
                    SurfacePoint(circle.center).distance(to: anchor) - circle.radius
            } else {
                guard let box = try record.box(), bound.signedDistance(to: box) <= worst else {
                    return
                }
                distance = try area(record).signedDistance(to: anchor)
            }
            guard distance <= worst else { return }
            // A candidate that proved unreadable at the end would have displaced another.
            try record.check()
            if record.form.contains(.terms) { _ = try area(record) }
            let head = isSmall ? nil : try record.head()
            if !isKept || !isSmall {
                isKept = true
                cells.append(
                    Copy(cell: cell, bytes: head ?? Array(bytes), isWhole: isSmall))
            }
            add(
                Candidate(
                    signedDistance: distance, cell: Int32(cells.count - 1),
                    start: head == nil ? Int32(start) : 0,
                    count: Int32(head?.count ?? record.bytes.count)))
        }
        if cells.count > 2 * limit + 64 { dropDisplaced() }
    }

    /// The copies of which no candidate is left.
    private mutating func dropDisplaced() {
        var kept: [Copy] = []
        var places: [Int32: Int32] = [:]
        for index in best.indices {
            let old = best[index].cell
            if places[old] == nil {
                places[old] = Int32(kept.count)
                kept.append(cells[Int(old)])
            }
            best[index].cell = places[old] ?? 0
        }
        cells = kept
    }

    /// The result, in order, without those for which `entry` returns nil; their numbers are
    /// returned, too. It gets the number of a fence, and its record if that was small.
    func ranked(
        _ entry: (FenceRecord?, _ number: Int64) throws -> CatalogueEntry?
    ) throws -> (found: [RankedEntry], leftOut: [Int64]) {
        var (ranked, leftOut) = ([RankedEntry](), [Int64]())
        for found in best {
            try withRecord(of: found) { bytes, cell, isWhole in
                let record = try FenceRecord(bytes)
                let number = cell + Int64(record.slot)
                guard let entry = try entry(isWhole ? record : nil, number) else {
                    return leftOut.append(number)
                }
                ranked.append(RankedEntry(entry: entry, signedDistance: found.signedDistance))
            }
        }
        return (ranked, leftOut)
    }

    /// The ids of the result, in order.
    func rankedIDs() throws -> [RankedFence] {
        try best.map { found in
            try withRecord(of: found) { bytes, _, _ in
                RankedFence(
                    id: try FenceRecord(bytes).id().text, signedDistance: found.signedDistance)
            }
        }
    }

    private mutating func add(_ found: Candidate) {
        if isFull, let last = best.last, !precedes(found, last) { return }
        if isFull { best.removeLast() }
        var (place, end) = (0, best.count)
        while place < end {
            let middle = (place + end) / 2
            if precedes(found, best[middle]) { end = middle } else { place = middle + 1 }
        }
        best.insert(found, at: place)
        if isFull { worst = best[best.count - 1].signedDistance }
    }

    private func precedes(_ a: Candidate, _ b: Candidate) -> Bool {
        if a.signedDistance != b.signedDistance { return a.signedDistance < b.signedDistance }
        return withRecord(of: a) { first, _, _ in
            withRecord(of: b) { second, _, _ in
                // Both have been read before.
                guard let a = try? FenceRecord(first).id(),
                    let b = try? FenceRecord(second).id()
                else { return false }
                return a.lexicographicallyPrecedes(b)
            }
        }
    }

    private func withRecord<Result>(
        of found: Candidate, _ body: (ByteView, Int64, _ isWhole: Bool) throws -> Result
    ) rethrows -> Result {
        let copy = cells[Int(found.cell)]
        let range = Int(found.start)..<Int(found.start) + Int(found.count)
        return try copy.bytes.withByteView {
            try body($0.part(range), copy.cell, copy.isWhole)
        }
    }
}

/// How far the last search had to look, and from where.
struct NearestReach {
    private(set) var anchor: SurfacePoint
    private var limit: Int
    private var reach: Double

    /// - Parameter reach: signed distance of the last fence wanted, m.
    init(from anchor: SurfacePoint, limit: Int, reach: Double) {
        self.anchor = anchor
        self.limit = limit
        self.reach = reach
    }

    /// How far to look from another place, m; nil if nothing is known about it. Signed distances
    /// change no faster than the place: near by, adding the distance is always enough, and further
    /// away it is worth trying a fifth more.
    func around(_ place: SurfacePoint, limit: Int) -> Double? {
        guard limit == self.limit, reach < 100_000 else { return nil }
        let moved = anchor.distance(to: place)
        guard moved < 4 * max(reach, 0) + 1_000 else { return nil }
        return max(min(reach + moved, max(1.2 * reach, 200)) + 1, 1)
    }

    /// The margin within which nothing within reach is missed: distances are accurate to 1e-4 below
    /// 100 km.
    static func margin(_ reach: Double) -> Double { reach * 1.001 + 1 }
}
