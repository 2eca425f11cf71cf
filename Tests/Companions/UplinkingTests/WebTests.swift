import Geodesy
import HTTP
import JSON
import Model
import Settings
import Testing
import Time

@testable import Uplinking

@Suite("What a server gets by HTTP, and what its answers mean")
struct WebTests {
    private let box = BoxName(tenant: "acme", box: "box1")
    private let now = UTCTime(secondsSince1970: 1_795_329_667)

    private var logged: LoggedEvent {
        let time = UTCTime(secondsSince1970: 1_795_329_667, nanoseconds: 250_000_000)
        var event = Event(
            kind: .exit, fence: "wh/O'1", title: "", time: time, fixTime: time, presence: .outside)
        event.stay = .seconds(1512.4)
        event.coordinate = Coordinate(latitude: 49.3, longitude: 8.64)
        event.evidence = Evidence(distance: 80, error: 34, inradius: 100, buffer: 20)
        event.metadata = #"{"Plant":"1000","Secret":"rose"}"#
        return LoggedEvent(seq: 4711, event: event, bootID: nil)
    }

    private static let log = "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71"

    private func body(
        _ format: EventFormat, _ filter: UplinkFilter = UplinkFilter()
    ) throws -> [UInt8] {
        try #require(format.body(of: logged, log: Self.log, previous: 4709, filter))
    }

    @Test("a CloudEvent is unique by its source and id, and carries the fleet's JSON")
    func cloudEvent() throws {
        let format = EventFormat.cloudEvents(box)
        let body = try body(format)
        let json = try JSONValue(parsing: body)
        #expect(json["specversion"]?.string == "1.0")
        #expect(json["type"]?.string == "org.geofenced.exit.v1")
        #expect(json["source"]?.string == "/acme/box1/5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71")
        #expect(json["id"]?.string == "4711")
        #expect(json["subject"]?.string == "wh/O'1")
        #expect(json["data"]?["prev"]?.integer == 4709)
        #expect(json["data"]?["event"]?["latitude"] == nil)
    }

    /// The vector of the reference implementations of Standard Webhooks.
    @Test("the signature is that of Standard Webhooks, once for each secret")
    func signature() throws {
        let key = try #require(HookRequest.key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        var batch = SendWindow.Batch(numbers: [1], bodies: [Array("{}".utf8)])
        let request = HookRequest.make(
            batch, to: try WebAddress("https://x/"), box, log: "l", keys: [key, key], time: now)
        let fields = Dictionary(uniqueKeysWithValues: request.fields.map { ($0.name, $0.value) })
        #expect(fields["webhook-id"] == "acme.box1.l.1-1")
        #expect(fields["webhook-timestamp"] == "1795329667")
        #expect(fields["Content-Type"] == "application/cloudevents-batch+json")
        #expect(String(decoding: request.body ?? [], as: UTF8.self) == "[{}]")
        let signatures = (fields["webhook-signature"] ?? "").split(separator: " ")
        #expect(signatures.count == 2 && signatures[0] == signatures[1])
        #expect(signatures[0].hasPrefix("v1,") && signatures[0].utf8.count == 47)
        batch.numbers = [2]
        let other = HookRequest.make(
            batch, to: try WebAddress("https://x/"), box, log: "l", keys: [key], time: now)
        #expect(other.fields.last?.value != String(signatures[0]))
    }

    @Test(
        "a secret is Base64 of at least 16 bytes",
        arguments: [
            ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", true),
            ("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", true), ("whsec_MfKQ9r8=", false), ("", false),
            ("not a secret!", false),
        ])
    func secrets(_ text: String, _ isGood: Bool) {
        #expect((HookRequest.key(text) != nil) == isGood)
    }

