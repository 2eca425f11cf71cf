import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

/// A route: section 16 of the law.
@Suite struct RouteTests {
    private func route(_ line: [Coordinate], _ cab: Cab, hours: Double = 12) -> FollowedRoute {
        let now = Script.uptime(cab.now)
        return FollowedRoute(
            Route(number: 7, line.map(Route.rounded)),
            RouteProgress(
                number: 7, deadline: now + .seconds(hours * 3_600),
                drivenBefore: cab.script.tracker.engine.odometer.reading.metres, asOf: now))
    }

    private func cab(
        _ fences: [Fence], along line: [Coordinate]?, _ offRoute: RouteSettings.OffRoute = .asToday
    ) -> Cab {
        var settings = EngineSettings()
        settings.vehicle = Vehicle(height: 4.2)
        settings.route.offRoute = offRoute
        var cab = Cab(fences)
        cab.script = Script(fences, settings: settings)
        if let line { cab.script.take(.route(route(line, cab)), at: 0) }
        return cab
    }

    private let through = Cab.line([-5_000, -2_000, -400, -100, 10, 2_000], y: 0)
    private let away = Cab.line([-5_000, -3_000], y: 0) + Cab.line([-3_000, 2_000], y: 900)

    @Test("on the route an unlikely hazard is told a mile before, with certainty")
    func certain() throws {
        let fence = try Cab.bridge(chance: 0.05)
        var without = cab([fence], along: nil)
        without.drive(from: -2_990, to: -1_000)
        #expect(without.told.isEmpty)
        var with = cab([fence], along: through)
        with.drive(from: -2_990, to: -1_000)
        #expect(with.told == ["advisory b"])
        let details = try #require(with.details.first)
        #expect(details.chance == 1 && (1_880...1_909).contains(details.toGo))
        #expect(with.script.tracker.engine.ahead.map(\.isOnRoute) == [true])
    }

    @Test("a hazard that is not on the route: as without one, or only when it is urgent")
    func elsewhere() throws {
        let fence = try Cab.bridge(chance: 0.4)
        // The route turns off before the bridge.
        let line =
            Cab.line([-5_000, -350], y: 0) + [Script.place(-350, 3_000), Script.place(500, 3_000)]
        for (offRoute, told) in [
            (RouteSettings.OffRoute.asToday, ["advisory b"]), (.urgent, []),
        ] {
            var cab = cab([fence], along: line, offRoute)
            cab.drive(from: -2_990, to: -500)
            #expect(cab.told == told)
            // Whoever drives on leaves it, and hears what all hear.
            cab.drive(from: -480, to: 120)
            #expect(cab.told.last == "clear b passed")
            #expect(cab.told.contains("urgent b"))
        }
    }

    @Test("a bridge in the side street that the route passes, the last way out at the corner")
    func corner() throws {
        let fence = try Cab.tree(
            [Approach.Leg(endToGo: 0, chance: 0.2, escapeToGo: 0)],
            along: [Cab.line([-1_000, 0], y: 0)], under: [[Script.place(0), Script.place(0, -20)]])
        var cab = cab([fence], along: Cab.line([-5_000, 2_000], y: 0), .urgent)
        cab.drive(from: -990, to: 500, speed: 10)
        #expect(cab.told.isEmpty)
    }

    @Test("with `urgent`, a hazard that the route has led to is told again only off the route")
    func behind() throws {
        let fence = try Cab.tree(
            [Approach.Leg(endToGo: 0, chance: 1), Approach.Leg(endToGo: 20, chance: 0.01)],
            along: [Cab.line([-1_000, 0], y: 0), Cab.line([32, 240], y: 0)],
            under: [Cab.line([0, 12], y: 0)])
        let turning = Cab.line([-5_000, 60], y: 0) + [Script.place(60, 3_000)]
        for (line, offRoute, isTold) in [
            (through, RouteSettings.OffRoute.asToday, true), (through, .urgent, false),
            (turning, .urgent, true),
        ] {
            var cab = cab([fence], along: line, offRoute)
            cab.drive(from: -990, to: 235, speed: 10)
            let passage = ["advisory b initial", "urgent b", "clear b passed"]
            #expect(cab.told == passage + (isTold ? ["urgent b"] : []), "\(offRoute)")
        }
    }

    @Test("off the route everything is told as without one, with `urgent` after 50 m")
    func off() throws {
        let fence = try Cab.bridge(chance: 0.4)
        var all = cab([fence], along: away)
        all.drive(from: -2_940, to: -1_500)
        #expect(all.told == ["advisory b"])
        var urgent = cab([fence], along: away, .urgent)
        urgent.drive(from: -2_940, to: -1_500)
        #expect(urgent.told == ["advisory b"])
        // A fix whose course lags behind is not off for long.
        var turning = cab([fence], along: Cab.line([-5_000, -350], y: 0), .urgent)
        turning.drive(from: -2_990, to: -1_900)
        turning.fix(-1_880, course: 140)
        turning.drive(from: -1_860, to: -800)
        #expect(turning.told.isEmpty)
    }

