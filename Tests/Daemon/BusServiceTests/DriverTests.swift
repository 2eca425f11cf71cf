import Geofence1
import Model
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite("SetDriver", .serialized)
struct DriverTests {
    private func set(
        _ id: String, _ options: [(String, BusValue)] = [], _ fixture: ServiceFixture,
        _ client: BusConnection
    ) throws -> Result<[BusValue], BusError> {
        try fixture.call(client, "SetDriver", [.string(id), .dictionary(options)])
    }

    private func driver(_ fixture: ServiceFixture, _ client: BusConnection) throws -> String? {
        let answer = try #require(try fixture.call(client, "GetDriver").success)
        return answer[0].asDictionary?["id"]?.asString
    }

    private func drivers(_ fixture: ServiceFixture, _ client: BusConnection) throws -> [String?] {
        let answer = try #require(
            try fixture.call(client, "ReadEvents", [.uint64(0), .uint32(0)]).success)
        return (answer[0].asArray ?? []).map {
            $0.asStructure?[3].asDictionary?["driver"]?.asString
        }
    }

    @Test("events that are read have their driver, signals have none, and the log names nobody")
    func events() throws {
        let (fixture, client) = try ServiceFixture.withClient()
        let listener = try Listener(client, fixture.loop)
        #expect(try driver(fixture, client) == nil)
        _ = try fixture.call(client, "CreateSubscription", [.dictionary([])])
        try fixture.add("depot", east: 1_000)
        #expect(try set("jane doe", [], fixture, client).success == [])
        #expect(try driver(fixture, client) == "jane doe")
        fixture.drive(from: 0, to: 1_000)
        #expect(try set("", [], fixture, client).success == [])
        #expect(try driver(fixture, client) == nil)
        fixture.drive(from: 1_020, to: 2_000)
        #expect(try drivers(fixture, client) == ["jane doe", nil])
        // The broadcast and the subscription, of enter and exit.
        #expect(try fixture.loop.run { listener.all("Transition").count == 4 })
        #expect(
            listener.all("Transition").allSatisfy { $0[3].asDictionary?["driver"] == nil })
        #expect(fixture.log.count { $0.contains("the driver was") } == 2)
        #expect(!fixture.log.contains { $0.contains("jane") })
    }

    @Test("a forgotten driver is in no event any more")
    func forgotten() throws {
        let (fixture, client) = try ServiceFixture.withClient()
        try fixture.add("depot", east: 1_000)
        _ = try set("jane", [], fixture, client)
        fixture.drive(from: 0, to: 1_000)
        #expect(try drivers(fixture, client) == ["jane"])
        for isFound in [true, false] {
            let answer = try fixture.call(client, "ForgetDriver", [.string("jane")])
            #expect(answer.success == [.bool(isFound)])
            #expect(try drivers(fixture, client) == [nil])
            #expect(try driver(fixture, client) == nil)
        }
        #expect(!fixture.log.contains { $0.contains("jane") })
    }

    @Test(
        "what is no id, and an option that is not known, are refused, and the driver stays",
        arguments: [
            (
                String(repeating: "x", count: 129), [] as [(String, BusValue)],
                "the id is not 1 to 128 bytes long"
            ),
            ("a\nb", [], "the id has a control character"),
            ("bob", [("until", BusValue.uint64(1))], "option \"until\" is not known"),
        ])
    func refused(id: String, options: [(String, BusValue)], message: String) throws {
        let (fixture, client) = try ServiceFixture.withClient()
        _ = try set("jane", [], fixture, client)
        let answer = try set(id, options, fixture, client)
        #expect(answer.failure?.name == BusError.invalidArguments)
        #expect(answer.failure?.message == message)
        #expect(try driver(fixture, client) == "jane")
    }
}
