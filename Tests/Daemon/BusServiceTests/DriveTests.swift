import BusService
import Geofence1
import Law
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite(.serialized)
struct DriveTests {
    let fixture: ServiceFixture
    let client: BusConnection

    init() throws {
        (fixture, client) = try ServiceFixture.withClient()
    }

    @Test("a drive through a fence is signalled, without a position, and can be read")
    func transition() throws {
        try fixture.add("bridge", east: 500, title: "Low bridge", metadata: #"{"height":3.4}"#)
        let listener = try Listener(client, fixture.loop)
        fixture.drive(from: 0, to: 1000)
        #expect(try fixture.loop.run { listener.all("Transition").count == 2 })
        let signals = listener.all("Transition")
        #expect(signals.map { $0[0] } == [.uint64(1), .uint64(2)])
        #expect(signals.map { $0[1] } == [.string("bridge"), .string("bridge")])
        #expect(signals.map { $0[2] } == [.uint32(1), .uint32(2)])
        let enter = try #require(signals[0][3].asDictionary)
        #expect(enter["title"] == .string("Low bridge"))
        #expect(enter["metadata"]?.asDictionary == ["height": .double(3.4)])
        #expect(enter["presence"] == .uint32(2))
        #expect(enter["boot_id"] == .string(ServiceFixture.bootID))
        #expect(enter["time"]?.asUInt64.map { $0 / 1_000_000_000_000 } == 1800)
        #expect(signals[1][3].asDictionary?["stay"]?.asUInt64 ?? 0 > 8_000_000)
        for details in signals.compactMap({ $0[3].asDictionary }) {
            for key in ["latitude", "longitude", "speed_mps", "course_deg"] {
                #expect(details[key] == nil)
            }
        }

        let read = try fixture.call(client, "ReadEvents", [.uint64(0), .uint32(10)])
        let events = try #require(read.success?[0].asArray)
        #expect(events.count == 2)
        // We are the user that the daemon runs as.
        let details = try #require(events[0].asStructure?[3].asDictionary)
        #expect(abs((details["latitude"]?.asDouble ?? 0) - 48) < 0.001)
        #expect(details["course_deg"] == .double(90))
        #expect(read.success?[1] == .uint64(2))
        #expect(read.success?[2] == .bool(false))
        let rest = try fixture.call(client, "ReadEvents", [.uint64(1), .uint32(1)])
        #expect(rest.success?[0].asArray?.first?.asStructure?[0] == .uint64(2))
        let beyond = try fixture.call(client, "ReadEvents", [.uint64(.max), .uint32(.max)])
        #expect(
            beyond.success == [
                .array(of: EventMessage.signature, []), .uint64(2), .bool(true),
            ])
        func find(_ filter: [(String, BusValue)]) throws -> Result<[BusValue], BusError> {
            try fixture.call(client, "FindEvents", [.dictionary(filter), .uint64(0), .uint32(0)])
        }
        let ids = BusValue.strings(events.compactMap { $0.asStructure?[1].asString })
        #expect(try find([("ids", ids)]).success == read.success)
        #expect(
            try find([("ids", .strings(["another"]))]).success == [
                .array(of: EventMessage.signature, []), .uint64(2), .bool(false),
            ])
        for filter: [(String, BusValue)] in [
            [], [("ids", .strings([]))], [("ids", .uint32(1))], [("ids", ids), ("x", ids)],
            [("ids", .strings((0..<65).map { "f\($0)" }))],
        ] { #expect(try find(filter).failure?.name == BusError.invalidArguments) }
    }

