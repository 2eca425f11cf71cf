/// Where a path passes through the boundary edges of a table: every edge whose ends lie on
/// different sides of the path's plane, and every bowed edge that may touch it between its ends.
struct EdgeCrossings {
    let table: EdgeTable
    let plane: PathPlane
    /// Fractions of the path, unsorted.
    private(set) var fractions: [Double] = []
    /// Whether any edge had to be looked at.
    private(set) var isNear = false
    private let box: BoundingVolumeTree.Node
    private let tolerance: Double

    init(_ table: EdgeTable, _ plane: PathPlane) {
        self.table = table
        self.plane = plane
        let length = plane.path.length
        box = plane.path.solidBox
        // A centimetre beyond either end still counts: the sides of the ends are determined later.
        tolerance = length > 0 ? 0.01 / length : 0
    }

    mutating func run() {
        guard table.solid.leaves > 0 else { return }
        visit(1, first: 0, width: table.solid.leaves * BoundingVolumeTree.leafSize)
    }

    private mutating func visit(_ node: Int, first: Int, width: Int) {
        guard meets(table.solid.nodes[node]) else { return }
        if node >= table.solid.leaves {
            isNear = true
            for edge in first..<min(first + width, table.edgeCount) where table.isBoundary(edge) {
                consider(edge)
            }
            return
        }
        visit(2 * node, first: first, width: width / 2)
        visit(2 * node + 1, first: first + width / 2, width: width / 2)
    }

    /// Whether the box meets the box of the path and is cut by its plane.
    @inline(__always)
    private func meets(_ node: BoundingVolumeTree.Node) -> Bool {
        guard node.meets(box) else { return false }
        let low = SIMD3(Double(node.minX), Double(node.minY), Double(node.minZ))
        let high = SIMD3(Double(node.maxX), Double(node.maxY), Double(node.maxZ))
        let half = (high - low) * 0.5
        let n = plane.normal
        let reach =
            half.x * n.x.magnitude + half.y * n.y.magnitude + half.z * n.z.magnitude
        return plane.offset((low + high) * 0.5).magnitude <= reach + 1e-3
    }

    private mutating func consider(_ edge: Int) {
        let bulge = Double(table.bulge[edge])
        let a = plane.offset(table.ecef[edge])
        let b = plane.offset(table.ecef[edge + 1])
        if (a > 0) == (b > 0), min(a.magnitude, b.magnitude) > bulge { return }
        let curve = EdgeCurve(table, edge)
        search(curve, start: 0, share: 1, a: a, b: b)
    }

    /// Offsets `a` and `b` at the ends of the piece. A piece that may bow through the plane and
    /// back is halved until it cannot by more than a tenth of a millimetre.
    private mutating func search(
        _ curve: EdgeCurve, start: Double, share: Double, a: Double, b: Double
    ) {
        let bulge = curve.bulge(share: share)
        let changes = (a > 0) != (b > 0)
        if !changes {
            guard min(a.magnitude, b.magnitude) <= bulge, bulge > 1e-4, share > 1e-9 else { return }
        } else if (b - a).magnitude > 4 * bulge || bulge <= 1e-4 || share <= 1e-9 {
            // The slope cannot change its sign on the way: one root.
            add(root(curve, start: start, share: share, a: a, b: b))
            return
        }
        let half = share / 2
        let middle = plane.offset(curve.point(at: start + half))
        search(curve, start: start, share: half, a: a, b: middle)
        search(curve, start: start + half, share: half, a: middle, b: b)
    }

    /// The root between two ends of different sign, by the method of Illinois.
    private func root(
        _ curve: EdgeCurve, start: Double, share: Double, a: Double, b: Double
    ) -> SIMD3<Double> {
        var (t0, f0, t1, f1) = (0.0, a, 1.0, b)
        var q = curve.point(at: start)
        for _ in 0..<60 {
            let slope = f1 - f0
            let t = slope != 0 ? min(max(t0 - f0 * (t1 - t0) / slope, 0), 1) : (t0 + t1) / 2
            q = curve.point(at: start + share * t)
            let f = plane.offset(q)
            if f.magnitude < 1e-7 || (t1 - t0).magnitude < 1e-15 { break }
            if (f > 0) == (f1 > 0) {
                f0 /= 2
            } else {
                (t0, f0) = (t1, f1)
            }
            (t1, f1) = (t, f)
        }
        return q
    }

    private mutating func add(_ q: SIMD3<Double>) {
        let fraction = plane.fraction(q)
        guard fraction >= -tolerance, fraction <= 1 + tolerance else { return }
        fractions.append(min(max(fraction, 0), 1))
    }
}
