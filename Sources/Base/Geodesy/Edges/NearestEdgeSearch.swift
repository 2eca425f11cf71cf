import Glibc

/// The search for the boundary point nearest to a point: branch and bound down the tree, with the
/// curvature of the edges taken into account.
struct NearestEdgeSearch {
    let table: EdgeTable
    let p: SIMD3<Double>
    /// Edges that are considered; others are skipped.
    let range: Range<Int>
    /// Squared chord to the best point so far, m².
    private(set) var best = Double.infinity
    /// That point, Earth-centred, m.
    private(set) var point = SIMD3<Double>.zero
    private(set) var edge = -1
    /// The cost of the search: nodes, edges and pieces of edges visited.
    private(set) var steps = 0

    init(_ table: EdgeTable, to p: SIMD3<Double>, among range: Range<Int>) {
        self.table = table
        self.p = p
        self.range = range
    }

    /// Geodesic distance of the best point, m; infinite where there is no boundary at all.
    var distance: Double {
        best < .infinity ? Ellipsoid.distance(p, point) : .infinity
    }

    mutating func run() {
        guard table.solid.leaves > 0 else { return }
        visit(1, first: 0, width: table.solid.leaves * BoundingVolumeTree.leafSize)
    }

    /// Node `node` holds the edges `first`..<`first + width`.
    private mutating func visit(_ node: Int, first: Int, width: Int) {
        steps += 1
        if node >= table.solid.leaves {
            let low = max(first, range.lowerBound)
            let high = min(first + width, range.upperBound)
            if best == .infinity, low < high { begin(low..<high) }
            steps += max(high - low, 0)
            var edge = low
            while edge < high {
                let bulge = table.bulge[edge]
                if bulge >= 0 { consider(edge, bulge: Double(bulge)) }
                edge += 1
            }
            return
        }
        let half = width / 2
        let middle = first + half
        let left = 2 * node
        var leftBound = Double.infinity
        var rightBound = Double.infinity
        if range.lowerBound < middle, range.upperBound > first {
            leftBound = table.solid.nodes[left].distanceSquared(to: p)
        }
        if range.lowerBound < first + width, range.upperBound > middle {
            rightBound = table.solid.nodes[left + 1].distanceSquared(to: p)
        }
        if leftBound <= rightBound {
            if leftBound < best { visit(left, first: first, width: half) }
            if rightBound < best { visit(left + 1, first: middle, width: half) }
        } else {
            if rightBound < best { visit(left + 1, first: middle, width: half) }
            if leftBound < best { visit(left, first: first, width: half) }
        }
    }

    /// In the first leaf the edge whose chord is nearest comes first: bowed edges are costly, and
    /// most of them can then be skipped.
    private mutating func begin(_ edges: Range<Int>) {
        var nearest = Double.infinity
        var first = -1
        for edge in edges where table.bulge[edge] >= 0 {
            let squared = chordGap(edge)
            if squared < nearest {
                nearest = squared
                first = edge
            }
        }
        if first >= 0 { consider(first, bulge: Double(table.bulge[first])) }
    }

    /// Squared distance to the chord of an edge, m².
    @inline(__always)
    private func chordGap(_ edge: Int) -> Double {
        let a = table.ecef[edge]
        let d = table.ecef[edge + 1] - a
        let e = p - a
        let length = dot(d, d)
        let t = length > 0 ? min(max(dot(e, d) / length, 0), 1) : 0
        let off = e - d * t
        return dot(off, off)
    }

    /// An edge that bows less than this, m, is treated as its chord.
    private static var straight: Double { 1e-3 }

    @inline(__always)
    private mutating func consider(_ edge: Int, bulge: Double) {
        let a = table.ecef[edge]
        let b = table.ecef[edge + 1]
        let d = b - a
        let e = p - a
        let length = dot(d, d)
        let t = length > 0 ? min(max(dot(e, d) / length, 0), 1) : 0
        let foot = a + d * t
        let off = p - foot
        let squared = dot(off, off)
        if bulge <= Self.straight {
            if squared < best { consider(foot, squared, edge) }
            return
        }
        let gap = squared.squareRoot() - bulge
        if gap > 0, gap * gap >= best { return }
        let curve = EdgeCurve(table, edge)
        piece(Piece(edge: edge, curve: curve, start: 0, share: 1, a: a, b: b))
    }

    @inline(__always)
    private mutating func consider(_ q: SIMD3<Double>, _ squared: Double, _ edge: Int) {
        best = squared
        point = q
        self.edge = edge
    }

    private mutating func consider(_ q: SIMD3<Double>, _ edge: Int) {
        let off = p - q
        let squared = dot(off, off)
        if squared < best { consider(q, squared, edge) }
    }

    private struct Piece {
        let edge: Int
        let curve: EdgeCurve
        let start: Double
        let share: Double
        let a: SIMD3<Double>
        let b: SIMD3<Double>

        /// Lower bound of the distance from `p`, m.
        func gap(from p: SIMD3<Double>) -> Double {
            let d = b - a
            let length = dot(d, d)
            let t = length > 0 ? min(max(dot(p - a, d) / length, 0), 1) : 0
            let off = p - (a + d * t)
            return dot(off, off).squareRoot() - curve.bulge(share: share)
        }
    }

    private mutating func piece(_ piece: Piece) {
        steps += 16
        consider(piece.a, piece.edge)
        consider(piece.b, piece.edge)
        let half = piece.share / 2
        let m = piece.curve.point(at: piece.start + half)
        consider(m, piece.edge)
        parabola(piece, middle: m)
        // The tolerance follows the best distance so far: a millimetre near the edge, relative far
        // off.
        let tolerance = max(1e-3, 1e-5 * best.squareRoot())
        if piece.curve.remainder(share: piece.share) > tolerance, piece.share > 1e-6 {
            let left = Piece(
                edge: piece.edge, curve: piece.curve, start: piece.start, share: half,
                a: piece.a, b: m)
            let right = Piece(
                edge: piece.edge, curve: piece.curve, start: piece.start + half, share: half,
                a: m, b: piece.b)
            let leftGap = left.gap(from: p)
            let rightGap = right.gap(from: p)
            let (near, nearGap, far, farGap) =
                leftGap <= rightGap
                ? (left, leftGap, right, rightGap) : (right, rightGap, left, leftGap)
            if mayImprove(nearGap) { self.piece(near) }
            if mayImprove(farGap) { self.piece(far) }
        }
    }

    private func mayImprove(_ gap: Double) -> Bool { gap <= 0 || gap * gap < best }

    /// Newton's method on the parabola a + t d + t (1 − t) c through the ends and the middle. The
    /// point is then evaluated on the edge itself, so that the error is quadratic in that of t.
    private mutating func parabola(_ piece: Piece, middle: SIMD3<Double>) {
        let d = piece.b - piece.a
        let c = (middle - (piece.a + piece.b) * 0.5) * 4
        let e = piece.a - p
        let length = dot(d, d)
        guard length > 0 else { return }
        var t = min(max(-dot(e, d) / length, 0), 1)
        for _ in 0..<4 {
            let r = e + d * t + c * (t * (1 - t))
            let v = d + c * (1 - 2 * t)
            let speed = dot(v, v)
            let curvature = speed - 2 * dot(r, c)
            let slope = curvature > 0.1 * speed ? curvature : speed
            guard slope > 0 else { break }
            let next = min(max(t - dot(r, v) / slope, 0), 1)
            let done = (next - t).magnitude < 1e-9
            t = next
            if done { break }
        }
        consider(piece.curve.point(at: piece.start + piece.share * t), piece.edge)
    }
}
