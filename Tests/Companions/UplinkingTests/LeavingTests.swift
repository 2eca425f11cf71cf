import Formats
import FormatsTestKit
import Geodesy
import JSON
import Model
import Settings
import Testing
import Time

@testable import Uplinking

@Suite("What leaves the vehicle")
struct LeavingTests {
    private var logged: LoggedEvent {
        let time = UTCTime(secondsSince1970: 1_795_329_667, nanoseconds: 250_000_000)
        var event = Event(
            kind: .exit, fence: "wh/WDF01", title: "Warehouse", time: time, fixTime: time,
            presence: .outside)
        event.stay = .seconds(1512.4)
        event.reason = .certain
        event.coordinate = Coordinate(latitude: 49.3, longitude: 8.64)
        event.speed = 12
        event.metadata = #"{"Plant":"1000","Secret":"rose"}"#
        return LoggedEvent(seq: 4711, event: event, bootID: nil)
    }

    private static let log = "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71"

    private func json(_ filter: UplinkFilter) throws -> JSONValue {
        let body = EventFormat.fleet.body(
            of: logged, log: Self.log, previous: 4709, filter)
        return try JSONValue(parsing: try #require(body))
    }

    @Test("neither positions nor metadata leave unless they are asked for")
    func nothingUnasked() throws {
        let json = try json(UplinkFilter())
        #expect(json.object?.map(\.key) == ["v", "log", "prev", "event"])
        #expect(json["prev"]?.integer == 4709)
        let event = try #require(json["event"])
        for name in ["latitude", "longitude", "speed_mps", "course_deg", "metadata"] {
            #expect(event[name] == nil, "\(name)")
        }
        #expect(event["seq"]?.integer == 4711)
        #expect(event["stay_s"]?.double == 1512.4)
        #expect(event["time"]?.string == "2026-11-22T06:41:07.250Z")
        #expect(event.object?.contains { $0.value == .null } == false)
    }

    @Test("every field of the table leaves, unless the table says that it stays")
    func table() throws {
        var filter = UplinkFilter()
        for hasPosition in [false, true] {
            filter.hasPosition = hasPosition
            let body = EventFormat.fleet.body(
                of: WholeEvent.logged, log: Self.log, previous: 0, filter)
            let event = try JSONValue(parsing: try #require(body))["event"]
            for field in EventField.all {
                let isOfPosition =
                    switch field.rule {
                    case .motion, .location: true
                    default: false
                    }
                let leaves = field.leaves && (hasPosition || !isOfPosition)
                #expect((event?[field.name] != nil) == leaves, "\(field.name)")
            }
        }
    }

    @Test("the place of a trip does not leave where its fence stays in the vehicle")
    func tripPlace() throws {
        var trip = WholeEvent.logged
        (trip.event.kind, trip.event.fence) = (.trip, nil)
        trip.event.announced = true
        for stays in [#"{"uplink":"no"}"#, #"{"uplink":false}"#] {
            trip.event.trip?.from?.metadata = stays
            #expect(UplinkFilter().admits(trip))
            let body = EventFormat.fleet.body(of: trip, log: Self.log, previous: 0, UplinkFilter())
            let event = try JSONValue(parsing: try #require(body))["event"]
            let names = Set((event?.object ?? []).map(\.key))
            #expect(names.isDisjoint(with: ["from", "from_title", "from_metadata", "to_metadata"]))
            #expect(event?["to"]?.string == "dock" && event?["to_title"]?.string == "Dock 3")
        }
    }

    @Test("which fences leave is told by the bytes of their ids")
    func ids() {
        var filter = UplinkFilter()
        filter.ids = ["wh-*", "\u{E9}"]
        var logged = logged
        for (id, isAdmitted) in [
            ("wh-1", true), ("wh-\u{301}1", true), ("\u{E9}", true), ("e\u{301}", false),
            ("wh", false),
        ] {
            logged.event.fence = id
            #expect(filter.admits(logged) == isAdmitted, "\(id)")
        }
    }

    @Test("a recorded position leaves only with positions")
    func recordedPosition() {
        var logged = WholeEvent.logged
        (logged.event.kind, logged.event.fence, logged.event.announced) = (.position, nil, false)
        #expect(!UplinkFilter().admits(logged))
        var filter = UplinkFilter()
        filter.hasPosition = true
        #expect(filter.admits(logged))
        filter.kinds = ["enter"]
        #expect(!filter.admits(logged))
    }

    @Test("who drove leaves only where that is asked for", arguments: [false, true])
    func driver(isAsked: Bool) throws {
        let read = UplinkSettings.read(
            ProgramSettings(
                Array(
                    """
                    [Uplink]
                    URL=mqtts://broker.example
                    Tenant=acme
                    Box=box1
                    Position=yes
                    Driver=\(isAsked ? "yes" : "no")
                    """.utf8), path: "u.conf"))
        let filter = try #require(read.settings).filter
        let body = EventFormat.fleet.body(
            of: WholeEvent.logged, log: Self.log, previous: 0, filter)
        let driver = try JSONValue(parsing: try #require(body))["event"]?["driver"]
        #expect(driver?.string == (isAsked ? "jane" : nil))
        #expect(!UplinkFilter().hasDriver)
    }

    @Test("a span of numbers without events is a member of the envelope")
    func spans() throws {
        for span in [EventFormat.Span.gap, .skip] {
            let body = EventFormat.fleet.body(of: span, to: 9, log: Self.log, previous: 3)
            #expect(
                String(decoding: try #require(body), as: UTF8.self)
                    == #"{"v":2,"log":"\#(Self.log)","prev":3,"\#(span)":9}"#)
        }
    }

    @Test("of the metadata only what the list allows leaves")
    func allowList() throws {
        var filter = UplinkFilter()
        filter.allowed = ["Plant"]
        filter.hasPosition = true
        let json = try json(filter)
        #expect(json["event"]?["metadata"] == ["Plant": "1000"])
        #expect(json["event"]?["latitude"]?.double == 49.3)
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
        #expect(try #require(read.settings).filter.admits(logged) == isAdmitted)
    }

    @Test("a fence with uplink=no, and an event that is not announced, stay in the vehicle")
    func privacy() {
        for value in [JSONValue.string("no"), .bool(false)] {
            var secret = logged
            secret.event.metadata = JSONValue.object([JSONMember("uplink", value)]).text
            #expect(!UplinkFilter().admits(secret))
        }
        var silent = logged
        silent.event.announced = false
        #expect(!UplinkFilter().admits(silent))
        #expect(UplinkFilter().admits(logged))
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
            (
                "[Uplink]\nURL=mqtt://broker.example\n[Auth]\nUser=u\nPassword=@p",
                "u.conf:10: Password: would be sent without encryption; use mqtts"
            ),
            (
                "[Uplink]\nURL=mqtt://u:rose@broker",
                "u.conf:7: URL: not mqtt://HOST[:PORT] or mqtts://HOST[:PORT]"
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
