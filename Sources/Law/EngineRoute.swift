import Geodesy
import Model
import Time

// A route as input: section 16 of the law.
extension Engine {
    /// The route that counts; nil without one, and once it has ended.
    package var route: FollowedRoute? { following }

    /// How far from its end a route is over, m.
    private static let nearEnd = 100.0
    /// Before that nobody has come to its end: a round trip begins there, m.
    private static let leastDriven = 200.0

    /// Takes another route, or none.
    mutating func set(_ route: FollowedRoute?) {
        following = route?.progress.end == nil ? route : nil
        noteBearing()
        noteRegionsDue()
    }

    /// Goes on with a route of this boot; to be given to an engine that is made without a checkpoint.
    package mutating func resume(route: FollowedRoute?) { set(route) }

    /// The route has become too old.
    mutating func expireRoute(at now: Uptime, _ directives: inout [Directive]) {
        guard let deadline = following?.progress.deadline, now >= deadline else { return }
        endRoute(.expired, at: now, &directives)
        noteRegionsDue()
    }

    /// Where the vehicle is with respect to the route at the last fix, which is judged now.
    mutating func follow(
        _ fix: Fix, at point: SurfacePoint, from before: Fix?, _ directives: inout [Directive]
    ) {
        guard let movement = movement(at: fix), var now = following else { return }
        let line = now.route.line
        let isOn = line.hasPlace(
            near: point, within: Route.reach(error: fix.error), course: movement.course,
            hint: &now.hint)
        following = now
        guard fix.arrival > now.progress.asOf else { return }
        if isOn {
            if now.progress.away != nil {
                now.progress.away = nil
                note(now, at: fix.arrival, &directives)
            }
            if isAtEnd(now, fix, at: point, movement) {
                endRoute(.arrived, at: fix.arrival, &directives)
            }
            return
        }
        let metres = odometer.reading.metres
        if let away = now.progress.away {
            if let speed = before?.speed, speed < Movement.leastSpeed {
                now.progress.away?.since = fix.arrival
                note(now, at: fix.arrival, &directives)
            }
            let since = now.progress.away?.since ?? away.since
            if metres - away.metres >= settings.route.leftWay
                || fix.arrival - since >= settings.route.leftAfter
            {
                endRoute(.left, at: fix.arrival, &directives)
            }
        } else {
            now.progress.away = RouteProgress.Away(since: fix.arrival, metres: metres)
            note(now, at: fix.arrival, &directives)
        }
    }

    /// Where the vehicle is on its route at the last judged fix, for what is judged there.
    mutating func noteBearing() {
        approaches.route = nil
        guard let following, let last = motion.last, let movement = movement(at: last.fix) else {
            return
        }
        approaches.route = RouteBearing(
            following.route,
            following.route.places(
                of: last.point, course: movement.course, error: last.fix.error),
            left: following.progress.away.map { odometer.reading.metres - $0.metres },
            settings.route.offRoute, following.hazards)
        noteHazards()
    }

    /// Which hazards the vehicle is coming to has changed, perhaps: where they are on its route.
    mutating func noteHazards() {
        guard let following, approaches.route != nil, let window else { return }
        let hazards = window.regions.compactMap { region -> HazardPlaces.Hazard? in
            guard case .approach(.near) = region.machine else { return nil }
            return HazardPlaces.Hazard(region.entry)
        }
        guard !following.hazards.isOf(hazards) else { return }
        var found = following.hazards
        found.find(hazards, on: following.route)
        self.following?.hazards = found
        approaches.route?.hazards = found
    }

    private func movement(at fix: Fix) -> Movement? {
        Movement(fix, motion.step(settings.crossing))
    }

    /// A round trip begins where it ends.
    private func isAtEnd(
        _ now: FollowedRoute, _ fix: Fix, at point: SurfacePoint, _ movement: Movement
    ) -> Bool {
        let line = now.route.line
        guard let end = line.positions.last else { return false }
        let reach = Route.reach(error: fix.error)
        guard point.distance(to: SurfacePoint(end)) <= Self.nearEnd + reach + 1 else {
            return false
        }
        let places = now.route.places(of: point, course: movement.course, error: fix.error)
        guard let first = places.first, let last = places.last,
            line.length - last.along <= Self.nearEnd
        else { return false }
        let isOnlyThere = line.length - first.along <= Self.nearEnd
        let least = isOnlyThere ? min(Self.leastDriven, line.length / 2) : line.length / 2
        return odometer.reading.metres - now.progress.drivenBefore >= least
    }

    private mutating func endRoute(
        _ end: RouteEnd, at now: Uptime, _ directives: inout [Directive]
    ) {
        guard var ended = following else { return }
        ended.progress.end = end
        note(ended, at: now, &directives)
        following = nil
        approaches.route = nil
    }

    private mutating func note(
        _ now: FollowedRoute, at time: Uptime, _ directives: inout [Directive]
    ) {
        following = now
        following?.progress.asOf = time
        if let progress = following?.progress { directives.append(.route(progress)) }
    }
}