    @Test(
        "what an answer means",
        arguments: [
            (200, nil, nil, WebVerdict.taken), (204, nil, nil, .taken), (201, nil, nil, .taken),
            (400, nil, nil, .rejected), (409, nil, nil, .rejected), (422, nil, nil, .rejected),
            (413, nil, nil, .tooLarge), (413, "retry-after", "9", .later(.seconds(9))),
            (301, nil, nil, .later(nil)), (302, "location", "http://login/", .later(nil)),
            (304, nil, nil, .later(nil)), (404, nil, nil, .later(nil)),
            (405, nil, nil, .later(nil)), (415, nil, nil, .later(nil)),
            (511, nil, nil, .later(nil)), (407, nil, nil, .denied),
            (408, nil, nil, .later(nil)), (401, nil, nil, .denied),
            (403, nil, nil, .denied), (403, "x-csrf-token", "Required", .needsToken),
            (410, nil, nil, .gone), (500, nil, nil, .later(nil)),
            (429, "retry-after", "120", .later(.seconds(120))),
            (503, "retry-after", "86400", .later(.seconds(3600))),
            (503, "retry-after", "Sun, 22 Nov 2026 06:42:07 GMT", .later(.seconds(60))),
            (503, "retry-after", "-1", .later(nil)), (503, "retry-after", "soon", .later(nil)),
        ] as [(Int, String?, String?, WebVerdict)])
    func verdicts(_ status: Int, _ name: String?, _ value: String?, _ verdict: WebVerdict) {
        var fields: [(name: String, value: String)] = []
        if let name, let value { fields.append((name, value)) }
        #expect(WebVerdict(HTTPResponse(status: status, fields: fields), now: now) == verdict)
    }

    private func settings(_ lines: String) throws -> UplinkSettings {
        let text = """
            [Uplink]
            Type=odata
            URL=https://erp.example/svc
            Tenant=acme
            Box=box1
            EntitySet=Events
            \(lines)
            """
        let read = UplinkSettings.read(ProgramSettings(Array(text.utf8), path: "u.conf"))
        #expect(read.problems.map(\.description) == [])
        return try #require(read.settings)
    }

    @Test("an entity has the fields that are mapped, as its version writes them")
    func entities() throws {
        let lines = """
            Version=2
            Key=TruckID Number
            [Fields]
            Box=TruckID
            Seq=Number
            Time=At
            StayS=Seconds:int32
            Fence=Place
            Metadata=Plant
            """
        let settings = try settings(lines)
        guard case .entity(let table) = settings.format else {
            Issue.record("no table")
            return
        }
        let body = try body(settings.format, settings.filter)
        let json = try JSONValue(parsing: body)
        #expect(json["TruckID"]?.string == "box1")
        #expect(json["Number"]?.string == "4711", "version 2 has Edm.Int64 as text")
        #expect(json["At"]?.string == "/Date(1795329667250)/")
        #expect(json["Seconds"]?.integer == 1512, "a whole number is one")
        #expect(json["Place"]?.string == "wh/O'1")
        #expect(json["Plant"]?.string == "1000")
        #expect(json["Secret"] == nil)
        #expect(json["Latitude"] == nil)
        #expect(table.path(of: body) == "Events(TruckID='box1',Number=4711L)")
    }

    @Test("a quotation mark in a key is doubled, whatever is on it")
    func keys() {
        let literal = EntityType.string.literal(of: .string("O'\u{301}N"), .four) ?? ""
        #expect(Array(literal.utf8) == Array("'O''\u{301}N'".utf8))
    }

    @Test("version 4 has numbers and times as they are, and positions only where asked for")
    func versionFour() throws {
        let settings = try settings("Key=Fence\nPosition=yes")
        let body = try body(settings.format, settings.filter)
        let json = try JSONValue(parsing: body)
        #expect(json["Seq"]?.integer == 4711)
        #expect(json["Time"]?.string == "2026-11-22T06:41:07.250Z")
        #expect(json["StayS"]?.double == 1512.4)
        #expect(json["Evidence"] == nil, "a service knows no objects")
        #expect(json["Latitude"]?.double == 49.3)
        guard case .entity(let table) = settings.format else {
            Issue.record("no table")
            return
        }
        #expect(table.path(of: body) == "Events('wh/O''1')")
    }

    @Test("OwnTracks gets transitions with a position, and nothing else")
    func ownTracks() throws {
        let format = EventFormat.ownTracks(box)
        let body = try body(format)
        let json = try JSONValue(parsing: body)
        #expect(json["_type"]?.string == "transition")
        #expect(json["event"]?.string == "leave")
        #expect(json["tst"]?.integer == 1_795_329_667)
        #expect(json["tid"]?.string == "x1")
        var hidden = logged
        hidden.event.coordinate = nil
        #expect(format.body(of: hidden, log: "l", previous: 1, UplinkFilter()) == nil)
        #expect(format.body(of: .skip, to: 5, log: "l", previous: 1) == nil)
    }
}
