package import Engine
package import Geodesy
import Storage
package import Time

/// Why a line was not set as the route: a phrase.
package struct RouteRefusal: Error, Hashable, CustomStringConvertible {
    /// A phrase.
    package let description: String
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
    private let store: SQLiteFenceStore
    /// The last that was set; nil where none was.
    private(set) var stored: StoredRoute?
    private(set) var route: Route?
    /// Why what was set before could not be read; nil if it could.
    private(set) var problem: StoreError?
    /// Until what has become of it could be written.
    private(set) var backOff = BackOff()

    init(_ store: SQLiteFenceStore) {
        self.store = store
        do { stored = try store.route() } catch { problem = error as? StoreError }
        guard let stored, stored.progress.end == nil, !stored.positions.isEmpty else { return }
        route = Route(number: stored.number, stored.positions)
    }

    /// What an engine of this boot goes on with; nil where there is none, or it was set before.
    var followed: FollowedRoute? {
        guard let stored, stored.isOfThisBoot, let route else { return nil }
        return FollowedRoute(route, stored.progress)
    }

    func set(_ new: StoredRoute, _ route: Route) throws {
        try store.setRoute(new)
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
        do { try store.noteRoute(progress) } catch {
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

    /// From now on this is the route, in place of the one before. Durable.
    /// - Parameter positions: valid.
    /// - Throws: ``RouteRefusal``, ``StoreError``; then the route is the one of before.
    package func setRoute(
        _ positions: [Coordinate], name: String, isKept: Bool, at now: Uptime
    ) throws {
        guard name.utf8.count <= 128,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw RouteRefusal(
                description: "the name is longer than 128 bytes, or has a control character")
        }
        let route = Route(number: .random(in: 1...(1 << 62)), positions.map(Route.rounded))
        if let flaw = Route.flaw(in: route.line) { throw RouteRefusal(description: flaw) }
        let engine = tracker.engine
        let progress = RouteProgress(
            number: route.number, deadline: now + engine.settings.route.lifetime,
            drivenBefore: engine.odometer.reading.metres, asOf: now)
        try routes.set(
            StoredRoute(
                number: route.number, name: name, setAt: present(at: now), isKept: isKept,
                positions: route.line.positions, progress: progress), route)
        follow(FollowedRoute(route, progress), at: now)
    }

    /// From now on there is no route. Durable.
    /// - Throws: ``StoreError``; there is none all the same, until the next start.
    package func clearRoute(at now: Uptime) throws {
        guard var progress = routes.stored?.progress, routes.route != nil else { return }
        progress.end = .cleared
        defer { follow(nil, at: now) }
        try routes.note(progress, at: now)
    }

    private func follow(_ route: FollowedRoute?, at now: Uptime) {
        routeDue = route?.progress.deadline
        handle(.route(route), at: now)
        noteWake()
        notify(.stateChanged)
    }

    /// After a start: a route of an earlier boot goes on, or is over.
    func resumeRoute(at now: Uptime) {
        if let problem = routes.problem { troubles.note(.storeUnreadable, "no route: \(problem)") }
        guard let stored = routes.stored, let route = routes.route else { return }
        guard !stored.isOfThisBoot else {
            routeDue = stored.progress.deadline
            return
        }
        let time = present(at: now)
        let left = tracker.engine.settings.route.lifetime - max(time - stored.setAt, .zero)
        guard stored.isKept, left > .zero else {
            var progress = stored.progress
            progress.end = stored.isKept ? .expired : .restarted
            return noteRoute(progress, at: now)
        }
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
        routeDue = nil
        notify(.routeEnded(end))
        notify(.stateChanged)
    }

    /// What the present route leads to, for the vehicle as it is. The result is a function to be called,
    /// each time with a time limit, until it returns them.
    package func routeHazards(at now: Uptime) -> (_ isTimeUp: () -> Bool) throws -> RouteHazards? {
        guard let route = routes.route else { return { _ in RouteHazards() } }
        var rules = tracker.engine.approaches
        rules.route = nil
        let search = RouteHazardSearch(
            route, store, rules, time: present(at: now), mayKnow: hasRoads)
        return { try search.step(until: $0) }
    }
}

/// Looks at the fences along a route, piece by piece.
@MainActor
private final class RouteHazardSearch {
    private let route: Route
    private let store: SQLiteFenceStore
    private let rules: ApproachRules
    private let time: UTCTime
    private var found = RouteHazards()
    private var known: Set<FenceKey> = []
    private var next = 0

    /// Pieces are at most that long, m, or of that many positions.
    private static let (pieceLength, piecePositions) = (5_000.0, 2_000)
    /// Fences of one piece that are looked at.
    private static let mostFences = 1_024
    /// m: a hazard may be that far from the line.
    private static let margin = 60.0

    init(
        _ route: Route, _ store: SQLiteFenceStore, _ rules: ApproachRules, time: UTCTime,
        mayKnow: Bool
    ) {
        self.route = route
        self.store = store
        self.rules = rules
        self.time = time
        found.areKnown = mayKnow
    }

    func step(until isTimeUp: () -> Bool) throws -> RouteHazards? {
        let line = route.line
        while next < line.positions.count {
            let first = next
            var end = first + 1
            while end < line.positions.count, end - first < Self.piecePositions,
                line.along[end] - line.along[first] <= Self.pieceLength
            {
                end += 1
            }
            // A piece begins with the last position of the one before, unless that is far away.
            try look(at: first..<end)
            if end < line.positions.count,
                line.along[end] - line.along[end - 1] <= DirectedLine.longestEdge
            {
                try look(at: (end - 1)..<(end + 1))
            }
            next = end
            if isTimeUp() { return nil }
        }
        found.hazards.sort {
            $0.along != $1.along
                ? $0.along < $1.along
                : $0.hazard.utf8.lexicographicallyPrecedes($1.hazard.utf8)
        }
        if found.hazards.count > RouteHazards.most {
            found.hazards.removeLast(found.hazards.count - RouteHazards.most)
            found.isComplete = false
        }
        return found
    }

    private func look(at positions: Range<Int>) throws {
        let line = route.line.positions[positions]
        guard let first = line.first else { return }
        var box = GeoBox(around: first, radius: Self.margin)
        // Around the first of them, so that the antimeridian does not tear it.
        let west = box.west
        for position in line.dropFirst() {
            let other = GeoBox(around: position, radius: Self.margin)
            let turn = ((west - other.west) / 360).rounded() * 360
            box.west = min(box.west, other.west + turn)
            box.east = max(box.east, other.east + turn)
            box.south = min(box.south, other.south)
            box.north = max(box.north, other.north)
        }
        let entries = try store.entries(meeting: box, limit: Self.mostFences) {
            $0.approach != nil
        }
        if entries.count == Self.mostFences { found.isComplete = false }
        for entry in entries
        where entry.approach != nil && known.insert(FenceKey(entry.id)).inserted {
            found.areKnown = true
            for hazard in rules.hazards(on: route, at: entry, time: time) {
                if hazard.fit == .fits { found.fitting += 1 } else { found.hazards.append(hazard) }
            }
        }
    }
}
