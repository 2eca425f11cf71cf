import CSQLite
import Geodesy

/// The fences of least signed distance, found through the R*Tree.
///
/// SQLite walks the tree in the order of a score that we give to every node and box: a lower bound
/// on the signed distance of whatever lies in it. "If an xQueryFunc sets rScore, then the R-Tree is
/// searched in order of increasing score … the lowest scored is processed next" – so rows arrive by
/// rising bound, and the search ends at the first bound above the worst of the best so far.
struct NearestSearch {
    static let function = "nearest_to"
    static let sql = """
        SELECT number, west, east, south, north FROM box
        WHERE number MATCH \(function)(?, ?)
        """

    struct Found {
        var number: Int64
        var id: String
        var signedDistance: Double

        /// Nearer first, ties by id as UTF-8 bytes.
        static func precedes(_ a: Found, _ b: Found) -> Bool {
            if a.signedDistance != b.signedDistance { return a.signedDistance < b.signedDistance }
            return a.id.utf8.lexicographicallyPrecedes(b.id.utf8)
        }
    }

    private let anchor: SurfacePoint
    private let limit: Int
    /// In order.
    private(set) var best: [Found] = []

    init(from anchor: SurfacePoint, limit: Int) {
        self.anchor = anchor
        self.limit = limit
    }

    /// False: neither this box nor any after it can hold one of the best. An equal bound can, by
    /// its id.
    func wants(_ row: borrowing Row) -> Bool {
        guard best.count == limit, let worst = best.last else { return true }
        let box = GeoBox(
            west: row.real(1), south: row.real(3), east: row.real(2), north: row.real(4))
        return box.signedDistanceLowerBound(from: anchor) <= worst.signedDistance
    }

    mutating func add(_ found: Found) {
        if best.count == limit, let worst = best.last, !Found.precedes(found, worst) { return }
        var low = 0
        var high = best.count
        while low < high {
            let middle = (low + high) / 2
            if Found.precedes(best[middle], found) { low = middle + 1 } else { high = middle }
        }
        best.insert(found, at: low)
        if best.count > limit { best.removeLast() }
    }
}

extension GeoBox {
    /// A lower bound on the signed distance from a point to any area in the box, m. Falls when the
    /// box grows, so that a node of the tree is never behind what it holds.
    ///
    /// Inside: no deeper than half the height, or all of it where the box ends at a pole and the
    /// area may go on beyond. Distances are promised to 0.6 % only, and that of a circle has its
    /// error from its centre, that much further away.
    func signedDistanceLowerBound(from point: SurfacePoint) -> Double {
        let isPolar = north >= 90 || south <= -90
        // A degree of latitude has at most 111 694 m.
        let depth = max(north - south, 0) * 111_694 * (isPolar ? 1 : 0.5)
        let outside = distanceLowerBound(from: point)
        if outside == 0 { return -1.007 * depth - 1 }
        return 0.993 * outside - 0.007 * depth - 1
    }
}

/// Scores are cut off at 0 by SQLite: everything is lifted by more than the deepest bound.
private let lift = 1e8

/// Called by SQLite for every node and box it looks at.
let nearestScore: @convention(c) (UnsafeMutablePointer<sqlite3_rtree_query_info>?) -> Int32 = {
    info in
    guard let info, info.pointee.nParam == 2, info.pointee.nCoord == 4,
        let parameters = info.pointee.aParam, let box = info.pointee.aCoord
    else { return SQLITE_ERROR }
    let anchor = SurfacePoint(Coordinate(latitude: parameters[0], longitude: parameters[1]))
    let area = GeoBox(west: box[0], south: box[2], east: box[1], north: box[3])
    info.pointee.rScore = lift + area.signedDistanceLowerBound(from: anchor)
    info.pointee.eWithin = Int32(PARTLY_WITHIN)
    return SQLITE_OK
}
