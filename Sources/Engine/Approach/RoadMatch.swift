import Geodesy

/// A fix among the lines of an approach: how well each of them fits.
struct RoadMatcher {
    /// How well a line fits, and where on it the vehicle is.
    struct Match {
        var quality: Double
        /// The edge that fits best, and the fraction of it.
        var edge: Int
        var fraction: Double
    }

    private let plane: LocalPlane
    private let scale: Double
    /// Unit vector of the course.
    private let heading: SIMD2<Double>

    init(_ passage: Passage, _ movement: Movement) {
        plane = LocalPlane(at: passage.point)
        scale = ApproachRules.matchingScale(error: passage.to.error)
        heading = LocalPlane.heading(movement.course)
    }

    /// The distance beyond which no line can fit, m.
    var reach: Double {
        scale * (ApproachRules.greatestQ + ApproachRules.continuation).squareRoot()
    }

    /// The best match on a line; nil where no edge of it lies within reach at less than 45° from
    /// the course.
    func match(_ line: [Coordinate]) -> Match? {
        guard let first = line.first else { return nil }
        let reach = reach
        var best: Match?
        var a = plane.offset(to: first)
        for edge in 0..<(line.count - 1) {
            let b = plane.offset(to: line[edge + 1])
            defer { a = b }
            if min(a.x, b.x) > reach || max(a.x, b.x) < -reach { continue }
            if min(a.y, b.y) > reach || max(a.y, b.y) < -reach { continue }
            let step = b - a
            let along = step.x * heading.x + step.y * heading.y
            let across = step.x * heading.y - step.y * heading.x
            guard along > 0, across.magnitude <= along else { continue }
            let (distance, fraction) = Self.nearest(a, step)
            guard distance <= reach else { continue }
            let quality = ApproachRules.quality(
                distance: distance, scale: scale,
                course: LocalPlane.angle(along: along, across: across))
            if quality < best?.quality ?? .infinity {
                best = Match(quality: quality, edge: edge, fraction: fraction)
            }
        }
        return best
    }

    /// Metres from a match to the end of its line.
    func remaining(_ line: [Coordinate], from match: Match) -> Double {
        var a = plane.offset(to: line[match.edge])
        var length = 0.0
        for edge in match.edge..<(line.count - 1) {
            let b = plane.offset(to: line[edge + 1])
            let step = (b - a).length
            length += edge == match.edge ? step * (1 - match.fraction) : step
            a = b
        }
        return length
    }

    /// Metres from the start of a line to a match.
    func travelled(_ line: [Coordinate], to match: Match) -> Double {
        length(of: line) - remaining(line, from: match)
    }

    /// m
    func length(of line: [Coordinate]) -> Double {
        remaining(line, from: Match(quality: 0, edge: 0, fraction: 0))
    }

    /// Does the way from `start` to the fix run along one of the edges of a line, at most 1.5
    /// scales from it and at most 45° from its direction, either way?
    func runsAlong(_ line: [Coordinate], from start: Coordinate) -> Bool {
        guard let first = line.first else { return false }
        let start = plane.offset(to: start)
        var a = plane.offset(to: first)
        for edge in 0..<(line.count - 1) {
            let b = plane.offset(to: line[edge + 1])
            defer { a = b }
            let step = b - a
            let along = (step.x * heading.x + step.y * heading.y).magnitude
            let across = (step.x * heading.y - step.y * heading.x).magnitude
            guard across <= along else { continue }
            if isNear(a, step, start) { return true }
        }
        return false
    }

    /// Does the way from `start` to the fix come as near as 1.5 scales to a place?
    func comesNear(_ place: Coordinate, from start: Coordinate) -> Bool {
        let point = plane.offset(to: place)
        return isNear(point, SIMD2(0, 0), plane.offset(to: start))
    }

    /// Is an edge as near as 1.5 scales to the way from `start` to the fix, which is the origin?
    private func isNear(
        _ a: SIMD2<Double>, _ step: SIMD2<Double>, _ start: SIMD2<Double>
    ) -> Bool {
        let limit = 1.5 * scale
        // Two segments that do not cross are nearest at an end of one of them.
        if Self.nearest(a, step).distance <= limit { return true }
        if Self.nearest(a - start, step).distance <= limit { return true }
        if Self.nearest(start - a, -start).distance <= limit { return true }
        if Self.nearest(start - a - step, -start).distance <= limit { return true }
        // They cross where the ends of each lie on different sides of the other.
        let b = a + step
        return side(start, a) * side(start, b) < 0 && side(step, start - a) * side(step, -a) < 0
    }

    private func side(_ u: SIMD2<Double>, _ v: SIMD2<Double>) -> Double { u.x * v.y - u.y * v.x }

    /// From the origin to the segment that begins at `a`.
    private static func nearest(
        _ a: SIMD2<Double>, _ step: SIMD2<Double>
    ) -> (distance: Double, fraction: Double) {
        let squared = step.x * step.x + step.y * step.y
        let fraction =
            squared > 0 ? min(max(-(a.x * step.x + a.y * step.y) / squared, 0), 1) : 0
        return ((a + step * fraction).length, fraction)
    }
}

extension SIMD2<Double> {
    fileprivate var length: Double { (x * x + y * y).squareRoot() }
}

/// Degrees between two courses, 0…180.
func courseDifference(_ a: Double, _ b: Double) -> Double {
    let rest = (a - b).truncatingRemainder(dividingBy: 360).magnitude
    return min(rest, 360 - rest)
}
