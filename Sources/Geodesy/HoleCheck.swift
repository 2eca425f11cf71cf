/// Whether a hole lies in its shell; it may touch it.
struct HoleCheck {
    private let shape: PolygonShape
    private let shell: UnwrappedRing
    private let hole: UnwrappedRing
    private let tree: FlatTree

    init(shell: UnwrappedRing, hole: UnwrappedRing) {
        self.shell = shell
        self.hole = hole
        shape = PolygonShape(ring: shell)
        tree = shape.table.flat
    }

    /// What is wrong, or nil. Positions are counted from 1.
    func run() -> String? {
        for (place, point) in hole.points.enumerated() where hole.origins[place] >= 0 {
            if isOutside(point) {
                return "lies outside its shell at position \(hole.origins[place] + 1)"
            }
        }
        for (place, ends) in zip(hole.points, hole.points.dropFirst()).enumerated()
        where hole.origins[place + 1] >= 0 {
            // An edge between two points of the shell can run outside it.
            if isOutside((ends.0 + ends.1) / 2) || crossesShell(Edge(ends.0, ends.1)) {
                return "lies outside its shell after position \(hole.origins[place] + 1)"
            }
        }
        return nil
    }

    /// Outside by more than a millimetre: nearer is a touch.
    private func isOutside(_ point: SIMD2<Double>) -> Bool {
        let position = SurfacePoint(Coordinate(latitude: point.y, longitude: point.x))
        if shape.contains(position.coordinate) { return false }
        return shape.boundaryDistance(position, part: 0) > 1e-3
    }

    private func crossesShell(_ edge: Edge) -> Bool {
        guard let ring = shape.rings.first else { return false }
        // The hole may be written in another turn than its shell.
        let middle = (ring.west + ring.east) / 2
        let turns = ((middle - (edge.a.x + edge.b.x) / 2) / 360).rounded()
        for turn in [turns - 1, turns, turns + 1] {
            let offset = SIMD2(360 * turn, 0)
            let moved = Edge(edge.a + offset, edge.b + offset)
            var box = FlatTree.Node()
            box.cover(moved.a, moved.b)
            if crosses(moved, box, node: 1, first: 0, width: tree.leaves * FlatTree.leafSize) {
                return true
            }
        }
        return false
    }

    private func crosses(
        _ edge: Edge, _ box: FlatTree.Node, node: Int, first: Int, width: Int
    ) -> Bool {
        guard tree.nodes[node].meets(box, shift: 0) else { return false }
        if node >= tree.leaves {
            let table = shape.table
            for place in first..<min(first + width, table.edgeCount) where table.isBoundary(place) {
                if edge.crosses(Edge(table.planar[place], table.planar[place + 1])) { return true }
            }
            return false
        }
        return crosses(edge, box, node: 2 * node, first: first, width: width / 2)
            || crosses(
                edge, box, node: 2 * node + 1, first: first + width / 2, width: width / 2)
    }
}
