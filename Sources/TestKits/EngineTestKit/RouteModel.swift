package import Engine
import Geodesy
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
            left: away.map { driven - $0.metres }, settings.offRoute)
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
        let plane = LocalPlane(at: SurfacePoint(fix.coordinate))
        let heading = LocalPlane.heading(course)
        let reach = min(max(25, fix.error), 50)
        var found: [(edge: Int, along: Double, distance: Double)] = []
        for edge in positions.indices.dropLast() {
            let length = along[edge + 1] - along[edge]
            guard length > 0, length <= 10_000 else { continue }
            let a = plane.offset(to: positions[edge])
            let step = plane.offset(to: positions[edge + 1]) - a
            let forward = step.x * heading.x + step.y * heading.y
            let across = step.x * heading.y - step.y * heading.x
            guard forward > abs(across) else { continue }
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
}
