package import Geodesy
package import Model

/// A line that somebody means to drive: section 16 of the law.
package final class Route: Sendable {
    /// Drawn at random: another route, and the same one set again, has another.
    package let number: UInt64
    /// Its positions, each as ``rounded(_:)``.
    package let line: DirectedLine
    /// What it is called while it is in hand: the same for the same line.
    package let mark: String

    /// Of a route.
    package static let mostPositions = 100_000
    /// m, of all of it.
    private static let leastLength = 100.0

    /// - Parameter positions: without a ``flaw(in:)``.
    package init(number: UInt64, _ positions: [Coordinate]) {
        self.number = number
        mark = Self.mark(of: positions)
        line = DirectedLine(positions)
    }

    /// Why a line is no route, a phrase; nil if it is one.
    package static func flaw(in line: DirectedLine) -> String? {
        if line.positions.count < 2 { return "fewer than 2 positions" }
        if line.positions.count > mostPositions { return "more than \(mostPositions) positions" }
        return line.length < leastLength
            ? "shorter than \(Int(leastLength)) m" : nil
    }

    /// See ``mark``: of the line before it is looked at.
    package static func mark(of positions: [Coordinate]) -> String {
        // FNV-1a over words.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for position in positions {
            for degrees in [position.latitude, position.longitude] {
                hash = (hash ^ degrees.bitPattern) &* 0x100_0000_01b3
                hash ^= hash >> 32
            }
        }
        // As long as a string may be that needs no memory.
        return String(hash >> 4, radix: 16)
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

    /// What finding the places of hazards may cost, as ``DirectedLine`` counts it: those of all hazards
    /// of a route that is set, and of those in a window.
    package static let mostSteps = 2_000_000

    /// Metres from the start at which the route comes to that hazard, in ascending order; empty where
    /// it does not. `geometry` is that of its fence.
    /// - Parameter steps: that it may take; less what it took.
    /// - Returns: nil where it would take more.
    package func metres(
        to approach: Approach, _ geometry: Geometry, steps: inout Int
    ) -> [Double]? {
        switch (approach.course, geometry) {
        case (.cone(let direction), .circle(let center, _)):
            return places(SurfacePoint(center), Self.coneReach, direction, .along, &steps)
        case (.legs(let legs), .lines(let lines, _)):
            var entries: [Double] = []
            for (leg, line) in zip(legs, lines) where leg.next == nil {
                guard let places = places(atEndOf: line, &steps) else { return nil }
                entries += places
            }
            entries.sort()
            guard !entries.isEmpty, lines.count > legs.count else { return entries }
            var (through, ways): ([Double], Double) = ([], 0)
            for line in lines[legs.count...] {
                steps -= line.count
                guard let middle = Middle(line) else { continue }
                ways += middle.length
                guard
                    let places = places(
                        middle.point, Self.hazardReach, middle.course, .eitherWay, &steps)
                else { return nil }
                through += places
            }
            through.sort()
            ways += Self.slack
            var next = 0
            return entries.filter { entry in
                while next < through.count, through[next] < entry - Self.hazardReach { next += 1 }
                return next < through.count && through[next] <= entry + ways
            }
        default: return []
        }
    }

    private func places(atEndOf leg: [Coordinate], _ steps: inout Int) -> [Double]? {
        guard let end = leg.last, let before = leg.last(where: { $0 != end }) else { return [] }
        let point = SurfacePoint(end)
        let back = LocalPlane(at: point).bearing(of: before)
        return places(point, Self.hazardReach, back + 180, .along, &steps)
    }

    /// Nil where no steps are left after it.
    private func places(
        _ point: SurfacePoint, _ radius: Double, _ course: Double?,
        _ direction: DirectedLine.Direction, _ steps: inout Int
    ) -> [Double]? {
        guard steps > 0 else { return nil }
        let places = line.places(
            near: point, within: radius, course: course, direction, steps: &steps)
        return steps >= 0 ? places.map(\.along) : nil
    }

    /// Half-way along a line.
    private struct Middle {
        let point: SurfacePoint
        /// Degrees true, of the line there.
        let course: Double
        /// m, of the line.
        let length: Double

        init?(_ line: [Coordinate]) {
            let along = DirectedLine.metres(along: line)
            let whole = along.last ?? 0
            length = whole
            guard length > 0, let edge = along.lastIndex(where: { $0 < whole / 2 }),
                edge + 1 < line.count
            else { return nil }
            let step = along[edge + 1] - along[edge]
            let share = (whole / 2 - along[edge]) / step
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
