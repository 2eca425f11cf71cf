package import Geodesy
package import Law
package import Model
package import Time

/// Section 16 of the law, worked again from the handbook alone: every edge is looked at.
package struct RouteModel {
    private let positions: [Coordinate]
    private let along: [Double]
    private let route: Route
    private let settings: RouteSettings
    private let setAt: Uptime
    private let drivenBefore: Double
    private var away: (since: Uptime, metres: Double)?
    /// Nil while it counts.
    package private(set) var end: RouteEnd?

    package init(_ followed: FollowedRoute, _ settings: RouteSettings, at now: Uptime) {
        route = followed.route
        positions = followed.route.line.positions
        var metres = [0.0]
        for (a, b) in zip(positions, positions.dropFirst()) {
            metres.append(
                (metres.last ?? 0) + SurfacePoint(a).distance(to: SurfacePoint(b)))
        }
        along = metres
        self.settings = settings
        setAt = now
        drivenBefore = followed.progress.drivenBefore
    }

    /// Time has come so far.
    package mutating func pass(_ now: Uptime) {
        if end == nil, now - setAt >= settings.lifetime { end = .expired }
    }

    /// Judges a fix; `before` is the one before it on the way, `driven` what the odometer shows.
    package mutating func judge(
        _ fix: Fix, after before: Fix?, course: Double?, driven: Double
    ) -> RouteBearing? {
        guard end == nil, let course else { return nil }
        let places = places(fix, course)
        if fix.arrival > setAt { follow(fix, after: before, places, driven) }
        guard end == nil else { return nil }
        return RouteBearing(
            route, places.map { DirectedLine.Place(along: $0, distance: 0) },
            left: away.map { driven - $0.metres }, settings.offRoute, HazardPlaces())
    }

    private mutating func follow(
        _ fix: Fix, after before: Fix?, _ places: [Double], _ driven: Double
    ) {
        let length = along.last ?? 0
        guard let first = places.min(), let last = places.max() else {
            guard let open = away else {
                away = (fix.arrival, driven)
                return
            }
            let stood = before?.speed.map { $0 < 1.2 } ?? false
            let since = stood ? fix.arrival : open.since
            away = (since, open.metres)
            if driven - open.metres >= settings.leftWay
                || fix.arrival - since >= settings.leftAfter
            {
                end = .left
            }
            return
        }
        away = nil
        let since = driven - drivenBefore
        let least = length - first <= 100 ? min(200, length / 2) : length / 2
        if length - last <= 100, since >= least { end = .arrived }
    }

    private func places(_ fix: Fix, _ course: Double) -> [Double] {
        places(fix.coordinate, course, min(max(25, fix.error), 50))
    }

    private func places(
        _ point: Coordinate, _ course: Double?, _ reach: Double, bothWays: Bool = false
    ) -> [Double] {
        let plane = LocalPlane(at: SurfacePoint(point))
        let heading = course.map(LocalPlane.heading)
        var found: [(edge: Int, along: Double, distance: Double)] = []
        for edge in positions.indices.dropLast() {
            let length = along[edge + 1] - along[edge]
            guard length > 0, length <= 10_000 else { continue }
            let a = plane.offset(to: positions[edge])
            let step = plane.offset(to: positions[edge + 1]) - a
            if let heading {
                let forward = step.x * heading.x + step.y * heading.y
                let across = step.x * heading.y - step.y * heading.x
                guard (bothWays ? abs(forward) : forward) > abs(across) else { continue }
            }
            let squared = step.x * step.x + step.y * step.y
            let share = min(max(-(a.x * step.x + a.y * step.y) / squared, 0), 1)
            let nearest = a + step * share
            let distance = (nearest.x * nearest.x + nearest.y * nearest.y).squareRoot()
            guard distance <= reach else { continue }
            let place = (edge, along[edge] + share * length, distance)
            if let last = found.last, last.edge == edge - 1,
                place.1 - last.along <= 4 * reach
            {
                // Of neighbours the nearest, wherever the row goes on.
                let best = distance < last.distance ? place : (edge, last.along, last.distance)
                found[found.count - 1] = best
            } else {
                found.append(place)
            }
        }
        return found.map(\.along)
    }

    /// Where it leads to a hazard, m from its start.
    package func metres(to approach: Approach, _ geometry: Geometry) -> [Double] {
        switch (approach.course, geometry) {
        case (.cone(let direction), .circle(let center, _)): return places(center, direction, 50)
        case (.legs(let legs), .lines(let lines, _)):
            var ends: [Double] = []
            for (leg, line) in zip(legs, lines) where leg.next == nil {
                let (before, end) = (line[line.count - 2], line[line.count - 1])
                ends += places(end, course(before, end), 25)
            }
            ends.sort()
            guard lines.count > legs.count else { return ends }
            let section = lines[legs.count...].filter { length($0) > 0 }
            let reach = section.map(length).reduce(0, +) + 100
            var through: [Double] = []
            for line in section {
                let (middle, course) = self.middle(line)
                through += places(middle, course, 25, bothWays: true)
            }
            return ends.filter { end in
                through.contains { $0 >= end - 25 && $0 <= end + reach }
            }
        default: return []
        }
    }

    private func course(_ a: Coordinate, _ b: Coordinate) -> Double {
        LocalPlane(at: SurfacePoint(b)).bearing(of: a) + 180
    }

    private func length(_ line: [Coordinate]) -> Double {
        zip(line, line.dropFirst()).map { SurfacePoint($0).distance(to: SurfacePoint($1)) }
            .reduce(0, +)
    }

    /// Half-way, and the course of the line there.
    private func middle(_ line: [Coordinate]) -> (Coordinate, Double) {
        var left = length(line) / 2
        for (a, b) in zip(line, line.dropFirst()) {
            let step = SurfacePoint(a).distance(to: SurfacePoint(b))
            if step >= left {
                let share = left / step
                return (
                    Coordinate(
                        latitude: a.latitude + share * (b.latitude - a.latitude),
                        longitude: a.longitude + share * (b.longitude - a.longitude)),
                    LocalPlane(at: SurfacePoint(a)).bearing(of: b)
                )
            }
            left -= step
        }
        return (line[0], 0)
    }
}
