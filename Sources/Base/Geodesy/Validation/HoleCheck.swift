/// Whether the holes of a shell lie in it; they may touch it. Prepared once for all holes.
struct HoleCheck {
    private let shape: PolygonShape
    private let tree: EdgeTree
    /// Steps used.
    private(set) var steps = 0
    private var limit = Int.max

    init(shell: UnwrappedRing) {
        shape = PolygonShape(ring: shell)
        tree = shape.table.flat
    }

    /// What is wrong with a hole, or nil; more than `limit` steps in all are an error. Positions
    /// are counted from 1.
    mutating func run(_ hole: UnwrappedRing, steps limit: Int) -> String? {
        self.limit = limit
        for (place, point) in hole.points.enumerated() where hole.origins[place] >= 0 {
            guard steps <= limit else { return Self.intricate }
            if isOutside(point) {
                return "lies outside its shell at position \(hole.origins[place] + 1)"
            }
        }
        for (place, ends) in zip(hole.points, hole.points.dropFirst()).enumerated()
        where hole.origins[place + 1] >= 0 {
            guard steps <= limit else { return Self.intricate }
            // An edge between two points of the shell can run outside it.
            if isOutside((ends.0 + ends.1) / 2) || crossesShell(Edge(ends.0, ends.1)) {
                return "lies outside its shell after position \(hole.origins[place] + 1)"
            }
        }
        return steps <= limit ? nil : Self.intricate
    }

    private static let intricate = "is too intricate to be checked"

    /// Outside by more than a millimetre: nearer is a touch.
    private mutating func isOutside(_ point: SIMD2<Double>) -> Bool {
        let position = SurfacePoint(Coordinate(latitude: point.y, longitude: point.x))
        // The steps: down the tree, and some leaves beside the ray.
        steps += 32
        if shape.contains(position.coordinate) { return false }
        var search = NearestEdgeSearch(shape.table, to: position.ecef, among: shape.parts[0])
        search.run()
        steps += search.steps
        return min(search.distance, Ellipsoid.farthest) > 1e-3
    }

    private mutating func crossesShell(_ edge: Edge) -> Bool {
        guard let ring = shape.rings.first else { return false }
        // The hole may be written in another turn than its shell.
        let middle = (ring.west + ring.east) / 2
        let turns = ((middle - (edge.a.x + edge.b.x) / 2) / 360).rounded()
        for turn in [turns - 1, turns, turns + 1] {
            let offset = SIMD2(360 * turn, 0)
            let moved = Edge(edge.a + offset, edge.b + offset)
            var box = EdgeTree.Node()
            box.cover(moved.a, moved.b)
            if crosses(moved, box, node: 1, first: 0, width: tree.leaves * EdgeTree.leafSize) {
                return true
            }
        }
        return false
    }

    private mutating func crosses(
        _ edge: Edge, _ box: EdgeTree.Node, node: Int, first: Int, width: Int
    ) -> Bool {
        steps += 1
        guard steps <= limit, tree.nodes[node].meets(box, shift: 0) else { return false }
        if node >= tree.leaves {
            let table = shape.table
            steps += EdgeTree.leafSize
            for index in first..<min(first + width, table.edgeCount) where table.isBoundary(index) {
                if edge.crosses(Edge(table.planar[index], table.planar[index + 1])) { return true }
            }
            return false
        }
        return crosses(edge, box, node: 2 * node, first: first, width: width / 2)
            || crosses(
                edge, box, node: 2 * node + 1, first: first + width / 2, width: width / 2)
    }
}
