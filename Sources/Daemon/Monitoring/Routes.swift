import Bytes
package import Geodesy
package import Law
package import Model
import Storage
package import Time

/// Why a line was not set as the route: a phrase.
package struct RouteRefusal: Error, Hashable, CustomStringConvertible {
    /// A phrase.
    package let description: String
    /// It would take too much.
    package var exceedsLimit = false
}

/// The route that counts.
package struct RouteState: Sendable {
    /// As somebody calls it; empty for none.
    package var name: String
    /// Its line.
    package var route: Route
    /// UTC.
    package var setAt: UTCTime
    /// When it ends at the latest, UTC.
    package var until: UTCTime
    /// It outlives a start of the machine.
    package var isKept: Bool
    /// The vehicle was not off it at the last fix at which it moved.
    package var isOn: Bool
}

/// What a route leads to.
package struct RouteHazards: Sendable {
    /// Those that the vehicle does not fit, or perhaps not, in the order of the route.
    package var hazards: [RouteHazard] = []
    /// How many others it fits.
    package var fitting = 0
    /// There are hazards in the catalogue: without any nothing can be known.
    package var areKnown = false
    /// All that there are were looked at.
    package var isComplete = true

    /// Of ``hazards``, at most.
    package static let most = 1_000
}

/// The route as it is on the disk, and its line.
@MainActor
final class RouteKeeper {
    private let store: Store
    /// The last that was set; nil where none was.
    private(set) var stored: StoredRoute?
    private(set) var route: Route?
    /// What ``stored`` is called in hand, if it is left out: the daemon crashed with it.
    private(set) var leftOut: String?
    /// Routes and their ends that were asked for, and the last of them that counts: what is asked for
    /// first does not take the place of what comes later, however long it was looked at.
    private var turns = (asked: 0, settled: 0)
    /// Why what was set before could not be read; nil if it could.
    private(set) var problem: StoreError?
    /// Until what has become of it could be written.
    private var backOff = BackOff()

    /// When it ends at the latest, or what has become of it is written again.
    var due: Uptime? {
        earliest([route == nil ? nil : stored?.progress.deadline, backOff.until])
    }

    init(_ store: Store) {
        self.store = store
        do { stored = try store.log.route() } catch { problem = error as? StoreError }
        guard let stored, stored.progress.end == nil, !stored.positions.isEmpty else { return }
        let mark = Route.mark(of: stored.positions)
        guard !InHand.leavesOut(.route, mark) else {
            leftOut = mark
            return
        }
        route = InHand.mark(.route, mark) { Route(number: stored.number, stored.positions) }
    }

    /// For what is asked for now.
    func turn() -> Int {
        turns.asked += 1
        return turns.asked
    }

    /// Whether it comes too late; otherwise what was asked for before it does.
    func isLate(_ turn: Int) -> Bool {
        guard turn > turns.settled else { return true }
        turns.settled = turn
        return false
    }

    /// What was left out is not the last route any more. Gives it, once.
    func takeLeftOut() -> String? { leftOut.take() }

    /// What an engine of this boot goes on with; nil where there is none, or it was set before.
    var followed: FollowedRoute? {
        guard let stored, stored.isOfThisBoot, let route else { return nil }
        return FollowedRoute(route, stored.progress)
    }

    func set(_ new: StoredRoute, _ route: Route) throws {
        try store.log.setRoute(new)
        stored = new
        self.route = route
        stored?.positions = []
        backOff.succeed()
    }

    func note(_ progress: RouteProgress, at now: Uptime) throws {
        guard stored?.number == progress.number else { return }
        stored?.progress = progress
        if progress.end != nil {
            route = nil
            stored?.name = ""
        }
        do { try store.log.noteRoute(progress) } catch {
            backOff.fail(at: now)
            throw error
        }
        backOff.succeed()
    }

    /// Writes what could not be written, if it is time to try again.
    func retry(at now: Uptime) {
        guard backOff.until != nil, !backOff.holds(at: now), let stored else { return }
        try? note(stored.progress, at: now)
    }
}

// The route: section 16 of the law.
extension MonitoringService {
    /// What has become of the last route: `none`, `set`, or the name of its end.
    package var routeState: String {
        guard let stored = routes.stored else { return "none" }
        return stored.progress.end?.name ?? (routes.route == nil ? "none" : "set")
    }

    /// The route that counts; nil without one.
    package func route(at now: Uptime) -> RouteState? {
        guard let stored = routes.stored, let route = routes.route else { return nil }
        return RouteState(
            name: stored.name, route: route, setAt: stored.setAt,
            until: present(at: now) + (stored.progress.deadline - now), isKept: stored.isKept,
            isOn: stored.progress.away == nil && lastFix != nil)
    }