    @Test("a route that comes there soon by another way: as without one, later: not on it")
    func anotherWay() throws {
        let fence = try Cab.bridge(chance: 0.05)
        // It leaves the road, and comes back after `aside` m.
        func line(aside: Double) -> [Coordinate] {
            Cab.line([-5_000, -1_200], y: 0) + Cab.line([-1_200, -1_000], y: aside)
                + Cab.line([-1_000, 10, 2_000], y: 0)
        }
        for (aside, ahead) in [(5.0, true), (150, false), (900, false)] {
            var cab = cab([fence], along: line(aside: aside))
            cab.drive(from: -2_990, to: -1_400)
            #expect(cab.told == (ahead ? ["advisory b"] : []))
            #expect(cab.script.tracker.engine.ahead.map(\.isOnRoute) == [ahead])
        }
        // At 80 m/s the near advisory is due 1120 m before the last way out, as without a route.
        for (aside, told) in [(5.0, ["advisory b"]), (100, ["advisory b"]), (900, [])] {
            var cab = cab([fence], along: line(aside: aside), .urgent)
            cab.drive(from: -2_990, to: -1_310, speed: 80)
            #expect(cab.told == told)
        }
    }

    /// A line, and how often it goes through a bridge.
    struct Way: Sendable {
        let line: [Coordinate]
        let times: Int

        init(_ line: [Coordinate], times: Int) {
            self.line = line
            self.times = times
        }
    }

    static let ways = [
        Way([Script.place(10, -3_000), Script.place(10, 3_000)], times: 0),
        Way(Cab.line([-3_000, 3_000], y: 30), times: 0),
        Way(Cab.line([-3_000, 3_000], y: 20), times: 1),
        Way(Cab.line([3_000, -3_000], y: 0), times: 0),
        // To the bridge and not through it.
        Way(Cab.line([-3_000, -5], y: 0) + [Script.place(-5, 3_000)], times: 0),
        // There and back and there again.
        Way(Cab.line([-3_000, 500, -3_000, 500], y: 0), times: 2),
        Way(Cab.line([-3_000, -3_000, 500, 500], y: 0), times: 1),
        // Nothing lies between places that are far apart.
        Way(Cab.line([-11_000, 500], y: 0), times: 0),
    ]

    @Test("a road that crosses a bridge, and one beside it, do not go through it", arguments: ways)
    func geometry(way: Way) throws {
        let fence = try Cab.bridge(section: 80)
        let route = Route(number: 1, way.line)
        let approach = try #require(fence.approach)
        let geometry = try #require(fence.area?.geometry)
        var steps = Route.mostSteps
        #expect(route.metres(to: approach, geometry, steps: &steps)?.count == way.times)
    }

    @Test("a route ends where it ends")
    func arrived() throws {
        var cab = cab([], along: Cab.line([0, 1_000], y: 0))
        cab.drive(from: 0, to: 880)
        #expect(cab.script.tracker.engine.route != nil)
        cab.drive(from: 900, to: 940)
        #expect(cab.script.tracker.engine.route == nil)
    }

    @Test("a round trip does not end where it begins")
    func roundTrip() throws {
        let corner = [
            Script.place(0), Script.place(1_000), Script.place(1_000, 1_000),
            Script.place(0, 1_000), Script.place(-50, 1_000), Script.place(-50), Script.place(60),
        ]
        var cab = cab([], along: corner)
        cab.drive(from: -40, to: 40)
        #expect(cab.script.tracker.engine.route != nil)
        cab.drive(from: 60, to: 1_000)
        for y in stride(from: 20.0, to: 1_000, by: 20) { cab.fix(1_000, y, course: 0) }
        cab.drive(from: 1_000, to: -40, y: 1_000)
        for y in stride(from: 980.0, to: 0, by: -20) { cab.fix(-50, y, course: 180) }
        #expect(cab.script.tracker.engine.route != nil)
        cab.drive(from: -40, to: 40)
        #expect(cab.script.tracker.engine.route == nil)
    }

