import Geodesy
import Geofence1
import Law
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite("SetRoute", .serialized)
struct RouteTests {
    private func positions(_ places: [(Double, Double)]) -> BusValue {
        .array(
            of: "(dd)", places.map { .structure([.double($0.0), .double($0.1)]) })
    }

    /// Eastwards along the road of the fixture.
    private func line(_ count: Int, from first: Int = 0) -> BusValue {
        positions(
            (first..<first + count).map { (48, 11 + Double($0) * 50 / 74_600) })
    }

    private func set(
        _ line: BusValue, _ options: [(String, BusValue)], _ fixture: ServiceFixture,
        _ client: BusConnection
    ) throws -> Result<[BusValue], BusError> {
        try fixture.call(client, "SetRoute", [line, .dictionary(options)])
    }

    private func state(_ fixture: ServiceFixture, _ client: BusConnection) throws -> String? {
        let answer = try #require(try fixture.call(client, "GetRoute").success)
        return answer[0].asDictionary?["state"]?.asString
    }

    @Test("a route comes in portions, is told, and cleared; the log names no place")
    func portions() throws {
        let (fixture, client) = try ServiceFixture.withClient()
        #expect(try state(fixture, client) == "none")
        let first = try set(
            line(5_000), [("more", .bool(true)), ("name", .string("north"))], fixture, client)
        #expect(first.success?[0].asDictionary?["received"]?.asUInt64 == 5_000)
        #expect(try state(fixture, client) == "none")
        let last = try set(
            line(3, from: 5_000), [("first", .uint32(5_000)), ("name", .string("north"))],
            fixture, client)
        let answer = try #require(last.success?[0].asDictionary)
        #expect(answer["state"]?.asString == "set" && answer["name"]?.asString == "north")
        #expect(answer["positions"]?.asUInt64 == 5_003)
        #expect(abs((answer["length_m"]?.asDouble ?? 0) - 250_000) < 1_000)
        #expect(answer["hazards_known"]?.asBool == false)
        // Whether the vehicle is on it is for readers of the position.
        #expect(answer["on"] == nil)
        let shown = try #require(try fixture.call(client, "GetRoute").success?[0].asDictionary)
        #expect(shown["on"]?.asBool != nil)
        #expect(try fixture.call(client, "ClearRoute").success == [])
        #expect(try state(fixture, client) == "cleared")
        #expect(fixture.log.count { $0.contains("route was") } == 2)
        #expect(!fixture.log.contains { $0.contains("north") || $0.contains("48") })
    }

    @Test(
        "what is no route is refused with its reason, and the route is the one of before",
        arguments: [
            ([(Double.nan, 11.0), (48, 11)], "position 1 of the call is not on the Earth"),
            ([(48, 11), (91, 11)], "position 2 of the call is not on the Earth"),
            ([(48, 11), (48, 180.1)], "position 2 of the call is not on the Earth"),
            ([(48, 11), (48, .infinity)], "position 2 of the call is not on the Earth"),
            ([], "fewer than 2 positions"),
            ([(48, 11), (48, 11)], "shorter than 100 m"),
        ] as [([(Double, Double)], String)])
    func refused(places: [(Double, Double)], message: String) throws {
        let (fixture, client) = try ServiceFixture.withClient()
        _ = try set(line(10), [("name", .string("a"))], fixture, client)
        let answer = try set(positions(places), [], fixture, client)
        #expect(answer.failure?.name == BusError.invalidArguments)
        #expect(answer.failure?.message == message)
        #expect(fixture.monitoring.route(at: fixture.now)?.name == "a")
    }

