import Geodesy
import Law
import Model
import Time

/// The law of routes on random drives past random hazards.
package enum Routed {
    private struct Case: CustomStringConvertible {
        let scenario: Scenario
        let fences: [Fence]
        /// Taken before the report of that number; nil clears it.
        var routes: [Int: [Coordinate]?] = [:]
        var settings = EngineSettings()
        let description: String

        init(seed: UInt64) {
            scenario = Scenario(seed: seed, steps: 110)
            var random = SeededRandom(seed: seed ^ 0x726f)
            let places = scenario.reports.compactMap(\.coordinate).filter {
                $0.isValid && $0.latitude.magnitude < 89
            }
            fences =
                scenario.fences.prefix(random.integer(0..<10))
                + RandomApproaches.fences(
                    [1, 4, 25][random.integer(0..<3)], along: places, &random)
            for _ in 0..<random.integer(1..<4) {
                let index = random.integer(0..<scenario.reports.count / 2)
                routes[index] = .some(
                    random.chance(0.15) ? nil : Self.line(along: places, &random))
            }
            settings.route.offRoute = random.chance(0.5) ? .urgent : .asToday
            settings.route.leftWay = [300, 1_000, 2_000][random.integer(0..<3)]
            settings.route.leftAfter = .seconds([20, 60, 300][random.integer(0..<3)])
            settings.route.lifetime = .seconds(random.chance(0.2) ? 60 : 40_000)
            settings.window.size = [2, 5, 20, 100][random.integer(0..<4)]
            description = "\(scenario), window \(settings.window.size)"
        }

        /// A part of the drive, some metres beside it; here and there it goes another way, goes back,
        /// or has the same place twice.
        private static func line(
            along places: [Coordinate], _ random: inout SeededRandom
        ) -> [Coordinate]? {
            guard places.count > 10 else { return nil }
            let first = random.integer(0..<places.count / 2)
            let part = places[first..<random.integer(first + 3..<places.count)]
            let step = random.integer(1..<4)
            let beside = random.uniform(0...20)
            let bearing = random.uniform(0...360)
            var line: [Coordinate] = []
            for (index, place) in part.enumerated() where index % step == 0 {
                line.append(Route.rounded(place.moved(by: beside, toward: bearing)))
                if random.chance(0.05) { line.append(line[line.count - 1]) }
                if random.chance(0.03) {
                    line.append(Route.rounded(place.moved(by: 400, toward: bearing)))
                }
            }
            if random.chance(0.2) { line += line.reversed() }
            return line.count > 1 ? line : nil
        }
    }

    package static let followed = Property(
        "with a route, hazards through a window and kills say what a watch on all of them says"
    ) { seed in
        let one = Case(seed: seed)
        var random = SeededRandom(seed: seed ^ 0x6b69)
        let store = MemoryFenceStore(one.fences)
        var tracker = Tracker(
            engine: Engine(settings: one.settings, generation: store.generation), store: store
        ) { _ in }
        var full = EveryFenceMonitor(settings: one.settings, fences: one.fences)
        var kept: FollowedRoute?
        var end: RouteEnd?
        func take(_ outcome: Tracker.Outcome) -> [Event] {
            for case .route(let progress) in outcome.directives {
                guard let route = kept?.route, route.number == progress.number else { continue }
                kept = FollowedRoute(route, progress)
                end = progress.end
            }
            if kept?.progress.end != nil { kept = nil }
            return outcome.instants(committingTo: store).flatMap(\.self)
        }
        _ = take(tracker.handle(.start, at: Uptime(nanoseconds: 0)))
        for (index, report) in one.scenario.reports.enumerated() {
            let now = one.scenario.arrivals[index]
            var events: [Event] = []
            var expected: [Event] = []
            if let positions = one.routes[index] {
                kept = positions.map {
                    let route = Route(number: UInt64(index + 1), $0)
                    return FollowedRoute(
                        route,
                        RouteProgress(
                            number: route.number, deadline: now + one.settings.route.lifetime,
                            drivenBefore: tracker.engine.odometer.reading.metres, asOf: now))
                }
                end = nil
                events += take(tracker.handle(.route(kept), at: now))
                expected += full.set(
                    kept.map { RouteModel($0, one.settings.route, at: now) }, at: now)
            }
            events += take(tracker.handle(.report(report), at: now))
            expected += full.handle(report, at: now)
            guard events == expected else {
                return "\(one), report \(index): \(difference(events, expected))"
            }
            guard end == full.route?.end, kept == tracker.engine.route else {
                return "\(one), report \(index): \(end as Any), not \(full.route?.end as Any)"
            }
            if random.chance(0.2), let read = tracker.engine.checkpoint {
                let engine = Engine(
                    settings: one.settings, generation: store.generation, checkpoint: read,
                    entries: store.entries(ids: read.fenceIDs), stays: store.openStays,
                    route: kept.flatMap { route in
                        RouteProgress(bytes: route.progress.bytes).map {
                            FollowedRoute(route.route, $0)
                        }
                    })
                tracker = Tracker(engine: engine, store: store) { _ in }
                _ = take(tracker.handle(.start, at: now))
            }
        }
        return nil
    }

    /// How often each end, and each stage on a route, comes in these drives.
    package static func occurrences(in seeds: Range<UInt64>) -> [String: Int] {
        var counts: [String: Int] = [:]
        for seed in seeds {
            let one = Case(seed: seed)
            let store = MemoryFenceStore(one.fences)
            var tracker = Tracker(
                engine: Engine(settings: one.settings, generation: store.generation),
                store: store
            ) { _ in }
            _ = tracker.handle(.start, at: Uptime(nanoseconds: 0))
            for (index, report) in one.scenario.reports.enumerated() {
                let now = one.scenario.arrivals[index]
                if let positions = one.routes[index] {
                    let followed = positions.map {
                        FollowedRoute(
                            Route(number: UInt64(index + 1), $0),
                            RouteProgress(
                                number: UInt64(index + 1),
                                deadline: now + one.settings.route.lifetime,
                                drivenBefore: tracker.engine.odometer.reading.metres, asOf: now))
                    }
                    _ = tracker.handle(.route(followed), at: now)
                }
                let outcome = tracker.handle(.report(report), at: now)
                for case .route(let progress) in outcome.directives {
                    counts[progress.end?.name ?? "moved", default: 0] += 1
                }
                for event in outcome.instants().flatMap(\.self) where event.approach?.chance == 1 {
                    counts[event.kind.name, default: 0] += 1
                }
                for ahead in tracker.engine.ahead {
                    counts[ahead.isOnRoute ? "ahead on" : "ahead off", default: 0] += 1
                }
            }
        }
        return counts
    }
}
