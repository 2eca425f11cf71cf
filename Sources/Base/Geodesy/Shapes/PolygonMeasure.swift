extension PolygonShape {
    /// Whether polygon `index` holds the position; one on its edge belongs to it or to its
    /// neighbour, never to both.
    func contains(_ index: Int, _ coordinate: Coordinate) -> Bool {
        let polygon = polygons[index]
        guard let shell = polygon.rings.first, ringContains(shell, coordinate) else { return false }
        for hole in polygon.rings.dropFirst() where ringContains(hole, coordinate) {
            return false
        }
        return true
    }

    private func ringContains(_ index: Int, _ coordinate: Coordinate) -> Bool {
        let ring = rings[index]
        // An edge does not include its upper end: the north pole itself would lie in no cap.
        let y = min(coordinate.latitude, 90.0.nextDown)
        guard y >= ring.south, y <= ring.north else { return false }
        // Every copy of the position in the unwrapped plane that lies within the ring's extent:
        // one, except for rings wider than the Earth.
        var x = coordinate.longitude + ((ring.west - coordinate.longitude) / 360).rounded(.up) * 360
        var odd = false
        while x <= ring.east {
            if table.flat.isOdd(table.planar, chain: ring.edges, from: SIMD2(x, y)) {
                odd.toggle()
            }
            x += 360
        }
        return odd
    }

    /// Whether the boundary may meet the path at all.
    func isNear(_ path: PathSegment) -> Bool {
        guard table.solid.nodes.count > 1 else { return false }
        return table.solid.nodes[1].meets(path.solidBox)
    }

    /// Whether any polygon holds the position.
    func contains(_ coordinate: Coordinate) -> Bool {
        polygons.indices.contains { contains($0, coordinate) }
    }

    /// Signed distance, and the part that is nearest (deepest around the point where it is inside).
    func measure(_ point: SurfacePoint) -> (distance: Double, part: Int) {
        var deepest = 0.0
        var deepestPart = -1
        for index in polygons.indices where contains(index, point.coordinate) {
            let part = polygons[index].part
            let depth = boundaryDistance(point, part: part)
            if deepestPart < 0 || depth > deepest {
                deepest = depth
                deepestPart = part
            }
        }
        if deepestPart >= 0 { return (-deepest, deepestPart) }
        var search = NearestEdgeSearch(table, to: point.ecef, among: 0..<table.edgeCount)
        search.run()
        guard search.edge >= 0 else { return (Ellipsoid.farthest, 0) }
        return (search.distance, part(of: search.edge))
    }

    /// Distance to the boundary of one part, m; half the Earth where it has none (the whole Earth).
    func boundaryDistance(_ point: SurfacePoint, part: Int) -> Double {
        var search = NearestEdgeSearch(table, to: point.ecef, among: parts[part])
        search.run()
        return min(search.distance, Ellipsoid.farthest)
    }

    /// Signed distance to one part alone; its nearest edge, −1 where it has none; and the steps
    /// used.
    func signedDistance(
        _ point: SurfacePoint, part: Int, polygons members: Range<Int>
    ) -> (distance: Double, edge: Int, steps: Int) {
        var search = NearestEdgeSearch(table, to: point.ecef, among: parts[part])
        search.run()
        let distance = min(search.distance, Ellipsoid.farthest)
        let isInside = members.contains { contains($0, point.coordinate) }
        return (isInside ? -distance : distance, search.edge, search.steps)
    }

    /// The part whose edges hold `edge`: they rise with the parts.
    private func part(of edge: Int) -> Int {
        var low = 0
        var high = parts.count - 1
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].upperBound > edge { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The polygons of a part.
    func members(of part: Int) -> Range<Int> {
        // They rise with their parts.
        var low = 0
        var end = polygons.count
        while low < end {
            let middle = (low + end) / 2
            if polygons[middle].part < part { low = middle + 1 } else { end = middle }
        }
        var high = low
        while high < polygons.count, polygons[high].part == part { high += 1 }
        return low..<high
    }
}
