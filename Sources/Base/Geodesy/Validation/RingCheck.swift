/// Whether a ring crosses itself, found by a self-join of a tree of boxes over its edges.
///
/// A ring may touch itself in a point; it is refused when it passes from one side of itself to the
/// other, or runs along itself for a length. Along the antimeridian and the poles it may do both,
/// because data sets cut areas there that lie on both sides.
struct RingCheck {
    enum Fault: Hashable {
        case crosses(Int, Int)
        case overlaps(Int, Int)
        case flat
        case intricate

        /// Positions are counted from 1 in the input.
        var description: String {
            switch self {
            case .crosses(let a, let b):
                "crosses itself: the edge from position \(a + 1) and the edge from position \(b + 1)"
            case .overlaps(let a, let b):
                "runs along itself: the edge from position \(a + 1) and the edge from position "
                    + "\(b + 1)"
            case .flat: "encloses nothing"
            case .intricate: "is too intricate to be checked for crossing itself"
            }
        }
    }

    /// Pairs of nodes and of edges that may be visited. Only rings made to be slow need more than a
    /// few (a county of 10 000 vertices needs 200 000).
    private let budget: Int
    private let points: [SIMD2<Double>]
    private let origins: [Int]
    private let isPolar: Bool
    private let tree: EdgeTree
    private let edgeCount: Int
    private let doubledArea: Double
    /// Steps used.
    private(set) var steps = 0

    init(_ ring: UnwrappedRing, steps budget: Int) {
        self.budget = budget
        doubledArea = ring.doubledArea
        // Without the edges that close it over a pole.
        let real = ring.origins.firstIndex(of: -1) ?? ring.points.count
        points = Array(ring.points[..<real])
        origins = Array(ring.origins[..<real])
        isPolar = ring.turns != 0
        edgeCount = max(points.count - 1, 0)
        tree = EdgeTree(points, chains: [0..<edgeCount])
    }

    mutating func run() -> Fault? {
        guard edgeCount >= (isPolar ? 2 : 3) else { return .flat }
        if let fault = join(1, 1, shift: 0) { return fault }
        var west = Double.infinity
        var east = -Double.infinity
        for point in points {
            west = min(west, point.x)
            east = max(east, point.x)
        }
        // A ring as wide as the Earth can meet itself after a turn.
        if east - west >= 360, let fault = join(1, 1, shift: 360) { return fault }
        if steps > budget { return .intricate }
        return doubledArea == 0 ? .flat : nil
    }

    private mutating func join(_ a: Int, _ b: Int, shift: Double) -> Fault? {
        steps += 1
        guard steps <= budget,
            tree.nodes[a].meets(tree.nodes[b], shift: Float(shift))
        else { return nil }
        let isLeaf = a >= tree.leaves
        if isLeaf, b >= tree.leaves { return leaves(a, b, shift: shift) }
        // Both are of one level: a self-join descends on both sides at once.
        if let fault = join(2 * a, 2 * b, shift: shift) { return fault }
        if let fault = join(2 * a, 2 * b + 1, shift: shift) { return fault }
        if a != b || shift != 0, let fault = join(2 * a + 1, 2 * b, shift: shift) { return fault }
        return join(2 * a + 1, 2 * b + 1, shift: shift)
    }

    private mutating func leaves(_ a: Int, _ b: Int, shift: Double) -> Fault? {
        let first = (a - tree.leaves) * EdgeTree.leafSize
        let second = (b - tree.leaves) * EdgeTree.leafSize
        for i in first..<max(min(first + EdgeTree.leafSize, edgeCount), first) {
            let start = a == b && shift == 0 ? i + 1 : second
            for j in start..<max(min(second + EdgeTree.leafSize, edgeCount), start) {
                steps += 1
                if let fault = shift == 0 ? pair(i, j) : shifted(i, j, shift) { return fault }
            }
        }
        return nil
    }

    /// Edge i moved a turn east: only a true crossing counts, because the ring meets itself there
    /// where it closes, or at its own seam.
    private func shifted(_ i: Int, _ j: Int, _ shift: Double) -> Fault? {
        let offset = SIMD2(shift, 0)
        let first = Edge(points[i] + offset, points[i + 1] + offset)
        return first.crosses(Edge(points[j], points[j + 1]))
            ? .crosses(origins[i], origins[j]) : nil
    }

    private func pair(_ i: Int, _ j: Int) -> Fault? {
        let first = Edge(points[i], points[i + 1])
        let second = Edge(points[j], points[j + 1])
        guard first.boxMeets(second) else { return nil }
        if first.crosses(second) { return .crosses(origins[i], origins[j]) }
        if first.overlaps(second) {
            return Edge.maySeam(first) && Edge.maySeam(second)
                ? nil : .overlaps(origins[i], origins[j])
        }
        // A touch: a vertex of one lies on the other; whether the ring passes through there.
        if first.holdsVertex(second.a), passes(vertex: j, through: i) {
            return .crosses(origins[i], origins[j])
        }
        if second.holdsVertex(first.a), !Edge.touches(first.a, second.a),
            passes(vertex: i, through: j)
        {
            return .crosses(origins[i], origins[j])
        }
        return nil
    }

    /// Whether the ring passes from one side of itself to the other where `vertex` lies on `edge`,
    /// not at the end of the edge.
    private func passes(vertex: Int, through edge: Int) -> Bool {
        guard let before = previous(vertex), let here = previous(edge) else { return false }
        let v = points[vertex]
        let isAtStart = Edge.touches(v, points[edge])
        let from = isAtStart ? here : points[edge]
        let to = points[edge + 1]
        // Neighbours at a vertex that both chains share are one chain, not two.
        if isAtStart, vertex == edge { return false }
        let after = points[vertex + 1]
        return isBetween(before, v, from, to) != isBetween(after, v, from, to)
            && isBeside(before, v, from, to) && isBeside(after, v, from, to)
    }

    /// The vertex before, cyclic for a closed ring.
    private func previous(_ vertex: Int) -> SIMD2<Double>? {
        if vertex > 0 { return points[vertex - 1] }
        return isPolar || points.count < 2 ? nil : points[points.count - 2]
    }

    /// Whether `x` lies in the angle from `a` counter-clockwise to `b`, seen from `v`.
    private func isBetween(
        _ x: SIMD2<Double>, _ v: SIMD2<Double>, _ a: SIMD2<Double>, _ b: SIMD2<Double>
    ) -> Bool {
        let turn = Edge.side(v, a, b)
        if turn > 0 { return Edge.side(v, a, x) > 0 && Edge.side(v, x, b) > 0 }
        if turn < 0 { return !(Edge.side(v, b, x) >= 0 && Edge.side(v, x, a) >= 0) }
        return Edge.side(v, a, x) > 0
    }

    /// Whether `x` lies on neither of the two arms.
    private func isBeside(
        _ x: SIMD2<Double>, _ v: SIMD2<Double>, _ a: SIMD2<Double>, _ b: SIMD2<Double>
    ) -> Bool {
        Edge.side(v, a, x) != 0 && Edge.side(v, b, x) != 0
    }
}
