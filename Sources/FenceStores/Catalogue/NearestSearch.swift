import Fencing
import Geodesy

/// The fences of least signed distance, found through the R*Tree of their cells.
///
/// SQLite walks the tree in the order of a score that we give to every node and box: a lower bound
/// on the signed distance of whatever lies in it. "If an xQueryFunc sets rScore, then the R-Tree is
/// searched in order of increasing score … the lowest scored is processed next" – so cells arrive by
/// rising bound, and the search ends at the first bound above the worst of the best so far.
struct NearestSearch {
    static let function = "nearest_to"
    /// CROSS: the tree is to be walked, in its order.
    static let sql = """
        SELECT box.number, west, east, south, north, fences
        FROM box CROSS JOIN cell ON cell.number = box.number
        WHERE box.number MATCH \(function)(?, ?)
        """

    private struct Found {
        /// Bytes of the cell it lies in, which those from the same cell share.
        var cell: [UInt8]
        var number: Int64
        var record: Range<Int>
        var id: String
        var signedDistance: Double
    }

    private let anchor: SurfacePoint
    private let reach: NearBound
    private let limit: Int
    /// Nearer first, ties by id as UTF-8 bytes.
    private var best: [Found] = []
    /// The signed distance beyond which nothing is wanted.
    private var worst = Double.infinity
    private var cell: Int64 = 0

    init(from anchor: SurfacePoint, limit: Int) {
        self.anchor = anchor
        self.limit = limit
        reach = NearBound(from: anchor.coordinate)
        best.reserveCapacity(min(limit, 64) + 1)
    }

    /// False: neither this box nor any after it can hold one of the best. An equal bound can, by
    /// its id.
    mutating func wants(_ row: borrowing Row) -> Bool {
        cell = row.integer(0)
        guard worst < .infinity else { return true }
        let box = GeoBox(
            west: row.real(1), south: row.real(3), east: row.real(2), north: row.real(4))
        return reach.signedDistance(to: box) <= worst
    }

    /// Takes what is wanted of the cell of the last row.
    mutating func look(
        at bytes: UnsafeRawBufferPointer, area: (FenceRecord) throws -> Area
    ) throws {
        var copy: [UInt8] = []
        var records = try FenceCell.Records(bytes)
        while let (record, start) = try records.next() {
            let distance: Double
            if let circle = try record.plainCircle() {
                guard reach.mayBeNearer(circle, than: worst) else { continue }
                distance =
                    SurfacePoint(circle.center).distance(to: anchor) - circle.radius
            } else {
                guard try reach.signedDistance(to: record.box()) <= worst else { continue }
                distance = try area(record).signedDistance(to: anchor)
            }
            guard distance <= worst else { continue }
            if copy.isEmpty { copy = Array(bytes) }
            add(
                Found(
                    cell: copy, number: cell, record: start..<start + record.bytes.count,
                    id: String(decoding: try record.id(), as: UTF8.self),
                    signedDistance: distance))
        }
    }

    /// What was found, in order. `entry` reads a record of the cell with that number.
    func ranked(
        _ entry: (FenceRecord, Int64) throws -> CatalogueEntry
    ) throws -> [RankedEntry] {
        try best.map { found in
            try found.cell.withUnsafeBytes { bytes in
                let record = try FenceRecord(UnsafeRawBufferPointer(rebasing: bytes[found.record]))
                return RankedEntry(
                    entry: try entry(record, found.number), signedDistance: found.signedDistance)
            }
        }
    }

    private mutating func add(_ found: Found) {
        if best.count == limit, let last = best.last, !Self.precedes(found, last) { return }
        var low = 0
        var high = best.count
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(best[middle], found) { low = middle + 1 } else { high = middle }
        }
        if best.count == limit { best.removeLast() }
        best.insert(found, at: low)
        if best.count == limit, let last = best.last { worst = last.signedDistance }
    }

    private static func precedes(_ a: Found, _ b: Found) -> Bool {
        if a.signedDistance != b.signedDistance { return a.signedDistance < b.signedDistance }
        return a.id.utf8.lexicographicallyPrecedes(b.id.utf8)
    }
}