    @Test("it is left after 2 km or five minutes off it; who stands beside it has not left it")
    func left() throws {
        let line = Cab.line([0, 9_000], y: 0)
        var far = cab([], along: line)
        far.drive(from: 0, to: 1_980, y: 200)
        #expect(far.script.tracker.engine.route != nil)
        far.drive(from: 2_000, to: 2_040, y: 200)
        #expect(far.script.tracker.engine.route == nil)

        var long = cab([], along: line)
        long.drive(from: 0, to: 298 * 4, speed: 4, y: 200)
        #expect(long.script.tracker.engine.route != nil)
        long.drive(from: 299 * 4, to: 304 * 4, speed: 4, y: 200)
        #expect(long.script.tracker.engine.route == nil)

        var lunch = cab([], along: line)
        lunch.drive(from: 0, to: 400, y: 0)
        lunch.drive(from: 420, to: 500, y: 200)
        for _ in 0..<2_000 { lunch.fix(500, 200, speed: 0, course: nil) }
        lunch.drive(from: 510, to: 600, speed: 10, y: 200)
        #expect(lunch.script.tracker.engine.route != nil)
        lunch.drive(from: 610, to: 700, speed: 10, y: 0)
        #expect(lunch.script.tracker.engine.route?.progress.away == nil)
    }

    @Test("it expires by monotonic time alone, whatever the receiver's clock says")
    func expired() throws {
        var cab = cab([], along: nil)
        let set = route(
            Cab.line(stride(from: -20_000, to: 40_000, by: 4_000).map(\.self), y: 0), cab, hours: 1)
        cab.script.take(.route(set), at: 0)
        cab.drive(from: 0, to: 200)
        cab.script.wait(until: 3_599)
        #expect(cab.script.tracker.engine.route != nil)
        // The receiver's clock is two hours ahead, and then behind.
        for shift in [7_200.0, -7_200] {
            for second in 0..<6 {
                var report = Script.report(
                    3_599.1 + shift + Double(second) / 10, x: 220, speed: 2)
                report.course = 90
                cab.script.send(report, arriving: 3_599.1 + Double(second) / 10)
            }
        }
        #expect(cab.script.tracker.engine.route != nil)
        cab.script.wait(until: 3_600)
        #expect(cab.script.tracker.engine.route == nil)
    }

    @Test(
        "what is no route",
        arguments: [
            ([] as [Coordinate], "fewer than 2 positions"),
            (Cab.line([0], y: 0), "fewer than 2 positions"),
            (Cab.line([0, 0, 0], y: 0), "shorter than 100 m"),
            (Cab.line([0, 99], y: 0), "shorter than 100 m"),
        ])
    func flaws(line: [Coordinate], flaw: String) {
        #expect(Route.flaw(in: DirectedLine(line)) == flaw)
    }

    @Test("100 000 positions are a route, one more is none; a scribble costs no more than a budget")
    func large() throws {
        var line = (0..<100_000).map { Script.place(Double($0 % 2) * 20, 0) }
        let scribble = DirectedLine(line)
        #expect(Route.flaw(in: scribble) == nil)
        // All the edges are near, and none goes that way.
        let clock = ContinuousClock()
        let point = SurfacePoint(Script.place(10))
        var hint = 0
        let time = clock.measure {
            for _ in 0..<100 {
                #expect(!scribble.hasPlace(near: point, within: 50, course: 0, hint: &hint))
            }
        }
        #expect(time < .seconds(5), "\(time)")
        line.append(Script.place(500))
        #expect(Route.flaw(in: DirectedLine(line)) == "more than 100000 positions")
    }

    @Test("over the antimeridian and at a pole a line has its places")
    func seams() {
        let seam = DirectedLine([
            Coordinate(latitude: 10, longitude: 179.99),
            Coordinate(latitude: 10, longitude: -179.99),
            Coordinate(latitude: 10, longitude: 180),
        ])
        for longitude in [179.995, -179.995, 180, -180] {
            let point = SurfacePoint(Coordinate(latitude: 10, longitude: longitude))
            #expect(!seam.places(near: point, within: 25, course: 90).isEmpty, "\(longitude)")
        }
        let pole = DirectedLine([
            Coordinate(latitude: 89.999, longitude: 0), Coordinate(latitude: 90, longitude: 0),
            Coordinate(latitude: 89.999, longitude: 180),
        ])
        #expect(abs(pole.length - 223.4) < 1)
        _ = pole.places(
            near: SurfacePoint(Coordinate(latitude: 90, longitude: 0)), within: 25, course: 0)
        let near = SurfacePoint(Coordinate(latitude: 89.9995, longitude: 0))
        #expect(pole.places(near: near, within: 25, course: 0).count == 1)
    }

    @Test("its progress is the same after it was stored")
    func stored() {
        var progress = RouteProgress(
            number: 1 << 61, deadline: Uptime(nanoseconds: 5), drivenBefore: 1.5,
            asOf: Uptime(nanoseconds: 3))
        #expect(RouteProgress(bytes: progress.bytes) == progress)
        progress.away = .init(since: Uptime(nanoseconds: 9), metres: 0.1)
        progress.end = .left
        #expect(RouteProgress(bytes: progress.bytes) == progress)
        #expect(RouteProgress(bytes: progress.bytes + [1, 2]) == progress)
        #expect(RouteProgress(bytes: Array(progress.bytes.dropLast())) == nil)
    }
}
