import Geodesy
import Model
import Time

/// A route as input: section 16 of the law.
struct RouteLaw: Sendable {
    /// What somebody means to drive; nil without a route, and once it has ended.
    @Boxed private(set) var following: FollowedRoute?
    /// Where the vehicle is on it at the last judged fix, for what is judged there; nil where it is on
    /// none, or nothing is.
    @Boxed private(set) var bearing: RouteBearing?

    /// How far from its end a route is over, m.
    private static let nearEnd = 100.0
    /// Before that nobody has come to its end: a round trip begins there, m.
    private static let leastDriven = 200.0

    init() {
        following = nil
        bearing = nil
    }

    /// Whether a route counts.
    @inline(__always)
    var isSet: Bool { if case .present = _following { true } else { false } }

    /// Takes another route, or none. To be followed by ``noteBearing(_:_:_:)``.
    mutating func set(_ route: FollowedRoute?) {
        following = route?.progress.end == nil ? route : nil
    }

    /// The route may have become too old; what has changed of it, to be made durable.
    mutating func expire(at now: Uptime) -> RouteProgress? {
        guard let following, now >= following.progress.deadline else { return nil }
        return end(following, .expired, at: now)
    }

    /// Takes the step to a fix, which is judged now. Gives what has changed, to be made durable.
    mutating func note(
        _ step: WayStep, _ movement: Movement?, _ settings: RouteSettings
    ) -> [RouteProgress] {
        let (fix, metres) = (step.to, step.driven.after.metres)
        guard let movement, var now = following else { return [] }
        let isOn = now.route.line.hasPlace(
            near: step.point, within: Route.reach(error: fix.error), course: movement.course,
            hint: &now.hint)
        following = now
        guard fix.arrival > now.progress.asOf else { return [] }
        var changes: [RouteProgress] = []
        if isOn {
            if now.progress.away != nil {
                now.progress.away = nil
                changes.append(take(now, at: fix.arrival))
            }
            if isAtEnd(now, step, movement) { changes.append(end(now, .arrived, at: fix.arrival)) }
            return changes
        }
        guard let away = now.progress.away else {
            now.progress.away = RouteProgress.Away(since: fix.arrival, metres: metres)
            return [take(now, at: fix.arrival)]
        }
        var since = away.since
        if let speed = step.from?.speed, speed < Movement.leastSpeed {
            since = fix.arrival
            now.progress.away?.since = since
            changes.append(take(now, at: fix.arrival))
        }
        if metres - away.metres >= settings.leftWay || fix.arrival - since >= settings.leftAfter {
            changes.append(end(now, .left, at: fix.arrival))
        }
        return changes
    }

    /// Where the vehicle is on its route at the last judged fix, for what is judged there. To be
    /// followed by ``note(_:)`` where there is such a place.
    mutating func noteBearing(_ way: Way, _ settings: RouteSettings, _ ofWay: WaySettings) {
        bearing = nil
        guard let following, let last = way.last, let movement = way.movement(ofWay) else { return }
        bearing = RouteBearing(
            following.route,
            following.route.places(
                of: last.point, course: movement.course, error: last.fix.error),
            left: following.progress.away.map { way.odometer.reading.metres - $0.metres },
            settings.offRoute, following.hazards)
    }

    /// Nothing is judged at this fix.
    @inline(__always)
    mutating func passQuietly() { bearing = nil }

    /// Takes the hazards that the vehicle is coming to: where they are on its route.
    mutating func note(_ hazards: [HazardPlaces.Hazard]) {
        guard let following, bearing != nil, !following.hazards.isOf(hazards) else { return }
        var found = following.hazards
        found.find(hazards, on: following.route)
        self.following?.hazards = found
        bearing?.hazards = found
    }

    /// A round trip begins where it ends.
    private func isAtEnd(_ now: FollowedRoute, _ step: WayStep, _ movement: Movement) -> Bool {
        let line = now.route.line
        guard let end = line.positions.last else { return false }
        let error = step.to.error
        guard
            step.point.distance(to: SurfacePoint(end))
                <= Self.nearEnd + Route.reach(error: error) + 1
        else { return false }
        let places = now.route.places(of: step.point, course: movement.course, error: error)
        guard let first = places.first, let last = places.last,
            line.length - last.along <= Self.nearEnd
        else { return false }
        let isOnlyThere = line.length - first.along <= Self.nearEnd
        let least = isOnlyThere ? min(Self.leastDriven, line.length / 2) : line.length / 2
        return step.driven.after.metres - now.progress.drivenBefore >= least
    }

    private mutating func end(
        _ now: FollowedRoute, _ end: RouteEnd, at time: Uptime
    ) -> RouteProgress {
        var progress = take(now, at: time)
        progress.end = end
        following = nil
        bearing = nil
        return progress
    }

    private mutating func take(_ now: FollowedRoute, at time: Uptime) -> RouteProgress {
        var now = now
        now.progress.asOf = time
        following = now
        return now.progress
    }
}
