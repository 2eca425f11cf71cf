/// A long line in its direction of travel, with an index over its edges. It knows neither poles nor
/// antimeridian.
package final class DirectedLine: Sendable {
    /// As they were given.
    package let positions: [Coordinate]
    /// Metres from the start, along the geodesics, of each position.
    package let along: [Double]
    /// Boxes over the edges in their order, as in ``BoundingVolumeTree``.
    private let nodes: [BoundingVolumeTree.Node]
    /// A power of two: the leaves are nodes `leaves`..<2·`leaves`.
    private let leaves: Int

    /// Nothing lies on an edge longer than this, m: between its ends the way is not known, and a plane
    /// would not do.
    package static let longestEdge = 10_000.0
    /// How far an edge is from its geodesic in the plane of a point beside it, as a share of its length:
    /// the longest one, up to 89° of latitude.
    private static let bow = 0.02
    /// Edges near one point that are looked at, the first of the line.
    private static let mostEdges = 4_096

    /// Of valid coordinates, at least one.
    package init(_ positions: [Coordinate]) {
        self.positions = positions
        let points = positions.map(SurfacePoint.init)
        var metres = 0.0
        var along: [Double] = []
        along.reserveCapacity(points.count)
        let leafSize = BoundingVolumeTree.leafSize
        var leaves = 1
        while leaves * leafSize < points.count { leaves *= 2 }
        var nodes = [BoundingVolumeTree.Node](repeating: .init(), count: 2 * leaves)
        for (index, point) in points.enumerated() {
            if index > 0 {
                let step = points[index - 1].distance(to: point)
                metres += step
                if step <= Self.longestEdge {
                    let leaf = leaves + (index - 1) / leafSize
                    let edge = PathSegment(from: points[index - 1], to: point)
                    nodes[leaf] = nodes[leaf].union(edge.solidBox.wider(by: step * Self.bow))
                }
            }
            along.append(metres)
        }
        for k in stride(from: leaves - 1, to: 0, by: -1) {
            nodes[k] = nodes[2 * k].union(nodes[2 * k + 1])
        }
        self.along = along
        self.nodes = nodes
        self.leaves = leaves
    }

    /// Metres from the first of some positions, along the geodesics, of each.
    package static func metres(along positions: [Coordinate]) -> [Double] {
        var metres = 0.0
        var before: SurfacePoint?
        return positions.map { position in
            let point = SurfacePoint(position)
            if let before { metres += before.distance(to: point) }
            before = point
            return metres
        }
    }

    /// Metres from the first position to the last.
    package var length: Double { along.last ?? 0 }

    /// A point of the line that is near another one.
    package struct Place: Hashable, Sendable {
        /// Metres from the start of the line.
        package var along: Double
        /// Metres from that point.
        package var distance: Double

        package init(along: Double, distance: Double) {
            self.along = along
            self.distance = distance
        }
    }

    /// How a line lies to a course.
    package enum Direction: Sendable {
        case along
        case eitherWay
    }

    /// The places within `radius` m of a point, in their order along the line, where the line is less
    /// than 45° off `course` (degrees true; nil for any). Of edges that follow each other it is the
    /// nearest, unless they are more than four radii apart along the line.
    package func places(
        near point: SurfacePoint, within radius: Double, course: Double?,
        _ direction: Direction = .along
    ) -> [Place] {
        var steps = 0
        return places(
            near: point, within: radius, course: course, direction, steps: &steps)
    }

    /// The same, and what it costs.
    /// - Parameter steps: less one for the point, for every edge and for every eight boxes over edges that
    ///   are looked at.
    package func places(
        near point: SurfacePoint, within radius: Double, course: Double?,
        _ direction: Direction = .along, steps: inout Int
    ) -> [Place] {
        var places: [Place] = []
        var last = -2
        steps -= visit(near: point, within: radius, course: course, direction) { edge, place in
            if edge == last + 1, let before = places.last,
                place.along - before.along <= 4 * radius
            {
                if place.distance < before.distance { places[places.count - 1] = place }
            } else {
                places.append(place)
            }
            last = edge
            return true
        }
        return places
    }

    /// Whether there is any of ``places(near:within:course:_:)``.
    /// - Parameter hint: an edge where there may be one, and where there was.
    package func hasPlace(
        near point: SurfacePoint, within radius: Double, course: Double, hint: inout Int
    ) -> Bool {
        let sight = Sight(point, course, .along)
        for edge in max(hint - 1, 0)..<min(hint + 4, positions.count - 1)
        where place(on: edge, sight, within: radius) != nil {
            hint = edge
            return true
        }
        var isFound = false
        visit(near: point, within: radius, course: course, .along) { edge, _ in
            hint = edge
            isFound = true
            return false
        }
        return isFound
    }

    // MARK: Edges

    /// From where, and along what, edges are looked at.
    private struct Sight {
        let point: SurfacePoint
        let plane: LocalPlane
        let heading: SIMD2<Double>?
        let direction: Direction

        init(_ point: SurfacePoint, _ course: Double?, _ direction: Direction) {
            self.point = point
            plane = LocalPlane(at: point)
            heading = course.map(LocalPlane.heading)
            self.direction = direction
        }
    }

    /// - Returns: the steps of it.
    @discardableResult
    private func visit(
        near point: SurfacePoint, within radius: Double, course: Double?, _ direction: Direction,
        _ body: (_ edge: Int, Place) -> Bool
    ) -> Int {
        let sight = Sight(point, course, direction)
        // A millimetre for the rounding of the boxes.
        let most = (radius + 1e-3) * (radius + 1e-3)
        var left = Self.mostEdges
        var boxes = 0
        var steps: Int { 1 + Self.mostEdges - left + boxes / 8 }
        var waiting = [1]
        while let node = waiting.popLast() {
            boxes += 1
            guard nodes[node].distanceSquared(to: point.ecef) <= most else { continue }
            guard node >= leaves else {
                waiting.append(2 * node + 1)
                waiting.append(2 * node)
                continue
            }
            let first = (node - leaves) * BoundingVolumeTree.leafSize
            let end = min(first + BoundingVolumeTree.leafSize, positions.count - 1)
            guard first < end else { continue }
            for edge in first..<end {
                left -= 1
                if let place = place(on: edge, sight, within: radius), !body(edge, place) {
                    return steps
                }
            }
            guard left > 0 else { break }
        }
        return steps
    }

    private func place(on edge: Int, _ sight: Sight, within radius: Double) -> Place? {
        let length = along[edge + 1] - along[edge]
        guard length > 0, length <= Self.longestEdge else { return nil }
        let a = sight.plane.offset(to: positions[edge])
        let step = sight.plane.offset(to: positions[edge + 1]) - a
        let squared = step.x * step.x + step.y * step.y
        guard squared > 0 else { return nil }
        if let heading = sight.heading {
            var forward = step.x * heading.x + step.y * heading.y
            let across = (step.x * heading.y - step.y * heading.x).magnitude
            if sight.direction == .eitherWay { forward = forward.magnitude }
            guard forward > 0, across < forward else { return nil }
        }
        let fraction = min(max(-(a.x * step.x + a.y * step.y) / squared, 0), 1)
        let nearest = a + step * fraction
        let distance = (nearest.x * nearest.x + nearest.y * nearest.y).squareRoot()
        guard distance <= radius else { return nil }
        return Place(along: along[edge] + length * fraction, distance: distance)
    }
}

extension BoundingVolumeTree.Node {
    /// Holds all within so many metres of this one.
    fileprivate func wider(by metres: Double) -> Self {
        var box = self
        let step = metres.roundedUp
        box.minX -= step
        box.minY -= step
        box.minZ -= step
        box.maxX += step
        box.maxY += step
        box.maxZ += step
        return box
    }
}
