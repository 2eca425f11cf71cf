import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

/// Section 14 of the law, with a route.
@Suite struct RouteArrivalTests {
    private func dock(_ seconds: Double = 300) throws -> Fence {
        var fence = try Script.circle("dock", x: 0, radius: 100)
        fence.terms.arrive = .seconds(seconds)
        return fence
    }

    /// Away from the dock, and round to it.
    private static let round = [
        Script.place(-3_000), Script.place(-3_000, 3_000), Script.place(-6_000, 3_000),
        Script.place(-6_000, 6_000), Script.place(0, 6_000), Script.place(0, 120),
    ]

    private func followed(_ line: [Coordinate]) -> FollowedRoute {
        FollowedRoute(
            Route(number: 1, line.map(Route.rounded)),
            RouteProgress(
                number: 1, deadline: Script.uptime(40_000), drivenBefore: 0,
                asOf: Script.uptime(0)))
    }

    /// Along those places at 20 m/s, with a course.
    private func drive(_ script: inout Script, along line: [Coordinate]) {
        var second = 0.0
        for (from, to) in zip(line, line.dropFirst()) {
            let plane = LocalPlane(at: SurfacePoint(from))
            let course = plane.bearing(of: to)
            let length = SurfacePoint(from).distance(to: SurfacePoint(to))
            for metres in stride(from: 0.0, to: length, by: 20) {
                var report = Script.report(second, x: 0, speed: 20)
                report.coordinate = from.moved(by: metres, toward: course)
                report.course = course
                script.send(report, arriving: second)
                second += 1
            }
        }
    }

    @Test(
        "with a route that ends at the fence the time is that along it, though it leads away first")
    func route() throws {
        var script = Script([try dock(600), try Script.circle("other", x: -3_000, radius: 50)])
        script.take(.route(followed(Self.round)), at: 0)
        drive(&script, along: Self.round)
        #expect(script.told.filter { $0.contains("dock") } == ["arriving dock"])
        let told = try #require(script.events.first { $0.kind == .arriving })
        // 20.9 km at 20 m/s are 1045 s.
        #expect(abs((told.time - Script.time(445)).seconds) < 10, "\(told.time)")
        let eta = try #require(told.terms?.eta)
        #expect(abs((eta - Script.time(1_045)).seconds) < 10)
    }

    @Test("a route that ends elsewhere changes nothing of an arrival")
    func otherRoute() throws {
        var expected = Script([try dock()])
        drive(&expected, along: Self.round)
        var script = Script([try dock()])
        script.take(.route(followed(Array(Self.round.prefix(4)))), at: 0)
        drive(&script, along: Self.round)
        #expect(script.events == expected.events)
    }
}