    @Test("options that are not known, portions out of order and too many are refused")
    func outOfOrder() throws {
        let (fixture, client) = try ServiceFixture.withClient()
        for (options, message) in [
            ([("via", .string("x"))], "option \"via\" is not known"),
            ([("keep", .string("x"))], "keep is of another type"),
            ([("first", .uint32(7))], "first is 7 after 0 positions: begin again"),
        ] as [([(String, BusValue)], String)] {
            #expect(try set(line(10), options, fixture, client).failure?.message == message)
        }
        _ = try set(line(10), [("more", .bool(true))], fixture, client)
        let twice = try set(line(10), [("first", .uint32(5))], fixture, client)
        #expect(twice.failure?.message == "first is 5 after 10 positions: begin again")
        let again = try set(line(10), [("first", .uint32(10))], fixture, client)
        #expect(again.failure?.message == "first is 10 after 0 positions: begin again")
        #expect(
            try set(line(6_000), [], fixture, client).failure?.name == BusError.limitsExceeded)
        for portion in 0..<20 {
            let options: [(String, BusValue)] = [
                ("more", .bool(true)), ("first", .uint32(UInt32(portion * 5_000))),
            ]
            #expect(
                try set(line(5_000, from: portion * 5_000), options, fixture, client).success
                    != nil)
        }
        let last = try set(line(1), [("first", .uint32(100_000))], fixture, client)
        #expect(last.failure?.message == "more than 100000 positions")
        #expect(try state(fixture, client) == "none")
    }

    @Test("100 000 positions are set; a client that goes leaves nothing behind")
    func large() throws {
        let (fixture, client) = try ServiceFixture.withClient()
        for _ in 0..<6 {
            let other = try fixture.bus.connect(fixture.loop)
            #expect(try set(line(10), [("more", .bool(true))], fixture, other).success != nil)
            other.close()
        }
        for portion in 0..<20 {
            let options: [(String, BusValue)] = [
                ("more", .bool(portion < 19)), ("first", .uint32(UInt32(portion * 5_000))),
            ]
            let answer = try set(line(5_000, from: portion * 5_000), options, fixture, client)
            #expect(answer.success != nil, "\(portion): \(answer)")
        }
        let route = try #require(fixture.monitoring.route(at: fixture.now))
        #expect(route.route.line.positions.count == 100_000)
    }

    @Test("what has become of it is a property, for readers of events")
    func property() throws {
        let (fixture, client) = try ServiceFixture.withClient()
        _ = try set(line(10), [], fixture, client)
        let properties = BusPeer(
            destination: Geofence1.name, path: Geofence1.path,
            interface: "org.freedesktop.DBus.Properties")
        let state = try fixture.call(
            client, "Get", [.string(Geofence1.managerInterface), .string("RouteState")],
            of: properties)
        #expect(state.success?[0].asString == "set")
    }

    @Test("of one user two routes come in portions at once; one that has stopped makes room")
    func places() throws {
        let (fixture, client) = try ServiceFixture.withClient()
        let others = try (0..<2).map { _ in try fixture.bus.connect(fixture.loop) }
        let now = EventLoop.uptime
        fixture.inputTime = now
        let begin = { (client: BusConnection) in
            try set(line(10), [("more", .bool(true))], fixture, client)
        }
        #expect(try begin(others[0]).success != nil)
        fixture.inputTime = now + .seconds(5)
        #expect(try begin(others[1]).success != nil)
        #expect(try begin(client).failure?.name == BusError.limitsExceeded)
        // A whole route needs no place.
        #expect(try set(line(10), [], fixture, client).success != nil)
        fixture.inputTime = now + .seconds(11)
        #expect(try begin(client).success != nil)
        // The one that has stopped begins again; the other goes on.
        let late = try set(line(10), [("first", .uint32(10))], fixture, others[0])
        #expect(late.failure?.message == "first is 10 after 0 positions: begin again")
        let last = try set(line(10, from: 10), [("first", .uint32(10))], fixture, others[1])
        #expect(last.success?[0].asDictionary?["positions"]?.asUInt64 == 20)
    }

    @Test("clients that set routes and hang up leave the route of before, and room for others")
    func hungUp() throws {
        let (fixture, client) = try ServiceFixture.withClient()
        _ = try set(line(10), [("name", .string("a"))], fixture, client)
        for _ in 0..<12 {
            let other = try fixture.bus.connect(fixture.loop)
            for portion in 0..<4 {
                let options: [(String, BusValue)] = [
                    ("more", .bool(portion < 3)), ("first", .uint32(UInt32(portion * 5_000))),
                    ("name", .string("b")),
                ]
                _ = try other.call(
                    ServiceFixture.manager, "SetRoute",
                    [line(5_000, from: portion * 5_000), .dictionary(options)]
                ) { _ in }
            }
            _ = other.flush(timeout: .seconds(5))
            other.close()
        }
        #expect(try set(line(20), [("name", .string("c"))], fixture, client).success != nil)
        #expect(fixture.monitoring.route(at: fixture.now)?.name == "c")
    }
}
