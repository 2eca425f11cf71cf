import Formats
import FormatsTestKit
import Geodesy
import JSON
import MQTT
import Model
import Settings
import Testing
import Time

@testable import Uplinking

/// The forms in which events are written for programs of others.
@Suite("What programs of others get")
struct StrangerTests {
    private static let log = "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71"
    private let box = BoxName(tenant: "acme", box: "box1")

    private func event(_ kind: EventKind = .enter, hasPosition: Bool = true) -> LoggedEvent {
        let time = UTCTime(secondsSince1970: 1_795_329_667, nanoseconds: 250_000_000)
        var event = Event(
            kind: kind, fence: "wh/WDF01", title: "Tor & Hof", time: time,
            fixTime: time + .seconds(8), presence: .inside)
        event.coordinate = hasPosition ? Coordinate(latitude: 49.3, longitude: 8.64) : nil
        event.error = 12
        var logged = LoggedEvent(seq: 4711, event: event, bootID: nil)
        logged.driver = "jane"
        return logged
    }

    private func body(
        _ format: EventFormat, _ logged: LoggedEvent, position: Bool = true
    ) throws -> [UInt8]? {
        var filter = UplinkFilter()
        filter.hasPosition = position
        return format.body(of: logged, log: Self.log, previous: 4710, filter)
    }

    private func read(_ lines: String, type: String = "mqtt") -> (UplinkSettings?, [String]) {
        let url = type == "mqtt" ? "mqtts://broker.example" : "https://traccar.example:5055/?key=1"
        let text = "[Uplink]\nType=\(type)\nURL=\(url)\nTenant=acme\nBox=box1\n\(lines)\n"
        let read = UplinkSettings.read(ProgramSettings(Array(text.utf8), path: "u.conf"))
        return (read.settings, read.problems.map(\.description))
    }

