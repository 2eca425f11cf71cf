import BusClient
import JSON
import Settings
import Testing
import Time

@testable import Uplinking

@Suite("What leaves the vehicle")
struct LeavingTests {
    private var event: ForwardedEvent {
        var event = ForwardedEvent(
            seq: 4711, log: "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71", kind: "exit", fence: "wh/WDF01",
            time: ReceiverTime(secondsSince1970: 1_795_329_667, nanoseconds: 250_000_000))
        event.title = "Warehouse"
        event.stay = .seconds(1512.4)
        event.reason = "certain"
        event.position = .init(latitude: 49.3, longitude: 8.64, speed: 12, course: nil)
        event.metadata = ["Plant": "1000", "Secret": "rose"]
        return event
    }

    private func json(_ filter: UplinkFilter) throws -> JSONValue {
        let body = EventFormat.fleet.body(of: event, previous: 4709, filter)
        return try JSONValue(parsing: try #require(body))
    }

    @Test("neither positions nor metadata leave unless they are asked for")
    func nothingUnasked() throws {
        let json = try json(UplinkFilter())
        #expect(json["lat"] == nil)
        #expect(json["lon"] == nil)
        #expect(json["speed"] == nil)
        #expect(json["meta"] == nil)
        #expect(json["seq"]?.integer == 4711)
        #expect(json["prev"]?.integer == 4709)
        #expect(json["stay"]?.double == 1512.4)
        #expect(json["time"]?.string == "2026-11-22T06:41:07.250Z")
    }

    @Test("of the metadata only what the list allows leaves")
    func allowList() throws {
        var filter = UplinkFilter()
        filter.allowed = ["Plant"]
        filter.hasPosition = true
        let json = try json(filter)
        #expect(json["meta"] == ["Plant": "1000"])
        #expect(json["lat"]?.double == 49.3)
    }

    @Test(
        "a filter admits by beginnings of ids, kinds and metadata",
        arguments: [
            ("", true), ("Ids=wh/*", true), ("Ids=wh/WDF01", true), ("Ids=wh/WDF0", false),
            ("Ids=x wh/*", true), ("Kinds=enter", false), ("Kinds=enter, exit", true),
            ("Metadata=Plant=1000", true), ("Metadata=Plant=2000", false),
            ("Metadata=Plant=1000 Other=1", false),
        ])
    func filters(_ line: String, _ isAdmitted: Bool) throws {
        let read = UplinkSettings.read(Self.file(line))
        #expect(read.problems.map(\.description) == [])
        #expect(try #require(read.settings).filter.admits(event) == isAdmitted)
    }

    @Test("a fence with uplink=no, and an event that is not announced, stay in the vehicle")
    func privacy() {
        for value in [JSONValue.string("no"), .bool(false)] {
            var private1 = event
            private1.metadata = .object([JSONMember("uplink", value)])
            #expect(!UplinkFilter().admits(private1))
        }
        var silent = event
        silent.isAnnounced = false
        #expect(!UplinkFilter().admits(silent))
        #expect(UplinkFilter().admits(event))
    }

    @Test(
        "a problem of the configuration is named with its line, and nothing starts",
        arguments: [
            ("Kinds=entry", "u.conf:6: Kinds: entry: no kind of event"),
            ("Kind=enter", "u.conf:6: Kind: unknown key in [Filter]"),
            ("[Filters]", "u.conf:6: unknown section [Filters]"),
            (
                "[Auth]\nUser=u\nPassword=rose",
                "u.conf:8: Password: not the name of a credential: @NAME"
            ),
            ("[Auth]\nCertificate=@c", "u.conf: Key: Certificate and Key belong together"),
            ("[Uplink]\nFormat=owntracks", "u.conf:7: Format: owntracks: wants Position=yes"),
        ])
    func problems(_ line: String, _ problem: String) {
        let read = UplinkSettings.read(Self.file(line))
        #expect(read.settings == nil)
        #expect(read.problems.map(\.description) == [problem])
    }

    @Test("an acknowledgement is read, and anything else is not")
    func acknowledgements() {
        let good = BackendAck(Array(#"{"log":"a","ranges":[[1,3],[7,7],[9,8],[-1,2]]}"#.utf8))
        #expect(good?.ranges == [1...3, 7...7])
        for bad in ["", "[]", #"{"log":1,"ranges":[]}"#, #"{"log":"a"}"#] {
            #expect(BackendAck(Array(bad.utf8)) == nil)
        }
    }

    private static func file(_ line: String) -> ProgramSettings {
        let text = """
            [Uplink]
            URL=mqtts://broker.example
            Tenant=acme
            Box=box1
            [Filter]
            \(line)
            """
        return ProgramSettings(Array(text.utf8), path: "u.conf")
    }
}
