import EngineTestKit
import Geodesy
import Testing
import Time

@testable import Law
@testable import Model

/// A route and hazards that meet often: what it costs is bounded, and what is found is what looking at
/// everything would find.
@Suite struct RouteWorkTests {
    private static let place = Script.origin

    private func cab(
        _ fences: [Fence], along line: [Coordinate]?, _ offRoute: RouteSettings.OffRoute
    ) -> Cab {
        var settings = EngineSettings()
        settings.vehicle = Vehicle(height: 4.2)
        settings.route.offRoute = offRoute
        var cab = Cab(fences)
        cab.script = Script(fences, settings: settings)
        if let line { cab.script.take(.route(Self.followed(line)), at: 0) }
        return cab
    }

    private static func followed(_ line: [Coordinate]) -> FollowedRoute {
        let now = Script.uptime(0)
        return FollowedRoute(
            Route(number: 7, line.map(Route.rounded)),
            RouteProgress(
                number: 7, deadline: now + .seconds(40_000), drivenBefore: 0, asOf: now))
    }

    @Test("where random routes come to random hazards is what looking at every edge says")
    func places() throws {
        var (found, fences) = (0, 0)
        for seed in UInt64(0)..<60 {
            var random = SeededRandom(seed: seed)
            var line = [Self.place]
            var course = 90.0
            for _ in 0..<random.integer(20..<150) {
                course += random.chance(0.05) ? 180 : random.uniform(-20...20)
                let step = random.chance(0.01) ? 12_000 : random.uniform(1...200)
                line.append(line[line.count - 1].moved(by: step, toward: course))
            }
            if random.chance(0.5) { line += line.reversed() + line }
            let hazards = RandomApproaches.fences(12, along: line, &random)
            let followed = Self.followed(line)
            let model = RouteModel(followed, RouteSettings(), at: Script.uptime(0))
            for fence in hazards {
                let approach = try #require(fence.approach)
                let geometry = try #require(fence.area?.geometry)
                var steps = Route.mostSteps
                let metres = followed.route.metres(to: approach, geometry, steps: &steps)
                let expected = model.metres(to: approach, geometry)
                #expect(metres?.count == expected.count, "\(seed) \(fence.id)")
                #expect(
                    zip(metres ?? [], expected).allSatisfy { abs($0 - $1) < 1e-3 },
                    "\(seed) \(fence.id)")
                #expect(steps < Route.mostSteps && steps > Route.mostSteps - 10_000)
                (found, fences) = (found + expected.count, fences + 1)
            }
        }
        #expect(found > fences / 4 && fences > 300, "\(found) of \(fences)")
    }

    @Test("of the ways from places to a hazard the nearest is that of all pairs")
    func nearest() throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<2_000 {
            // Whole numbers, so that there are ties.
            let numbers = { (count: Int) in
                (0..<count).map { _ in Double(random.integer(0..<60)) }.sorted()
            }
            let (places, metres) = (numbers(random.integer(0..<6)), numbers(random.integer(0..<6)))
            let s = Double(random.integer(0..<60))
            let bearing = RouteBearing(
                Route(number: 1, [Self.place, Self.place.moved(by: 900, toward: 90)]),
                places.map { DirectedLine.Place(along: $0, distance: 0) }, left: nil, .urgent,
                HazardPlaces())
            let pairs = metres.flatMap { z in places.map { z - $0 } }
            let expected = pairs.min { abs($0 - s) < abs($1 - s) }
            let way = places.isEmpty ? nil : try #require(bearing).way(to: metres, near: s)
            #expect(way == expected, "\(metres) from \(places) near \(s)")
        }
    }

    @Test(
        "a stored hazard of 2000 legs and a route of 2000 passes: as without the route",
        arguments: RouteSettings.OffRoute.allCases)
    func stored(offRoute: RouteSettings.OffRoute) throws {
        let fence = try RouteAttack.hazard(ends: 2_000, sections: 500, at: Self.place)
        var without = cab([fence], along: nil, offRoute)
        without.drive(from: -900, to: 100)
        var with = cab(
            [fence], along: RouteAttack.route(passes: 2_000, at: Self.place), offRoute)
        with.drive(from: -900, to: 100)
        #expect(with.told == without.told)
        #expect(with.told.first == "advisory attack initial", "\(with.told)")
        #expect(with.script.tracker.engine.route != nil)
    }

    @Test("beside it an ordinary hazard keeps its place on the route")
    func beside() throws {
        let fences = [
            try RouteAttack.hazard(ends: 2_000, sections: 500, at: Self.place),
            try Cab.bridge("b", chance: 0.05, x: 10),
        ]
        var cab = cab(
            fences, along: RouteAttack.route(passes: 2_000, at: Self.place), .asToday)
        cab.drive(from: -1_950, to: -500)
        #expect(cab.told.contains("advisory b"))
        #expect(cab.script.tracker.engine.ahead.first { $0.hazard == "b" }?.isOnRoute == true)
        let attack = cab.script.tracker.engine.ahead.first { $0.hazard == "attack" }
        #expect(attack?.isOnRoute == false)
    }

    @Test("100 000 positions over 128 ends and 128 sections are looked at once")
    func most() throws {
        let fence = try RouteAttack.hazard(ends: 128, sections: 128, at: Self.place)
        #expect(FenceRules.flaw(fence) == nil)
        let line = RouteAttack.route(passes: 24_999, at: Self.place)
        let route = Self.followed(line).route
        let approach = try #require(fence.approach)
        let geometry = try #require(fence.area?.geometry)
        var steps = Route.mostSteps
        let metres = route.metres(to: approach, geometry, steps: &steps)
        // Of each place the first 4096 edges count.
        #expect(metres?.count ?? 0 > 100_000)
        #expect(steps > 0)
        var cab = cab([fence], along: line, .asToday)
        cab.drive(from: -900, to: -700)
        #expect(cab.told == ["advisory attack initial"])
        #expect(cab.script.tracker.engine.ahead.map(\.isOnRoute) == [true])
        // What was found is kept, not found again at each fix.
        let kept = cab.script.tracker.engine.route?.hazards
        let hazard = try #require(HazardPlaces.Hazard(CatalogueEntry(fence, added: 1)))
        #expect(kept?.isOf([hazard]) == true)
        #expect(kept?.steps == Route.mostSteps - steps)
    }

    @Test("whatever hazards come and go, all of a window take no more than the steps of one look")
    func window() throws {
        let route = Route(number: 1, RouteAttack.route(passes: 2_000, at: Self.place))
        let hazards = try (0..<40).map { index in
            try RouteAttack.hazard(
                "h\(index)", ends: 1 + 6 * index, sections: index, at: Self.place)
        }.map { CatalogueEntry($0, added: 1) }.compactMap { HazardPlaces.Hazard($0) }
        var random = SeededRandom(seed: 9)
        var places = HazardPlaces()
        var (known, unknown) = (0, 0)
        for _ in 0..<5 {
            let present = hazards.filter { _ in random.chance(0.7) }
            places.find(present, on: route)
            #expect(places.isOf(present) && places.steps <= Route.mostSteps)
            for hazard in present {
                if let metres = places.metres(to: hazard.approach) {
                    #expect(!metres.isEmpty)
                    known += 1
                } else {
                    unknown += 1
                }
            }
        }
        #expect(known > 10 && unknown > 10, "\(known), \(unknown)")
    }

    @Test("many rivals are told apart as few are")
    func rivals() throws {
        // Roads of four pieces that part from the leg 2 km before, each 30 cm further aside.
        func told(_ count: Int, apart: Double) throws -> [String] {
            var fence = try Cab.bridge(chance: 0.05)
            let rivals = (0..<count).flatMap { index -> [[Coordinate]] in
                let y = apart + 0.3 * Double(index % 3)
                let fork = Script.place(-3_000, 0)
                let joints = [fork] + [-2_500.0, -2_000, -1_500, 500].map { Script.place($0, y) }
                return zip(joints, joints.dropFirst()).map { [$0, $1] }
            }
            let approach = try #require(fence.approach)
            fence.approach = Approach(
                limits: approach.limits, course: approach.course, rivals: rivals)
            var cab = Cab([fence])
            for x in stride(from: -2_900.0, through: -100, by: 20) { cab.fix(x, apart / 2 + 1) }
            return cab.told
        }
        for apart in [4.0, 12, 30] {
            let few = try told(3, apart: apart)
            let many = try told(3 * 400, apart: apart)
            #expect(few == many, "\(apart)")
        }
    }
}