    /// Looks at a line, and makes it the route in place of the one before. The result is a function to be
    /// called, each time with a time limit, until it returns what the route leads to: then it is the
    /// route, durably. Until then nothing is changed.
    /// - Parameter positions: valid.
    /// - Throws: ``RouteRefusal``, and the function that or ``StoreError``; then the route is the one of
    ///   before.
    package func setRoute(
        _ positions: [Coordinate], name: String, isKept: Bool, at now: Uptime
    ) throws -> (_ now: Uptime, _ isTimeUp: () -> Bool) throws -> RouteHazards? {
        guard name.utf8.count <= 128,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw RouteRefusal(
                description: "the name is longer than 128 bytes, or has a control character")
        }
        let rounded = positions.map(Route.rounded)
        let mark = Route.mark(of: rounded)
        guard !InHand.leavesOut(.route, mark) else {
            throw RouteRefusal(
                description: "left out: the daemon crashed with this route in hand",
                exceedsLimit: true)
        }
        let route = InHand.mark(.route, mark) {
            Route(number: .random(in: 1...(1 << 62)), rounded)
        }
        if let flaw = Route.flaw(in: route.line) { throw RouteRefusal(description: flaw) }
        let turn = routes.turn()
        let search = search(along: route, at: now)
        return { [weak self] now, isTimeUp in
            guard let self, let found = try search.step(until: isTimeUp) else { return nil }
            if let hazard = search.beyond {
                throw RouteRefusal(
                    description: "it leads past hazards more often than can be looked at, at last "
                        + "past \"\(hazard)\"", exceedsLimit: true)
            }
            guard !routes.isLate(turn) else {
                throw RouteRefusal(description: "another one was set meanwhile, or it was cleared")
            }
            try set(route, name: name, isKept: isKept, at: now)
            return found
        }
    }

    private func set(_ route: Route, name: String, isKept: Bool, at now: Uptime) throws {
        let engine = tracker.engine
        let progress = RouteProgress(
            number: route.number, deadline: now + engine.settings.route.lifetime,
            drivenBefore: engine.odometer.reading.metres, asOf: now)
        try routes.set(
            StoredRoute(
                number: route.number, name: name, setAt: present(at: now), isKept: isKept,
                positions: route.line.positions, progress: progress), route)
        if let mark = routes.takeLeftOut() { notify(.routeForgotten(mark)) }
        follow(FollowedRoute(route, progress), at: now)
    }

    /// From now on there is no route. Durable.
    /// - Throws: ``StoreError``; there is none all the same, until the next start.
    package func clearRoute(at now: Uptime) throws {
        _ = routes.isLate(routes.turn())
        guard var progress = routes.stored?.progress, progress.end == nil else { return }
        progress.end = .cleared
        defer { follow(nil, at: now) }
        if let mark = routes.takeLeftOut() { notify(.routeForgotten(mark)) }
        try routes.note(progress, at: now)
    }

    private func follow(_ route: FollowedRoute?, at now: Uptime) {
        handle(.route(route), at: now)
        noteWake()
        notify(.stateChanged)
    }

    /// After a start: a route of an earlier boot goes on, or is over.
    func resumeRoute(at now: Uptime) {
        if let problem = routes.problem { troubles.note(.storeUnreadable, "no route: \(problem)") }
        guard let stored = routes.stored, stored.progress.end == nil else { return }
        guard !stored.isOfThisBoot else { return }
        let time = present(at: now)
        let left = tracker.engine.settings.route.lifetime - max(time - stored.setAt, .zero)
        guard stored.isKept, left > .zero else {
            var progress = stored.progress
            progress.end = stored.isKept ? .expired : .restarted
            return noteRoute(progress, at: now)
        }
        guard let route = routes.route else { return }
        var next = stored
        // The clock was ahead then: it does not live for ever.
        next.setAt = min(stored.setAt, time)
        next.progress = RouteProgress(
            number: stored.number, deadline: now + left,
            drivenBefore: stored.progress.drivenBefore, asOf: now)
        do { try routes.set(next, route) } catch { troubles.note(.storeUnwritable, "\(error)") }
        follow(FollowedRoute(route, next.progress), at: now)
    }

    /// What the engine keeps of it has changed.
    func noteRoute(_ progress: RouteProgress, at now: Uptime) {
        guard progress.number == routes.stored?.number else { return }
        do { try routes.note(progress, at: now) } catch {
            troubles.note(.storeUnwritable, "the route: \(error)")
            noteWake()
        }
        guard let end = progress.end else { return }
        notify(.routeEnded(end))
        notify(.stateChanged)
    }

    /// What the present route leads to, for the vehicle as it is. The result is a function to be called,
    /// each time with a time limit, until it returns them.
    package func routeHazards(at now: Uptime) -> (_ isTimeUp: () -> Bool) throws -> RouteHazards? {
        guard let route = routes.route else { return { _ in RouteHazards() } }
        let search = search(along: route, at: now)
        return { try search.step(until: $0) }
    }

    private func search(along route: Route, at now: Uptime) -> RouteHazardSearch {
        let engine = tracker.engine
        let rules = ApproachRules(settings: engine.settings.approach, vehicle: engine.vehicle)
        return RouteHazardSearch(
            route, store, rules, time: present(at: now), mayKnow: hasRoads)
    }
}