    @Test("the window and the heartbeat are signalled, properties with them")
    func signals() throws {
        for index in 0..<30 { try fixture.add("f\(index)", east: 300 + 700 * Double(index)) }
        let listener = try Listener(client, fixture.loop)
        fixture.drive(from: 0, to: 1200)
        #expect(
            try fixture.loop.run {
                listener.all("PropertiesChanged").contains {
                    $0[1].asDictionary?["PositionState"] == .string("known")
                }
            })
        let window = try #require(listener.all("WindowChanged").first)
        #expect(window[0] == .uint64(30))
        #expect(window[1].asStrings?.count == 19)
        #expect(!listener.all("Heartbeat").isEmpty)
        let changes = listener.all("PropertiesChanged")
        #expect(changes.allSatisfy { $0[0] == .string(Geofence1.managerInterface) })
        #expect(changes.contains { $0[2].asStrings?.contains("Window") == true })
        #expect(try fixture.property("LastSeq")?.hasPrefix("t ") == true)
        #expect(try fixture.property("FenceCount") == "t 30")
        #expect(try fixture.property("PositionState") == #"s "known""#)
        #expect(try fixture.property("Degraded") == "as 0")
        #expect(try fixture.property("State") == #"s "running""#)
        #expect(try fixture.property("Version") == #"s "1.2.3""#)
        #expect(try fixture.property("Window")?.hasPrefix("as 19 ") == true)
        #expect(try fixture.property("WindowSize") == "u 20")
    }

    @Test("reports that arrive together give one properties signal, before all else")
    func together() throws {
        try fixture.add("here", east: 900)
        try fixture.loop.run(seconds: 0.05) { false }
        let listener = try Listener(client, fixture.loop)
        let service = try #require(fixture.service)
        fixture.drive(from: 0, to: 900)
        service.carryOut(.handled)
        service.carryOut(.heartbeat(UTCTime(nanoseconds: 77_000)))
        #expect(
            try fixture.loop.run { listener.all("Heartbeat").contains { $0 == [.uint64(77)] } })
        let order = listener.heard.map(\.member)
        #expect(order.filter { $0 == "PropertiesChanged" }.count == 1)
        #expect(order.suffix(2) == ["PropertiesChanged", "Heartbeat"])
        #expect(order.contains("Transition"))
        let told = listener.all("PropertiesChanged")[0][1].asDictionary
        #expect(told?["LastSeq"] == .uint64(fixture.monitoring.lastSeq))
    }

    @Test("GetStates returns presence and when it last changed")
    func states() throws {
        try fixture.add("passed", east: 300)
        try fixture.add("here", east: 900)
        try fixture.add("far", east: 90_000)
        func states(_ ids: [String]) throws -> [String: [BusValue]] {
            let answer = try fixture.call(client, "GetStates", [.strings(ids)])
            return (answer.success?[0].asDictionary ?? [:]).compactMapValues(\.asStructure)
        }
        let all = ["passed", "here", "far", "missing"]
        #expect(
            try states(all) == [
                "passed": [.uint32(0), .uint64(0), .uint64(0)],
                "here": [.uint32(0), .uint64(0), .uint64(0)],
                "far": [.uint32(0), .uint64(0), .uint64(0)],
            ])
        fixture.drive(from: 0, to: 900)
        let present = try states(all)
        #expect(present.keys.sorted() == ["far", "here", "passed"])
        #expect(present["passed"]?[0] == .uint32(1))
        #expect(present["here"]?[0] == .uint32(2))
        #expect(present["far"] == [.uint32(1), .uint64(0), .uint64(0)])
        let (realtime, monotonic) = (
            present["here"]?[1].asUInt64 ?? 0, present["here"]?[2].asUInt64 ?? 0
        )
        let fix = try #require(fixture.monitoring.engine.lastFix)
        // The boundary is 100 m before the last fix, at 20 m/s.
        #expect(abs(Int64(fix.time.microseconds) - Int64(realtime) - 5_000_000) < 200_000)
        #expect(
            abs(fix.arrival.nanoseconds / 1000 - Int64(monotonic) - 5_000_000) < 200_000)
        #expect(present["passed"]?[1].asUInt64 ?? 0 < realtime)
        #expect(present["passed"]?[2].asUInt64 ?? 0 > 0)
        // The tunnel: presence stays, and is uncertain.
        fixture.monitoring.wake(at: fix.arrival + .seconds(60))
        #expect(try states(["here"])["here"]?[0] == .uint32(2 | 256))
        #expect(try states([]).count == 3, "no ids: the window")
        let many = try fixture.call(
            client, "GetStates", [.strings((0...1000).map(String.init))])
        #expect(many.failure?.name == BusError.limitsExceeded)
    }

    @Test("EvaluateAt is a dry run")
    func evaluate() throws {
        try fixture.add("a", east: 0)
        try fixture.add("b", east: 300)
        func evaluate(_ latitude: Double, _ longitude: Double, _ error: Double) throws
            -> Result<[BusValue], BusError>
        {
            try fixture.call(
                client, "EvaluateAt", [.double(latitude), .double(longitude), .double(error)])
        }
        let fences = try #require(try evaluate(48, 11, 10).success?[0].asArray)
        #expect(fences.compactMap { $0.asStructure?.first?.asString } == ["a", "b"])
        #expect(fences[0].asStructure?[1] == .uint32(2))
        #expect(abs((fences[0].asStructure?[2].asDouble ?? 0) + 100) < 0.1)
        #expect(fences[1].asStructure?[1] == .uint32(1))
        #expect(try evaluate(48, 11, 150).success?[0].asArray?[0].asStructure?[1] == .uint32(258))
        for (latitude, longitude, error) in [
            (91.0, 0.0, 1.0), (.nan, 0, 1), (0, 181, 1), (0, 0, -1), (0, 0, .infinity),
        ] {
            #expect(
                try evaluate(latitude, longitude, error).failure?.name
                    == BusError.invalidArguments)
        }
        #expect(try states() == .uint32(0), "nothing has been judged")
        func states() throws -> BusValue? {
            try fixture.call(client, "GetStates", [.strings(["a"])]).success?[0]
                .asDictionary?["a"]?.asStructure?[0]
        }
    }

    @Test("without a fix there is no position and nothing to re-centre")
    func noFix() throws {
        for member in ["Recenter", "GetPosition", "GetMetafence"] {
            #expect(
                try fixture.call(client, member).failure?.name
                    == "org.geofenced.Geofence1.Error.NoFix")
        }
        fixture.fix(east: 0)
        let position = try fixture.call(client, "GetPosition").success?[0].asDictionary
        #expect(position?["latitude"] == .double(48))
        #expect(
            try fixture.call(client, "GetMetafence").success?[0].asDictionary == [:],
            "the catalogue is empty, and so all of it is in the window")
        #expect(try fixture.call(client, "Recenter").success == [])
        #expect(try fixture.call(client, "Reload").success == [])
        #expect(fixture.reloads == 1)
    }

    @Test("the bus is restarted: nothing is lost, the service is available again")
    func busRestart() throws {
        try fixture.add("bridge", east: 500)
        fixture.drive(from: 0, to: 500)
        fixture.bus.kill()
        #expect(try fixture.loop.run { fixture.service == nil })
        fixture.drive(from: 520, to: 1000)
        #expect(fixture.monitoring.lastSeq == 2)
        #expect(fixture.monitoring.degradations == [], "a moment without a bus is no trouble")
        let last = try #require(fixture.monitoring.engine.lastFix?.arrival)
        fixture.monitoring.wake(at: last + .seconds(10))
        #expect(fixture.monitoring.degradations == [.bus])
        fixture.bus.start()
        let client = try fixture.bus.connect(fixture.loop)
        let listener = try Listener(client, fixture.loop)
        try fixture.connect()
        #expect(try fixture.loop.run { !listener.all("Transition").isEmpty })
        #expect(listener.all("Transition").map { $0[0] } == [.uint64(2)])
        #expect(fixture.monitoring.degradations == [])
        #expect(try fixture.property("LastSeq") == "t 2")
    }
}
