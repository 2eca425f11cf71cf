import Geodesy
import Model

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
    /// m in one of q.
    let scale: Double
    /// Unit vector of the course.
    private let heading: SIMD2<Double>
    /// m
    private let error: Double

    init(_ passage: Passage, course: Double) {
        plane = LocalPlane(at: passage.point)
        scale = ApproachRules.matchingScale(error: passage.to.error)
        heading = LocalPlane.heading(course)
        error = passage.to.error
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

    /// How far the fix lies beyond the end of the line that it matches, in the direction of its last
    /// edge, m; 0 before the end.
    func beyond(_ line: [Coordinate], _ match: Match) -> Double {
        guard match.edge == line.count - 2, match.fraction == 1 else { return 0 }
        let end = plane.offset(to: line[match.edge + 1])
        let step = end - plane.offset(to: line[match.edge])
        let length = step.length
        return length > 0 ? max(-Self.dot(end, step) / length, 0) : 0
    }

    // MARK: The restricted section

    /// How a fix lies to the restricted section.
    struct Section {
        /// m
        var distance = Double.infinity
        /// q of the way to the fix, at the edge that it fits best.
        var quality = Double.infinity
    }

    /// How the fix, and the way there, lie to a section that begins at the end of `leg`.
    func section(
        _ lines: ArraySlice<[Coordinate]>, behind leg: [Coordinate], from: Fix
    ) -> Section {
        var section = Section()
        let start = plane.offset(to: from.coordinate)
        let isLong = start.length > max(Movement.leastStep, from.error + error)
        let headings = isLong ? [heading, start * (-1 / start.length)] : [heading]
        for (a, step, isAhead) in edges(lines, behind: leg) {
            section.distance = min(section.distance, Self.nearest(a, step).distance)
            guard isAhead else { continue }
            for heading in headings {
                let along = Self.dot(step, heading)
                let across = step.x * heading.y - step.y * heading.x
                guard along > 0, across.magnitude <= along else { continue }
                let course = LocalPlane.angle(along: along, across: across)
                let distance = self.distance(a, step, start)
                section.quality = min(
                    section.quality,
                    ApproachRules.quality(distance: distance, scale: scale, course: course))
            }
        }
        return section
    }

    /// The edges of the section, each away from where the leg ends; whether they do not lead back along
    /// it. If all do, as those of a place on a road, or there is none, 8 m continue the leg.
    private func edges(
        _ lines: ArraySlice<[Coordinate]>, behind leg: [Coordinate]
    ) -> [(a: SIMD2<Double>, step: SIMD2<Double>, isAhead: Bool)] {
        guard let last = leg.last else { return [] }
        let entry = plane.offset(to: last)
        let before = leg.last { $0 != last } ?? last
        let arrival = (entry - plane.offset(to: before)).unit
        var edges: [(SIMD2<Double>, SIMD2<Double>, Bool)] = []
        for line in lines {
            for (one, two) in zip(line, line.dropFirst()) {
                var (a, b) = (plane.offset(to: one), plane.offset(to: two))
                if (b - entry).length < (a - entry).length { swap(&a, &b) }
                edges.append((a, b - a, Self.dot((b - a).unit, arrival) > -0.5.squareRoot()))
            }
        }
        if !edges.contains(where: \.2) { edges.append((entry, arrival * Self.pointLength, true)) }
        return edges
    }

    private static let pointLength = 8.0

    /// Between an edge and the way from `start` to the fix, which is the origin.
    private func distance(
        _ a: SIMD2<Double>, _ step: SIMD2<Double>, _ start: SIMD2<Double>
    ) -> Double {
        let b = a + step
        // They cross where the ends of each lie on different sides of the other.
        if side(start, a) * side(start, b) < 0, side(step, start - a) * side(step, -a) < 0 {
            return 0
        }
        // Two segments that do not cross are nearest at an end of one of them.
        return min(
            min(Self.nearest(a, step).distance, Self.nearest(a - start, step).distance),
            min(
                Self.nearest(start - a, -start).distance,
                Self.nearest(start - b, -start).distance))
    }

    private static func dot(_ u: SIMD2<Double>, _ v: SIMD2<Double>) -> Double {
        u.x * v.x + u.y * v.y
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
    /// Of length 1; 0 where it has no length.
    fileprivate var unit: SIMD2<Double> { length > 0 ? self * (1 / length) : self }
}

/// Degrees between two courses, 0…180.
func courseDifference(_ a: Double, _ b: Double) -> Double {
    let rest = (a - b).truncatingRemainder(dividingBy: 360).magnitude
    return min(rest, 360 - rest)
}