    private func broker(_ lines: String) throws -> BrokerDestination {
        let (settings, problems) = read(lines)
        #expect(problems == [])
        guard case .mqtt(let broker) = try #require(settings).destination else {
            throw BadValue(reason: "no broker")
        }
        return broker
    }

    // MARK: Settings

    @Test(
        "only the fleet's own form comes as an array, and only if it may",
        arguments: [
            ("", true, "gf/1/acme/box1/event", nil),
            ("Batch=no", false, "gf/1/acme/box1/event", nil),
            (
                "Format=cloudevents", false, "cloudevents/acme/box1/event",
                "application/cloudevents+json; charset=utf-8"
            ),
            ("Format=owntracks\nPosition=yes", false, "owntracks/acme/box1/event", nil),
            ("Format=homeassistant", false, "geofenced/acme/box1/event", nil),
        ])
    func forms(_ lines: String, _ isBatched: Bool, _ topic: String, _ type: String?) throws {
        let broker = try broker(lines)
        #expect(broker.isBatched == isBatched && broker.eventTopic == topic)
        #expect(broker.contentType == type)
        #expect((broker.boxTopic != nil) == topic.hasPrefix("gf/"))
    }

    @Test(
        "what does not go together is named",
        arguments: [
            ("Format=cloudevents\nBatch=yes", "u.conf:7: Batch: yes: not with cloudevents"),
            ("Format=homeassistant\nAck=backend", "u.conf:7: Ack: backend: not there"),
            (
                "PositionEverySec=10",
                "u.conf:6: PositionEverySec: only with Format=fleet and Position=yes"
            ),
            ("Position=yes\nPositionEverySec=0.5", "u.conf:7: PositionEverySec: less than 1 s"),
            (
                "Position=yes\nFormat=owntracks\nPositionEverySec=10",
                "u.conf:8: PositionEverySec: only with Format=fleet and Position=yes"
            ),
            ("ContentMode=binary", "u.conf:6: ContentMode: binary: only with cloudevents"),
            ("DiscoveryPrefix=ha", "u.conf:6: DiscoveryPrefix: only with homeassistant"),
            (
                "Format=homeassistant\nDiscoveryPrefix=ha/#",
                "u.conf:7: DiscoveryPrefix: ha/#: no topic of plain levels"
            ),
        ])
    func problems(_ lines: String, _ problem: String) { #expect(read(lines).1 == [problem]) }

    @Test(
        "a template of a query is looked at before anything is sent",
        arguments: [
            ("id={box}&lat={latitude}", nil), ("id={driver}", nil), ("a=50%25&b=", nil),
            ("id={name}", "{name}: no field of an event"),
            ("id", "a parameter that is not NAME=VALUE"), ("id={box", "a brace is not closed"),
            ("=1", "a parameter that is not NAME=VALUE"),
        ])
    func template(_ text: String, _ why: String?) {
        let problems = read("Query=\(text)", type: "webhook").1
        #expect(problems == (why.map { ["u.conf:6: Query: \($0)"] } ?? []))
        #expect(
            read("Query=id={box}\nSecret=@s", type: "webhook").1
                == ["u.conf:7: Secret: a query is not signed"])
    }

    // MARK: OwnTracks

    @Test("a vehicle that was found inside has entered, and its place is drawn")
    func ownTracks() throws {
        for (kind, name) in [(EventKind.enter, "enter"), (.initial, "enter"), (.exit, "leave")] {
            let body = try #require(try body(.ownTracks(box), event(kind)))
            let transition = try JSONValue(parsing: body)
            #expect(transition["event"]?.string == name)
            let places = [Place(id: "wh/WDF01", title: "Tor & Hof", since: nil)]
            let location = try #require(OwnTracksTransition.location(of: body, in: places))
            let json = try JSONValue(parsing: location)
            #expect(json["_type"]?.string == "location")
            #expect(json["lat"]?.double == 49.3 && json["lon"]?.double == 8.64)
            #expect(json["acc"]?.integer == 12)
            // The crossing was before the fix that says so, and the place is that of the fix.
            let fixTime = event(kind).event.fixTime.nanoseconds / 1_000_000_000
            #expect(json["tst"]?.integer == fixTime && transition["fix_tst"]?.integer == fixTime)
            let time = event(kind).event.time.nanoseconds / 1_000_000_000
            #expect(transition["tst"]?.integer == time && time < fixTime)
            #expect(json["inregions"] == ["Tor & Hof"] && json["inrids"] == ["wh/WDF01"])
            let older = OwnTracksTransition.location(of: body, in: nil)
            #expect(try JSONValue(parsing: try #require(older))["inregions"] == nil)
        }
        #expect(try body(.ownTracks(box), event(.dwell)) == nil)
        #expect(try body(.ownTracks(box), event(hasPosition: false)) == nil)
        #expect(OwnTracksTransition.location(of: Array("{}".utf8), in: nil) == nil)
    }

    // MARK: Home Assistant

    private var entities: HomeAssistant {
        HomeAssistant(box, prefix: "homeassistant", version: "1")
    }

    @Test("two entities of one device, which know every kind of event")
    func configurations() throws {
        let messages = entities.configurations
        #expect(
            messages.map(\.topic) == [
                "homeassistant/device_tracker/geofenced_acme_box1/config",
                "homeassistant/event/geofenced_acme_box1/config",
            ])
        let json = try messages.map { try JSONValue(parsing: $0.payload) }
        #expect(json[0]["device"] == json[1]["device"])
        #expect(json[0]["unique_id"] != json[1]["unique_id"])
        #expect(json[1]["event_types"]?.array?.count == EventKind.allCases.count)
        #expect(json[1]["state_topic"]?.string == HomeAssistant.eventTopic(box))
        let availability = "geofenced/acme/box1/availability"
        #expect(json.allSatisfy { $0["availability_topic"]?.string == availability })
        // The broker says it of a box that has gone without a word.
        let will = try broker("Format=homeassistant").connection(Credentials(directory: nil)).will
        #expect(will?.topic == availability && will?.payload == Array("offline".utf8))
    }

    @Test("an event is its kind, with its fields as attributes and without what stays")
    func homeAssistantEvent() throws {
        let body = try #require(try body(.homeAssistant, event(), position: false))
        let json = try JSONValue(parsing: body)
        #expect(json["event_type"]?.string == "enter" && json["title"]?.string == "Tor & Hof")
        #expect(json["latitude"] == nil && json["driver"] == nil)
        let state = entities.state(body, in: [])
        #expect(state.map { String(decoding: $0.payload, as: UTF8.self) }.first == "not_home")
        let attributes = try JSONValue(parsing: try #require(state.last).payload)
        #expect(attributes.object?.map(\.key) == ["time", "places"])
    }

    @Test("the state is the place that the vehicle came to last; what is not known is not said")
    func homeAssistantState() throws {
        let body = try #require(try body(.homeAssistant, event()))
        let early = UTCTime(secondsSince1970: 1_000)
        let late = UTCTime(secondsSince1970: 2_000)
        let places = [
            Place(id: "yard", title: "", since: early),
            Place(id: "gate", title: "Gate", since: late),
        ]
        let state = entities.state(body, in: places)
        #expect(
            state.map(\.topic) == ["geofenced/acme/box1/place", "geofenced/acme/box1/attributes"])
        #expect(String(decoding: state[0].payload, as: UTF8.self) == "Gate")
        let attributes = try JSONValue(parsing: state[1].payload)
        #expect(attributes["latitude"]?.double == 49.3 && attributes["gps_accuracy"]?.double == 12)
        #expect(attributes["places"] == ["yard", "Gate"])
        #expect(entities.state(body, in: nil).isEmpty)
        #expect(entities.state(nil, in: places).count == 1)
        // Home Assistant counts as Python does.
        for letter in ["ü", "u\u{308}", "👩‍👩‍👧"] {
            let long = Place(id: "x", title: String(repeating: letter, count: 1000), since: late)
            let text = String(decoding: entities.state(nil, in: [long])[0].payload, as: UTF8.self)
            #expect(text.unicodeScalars.count == 255)
        }
    }

    @Test(
        "where the vehicle is, may be told of fences that may, to who hears each coming and going")
    func presence() throws {
        var filter = UplinkFilter()
        let area = try Area(.circle(center: Coordinate(latitude: 1, longitude: 1), radius: 50))
        var fence = Fence(id: "wh/1", area: area)
        #expect(filter.tellsPresence && filter.admits(place: fence))
        fence.metadata = #"{"uplink":"no"}"#
        #expect(!filter.admits(place: fence))
        fence.metadata = "{}"
        filter.ids = ["depot/*"]
        #expect(!filter.admits(place: fence))
        filter.kinds = ["exit"]
        #expect(!filter.tellsPresence)
    }

    // MARK: Queries

    private func query(_ template: String, _ logged: LoggedEvent, position: Bool = true) throws
        -> String?
    {
        let format = EventFormat.query(try QueryTemplate(template), box)
        return try body(format, logged, position: position).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test("a query has the fields of the event, percent-encoded, and none that the event has not")
    func queries() throws {
        let template =
            "id={tenant}-{box}&lat={latitude}&lon={longitude}&timestamp={time}&event={kind}"
        #expect(
            try query(template + "&place={title}&stay={stay_s}&who={driver}", event())
                == "id=acme-box1&lat=49.3&lon=8.64&timestamp=2026-11-22T06%3A41%3A07.250Z"
                + "&event=enter&place=Tor%20%26%20Hof")
        #expect(try query(template, event(hasPosition: false)) == nil)
        #expect(try query(template, event(), position: false) == nil)
        #expect(
            try query("id={box}&event={kind}", event(), position: false) == "id=box1&event=enter")
    }

    @Test("a query is never longer than an address may be")
    func longQueries() throws {
        var long = event()
        long.event.title = String(repeating: "ü", count: 500)
        let template = (0..<32).map { "t\($0)={title}" }.joined(separator: "&")
        let text = try #require(try query(template, long))
        #expect(text.utf8.count < 6_000 && text.hasPrefix("t0=%C3%BC"))
    }
}
