package import Geodesy

/// A line that somebody means to drive: section 16 of the law.
package final class Route: Sendable {
    /// Drawn at random: another route, and the same one set again, has another.
    package let number: UInt64
    /// Its positions, each as ``rounded(_:)``.
    package let line: DirectedLine

    /// Of a route.
    package static let mostPositions = 100_000
    /// m, of all of it.
    private static let leastLength = 100.0

    /// - Parameter positions: without a ``flaw(in:)``.
    package init(number: UInt64, _ positions: [Coordinate]) {
        self.number = number
        line = DirectedLine(positions)
    }

    /// Why a line is no route, a phrase; nil if it is one.
    package static func flaw(in line: DirectedLine) -> String? {
        if line.positions.count < 2 { return "fewer than 2 positions" }
        if line.positions.count > mostPositions { return "more than \(mostPositions) positions" }
        return line.length < leastLength
            ? "shorter than \(Int(leastLength)) m" : nil
    }

    /// A position as it is kept, to 10⁻⁷ degrees: a centimetre.
    package static func rounded(_ position: Coordinate) -> Coordinate {
        Coordinate(
            latitude: (position.latitude * 1e7).rounded() / 1e7,
            longitude: (position.longitude * 1e7).rounded() / 1e7)
    }
}

extension Route: Hashable {
    package static func == (a: Route, b: Route) -> Bool { a.number == b.number }

    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

// MARK: - Where things are on it

extension Route {
    /// How far from the line a vehicle is on it, m.
    static func reach(error: Double) -> Double { min(max(25, error), 50) }

    /// How far a hazard may be from the line, m; the point of a cone.
    private static let (hazardReach, coneReach) = (25.0, 50.0)
    /// How much longer than the restricted section the way through it may be, m.
    private static let slack = 100.0

    /// The places of the vehicle; empty where it is not on the route.
    func places(of point: SurfacePoint, course: Double, error: Double) -> [DirectedLine.Place] {
        line.places(near: point, within: Self.reach(error: error), course: course)
    }

    /// Metres from the start at which the route comes to that hazard, in ascending order; empty where
    /// it does not. `geometry` is that of its fence.
    package func metres(to approach: Approach, _ geometry: Geometry) -> [Double] {
        switch (approach.course, geometry) {
        case (.cone(let direction), .circle(let center, _)):
            return line.places(
                near: SurfacePoint(center), within: Self.coneReach, course: direction
            ).map(\.along)
        case (.legs(let legs), .lines(let lines, _)):
            let ends = legs.indices.filter { legs[$0].next == nil && $0 < lines.count }
            let entries = ends.flatMap { places(atEndOf: lines[$0]) }.map(\.along).sorted()
            guard !entries.isEmpty, lines.count > legs.count else { return entries }
            let section = lines[legs.count...].compactMap(Middle.init)
            let ways = section.map { $0.length }.reduce(0, +) + Self.slack
            let through = section.flatMap {
                line.places(
                    near: $0.point, within: Self.hazardReach, course: $0.course, .eitherWay)
            }.map(\.along)
            return entries.filter { entry in
                through.contains { $0 >= entry - Self.hazardReach && $0 <= entry + ways }
            }
        default: return []
        }
    }

    /// Metres along it from a place, one of `places`, to that hazard: of all such pairs the one that is
    /// nearest to `s`; nil where it does not come there.
    func metres(
        to approach: Approach, _ geometry: Geometry, from places: [Double], near s: Double
    ) -> Double? {
        guard !places.isEmpty else { return nil }
        return metres(to: approach, geometry).flatMap { z in places.map { z - $0 } }
            .min { ($0 - s).magnitude < ($1 - s).magnitude }
    }

    private func places(atEndOf leg: [Coordinate]) -> [DirectedLine.Place] {
        guard let end = leg.last, let before = leg.last(where: { $0 != end }) else { return [] }
        let point = SurfacePoint(end)
        let back = LocalPlane(at: point).bearing(of: before)
        return line.places(near: point, within: Self.hazardReach, course: back + 180)
    }

    /// Half-way along a line.
    private struct Middle {
        let point: SurfacePoint
        /// Degrees true, of the line there.
        let course: Double
        /// m, of the line.
        let length: Double

        init?(_ line: [Coordinate]) {
            let whole = DirectedLine(line)
            length = whole.length
            guard length > 0, let edge = whole.along.lastIndex(where: { $0 < whole.length / 2 }),
                edge + 1 < line.count
            else { return nil }
            let step = whole.along[edge + 1] - whole.along[edge]
            let share = (whole.length / 2 - whole.along[edge]) / step
            let (a, b) = (line[edge], line[edge + 1])
            var turn = b.longitude - a.longitude
            if turn.magnitude > 180 { turn -= 360 * (turn / 360).rounded() }
            point = SurfacePoint(
                Coordinate(
                    latitude: a.latitude + share * (b.latitude - a.latitude),
                    longitude: a.longitude + share * turn))
            course = LocalPlane(at: SurfacePoint(a)).bearing(of: b)
        }
    }
}
