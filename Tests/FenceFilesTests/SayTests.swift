import FenceFiles
import Foundation
import JSON
import Languages
import Model
import Sentences
import Testing
import Time

@testable import Formats

@Suite("What the driver hears of events that are no hazards")
struct SayTests {
    static func event(_ kind: EventKind, title: String = "Depot") -> Event {
        var event = Event(
            kind: kind, fence: "d", time: UTCTime(nanoseconds: 0), fixTime: UTCTime(nanoseconds: 0),
            presence: .inside)
        event.title = title
        return event
    }

    private func wording(_ language: Language, _ units: UnitChoice = .sign) -> Wording {
        Wording(DriverLanguage(language: language), units, isSpoken: true)
    }

    @Test("every kind that can be said is one, with a sentence in every language")
    func kinds() throws {
        for name in SayList.all {
            let kind = try #require(EventKind(name: name))
            for language in Language.allCases {
                let text = try #require(Self.event(kind).notice(as: wording(language)))
                #expect(text.hasSuffix(".") && !text.contains { "{}".contains($0) }, "\(text)")
                #expect(text.contains("Depot"), "\(text)")
            }
        }
        #expect(EventKind.allCases.allSatisfy { $0.sentence != nil })
        #expect(Self.event(.exit, title: "").notice(as: wording(.english)) == "Left d.")
        #expect(Self.event(.towed).notice(as: wording(.english)) == "The vehicle is towed.")
    }

    @Test("of a long title its beginning is said, to the end of a word; all of it is written")
    func longTitle() throws {
        let long = String(repeating: "Golden Lamb ", count: 85) + "."
        let spoken = try #require(Self.event(.enter, title: long).notice(as: wording(.english)))
        #expect(spoken == "Entered \(String(repeating: "Golden Lamb ", count: 6))Golden.")
        #expect(Self.event(.enter, title: long).notice(as: .log)?.contains(long) == true)
        for (title, name) in [
            (String(repeating: "x", count: 1_024), String(repeating: "x", count: 80)),
            (String(repeating: "e\u{301}", count: 80), String(repeating: "e\u{301}", count: 40)),
            (String(repeating: " ", count: 90) + "x", String(repeating: " ", count: 80)),
            (String(repeating: "x", count: 80) + " y", String(repeating: "x", count: 80)),
        ] { #expect(wording(.german).name(title) == name, "\(title)") }
    }

    @Test("a limit of speed is said in the unit of its sign, or in the driver's, with its plural")
    func speed() {
        var event = Self.event(.overspeed)
        func said(_ kmh: Double, _ unit: String, _ wording: Wording) -> String? {
            event.terms = TermsDetails()
            event.terms?.speedLimit = kmh
            event.terms?.speedUnit = unit
            return event.notice(as: wording)
        }
        #expect(
            said(80, "", wording(.english)) == "Too fast. The limit is 80 kilometres per hour.")
        #expect(
            said(80.467, "mph", wording(.english))
                == "Too fast. The limit is 50 miles per hour.")
        #expect(
            said(80, "km/h", wording(.english, .us)) == "Too fast. The limit is 50 miles per hour.")
        #expect(
            said(80, "", wording(.german)) == "Zu schnell. Erlaubt sind 80 Kilometer pro Stunde.")
        #expect(
            said(22, "", wording(.polish))
                == "Za szybko. Ograniczenie: 22 kilometry na godzinę.")
        #expect(
            said(21, "", wording(.ukrainian))
                == "Зависока швидкість. Обмеження: 21 кілометр на годину.")
        #expect(
            said(80, "", wording(.romanian))
                == "Prea repede. Limita este de 80 de kilometri pe oră.")
        #expect(said(80, "", .log) == "Too fast. The limit is 80 km/h.")
    }

    @Test(
        "say is a text or an array, and nothing else",
        arguments: [
            (#""enter exit""#, ["enter", "exit"]),
            (#""enter, overspeed""#, ["enter", "overspeed"]),
            (#"["dwell"]"#, ["dwell"]), (#""none""#, []), ("[]", []), (#""""#, []),
        ] as [(String, [String])])
    func list(json: String, kinds: [String]) throws {
        #expect(try SayList(JSONValue(parsing: json)).kinds == Set(kinds))
        #expect(SayList(metadata: #"{"a":1,"say":\#(json)}"#)?.kinds == Set(kinds))
    }

    @Test(
        "what is no kind is refused where a fence is read, with its reason",
        arguments: [#""entre""#, "7", "true", #"["enter","none"]"#, #""advisory""#])
    func flaw(json: String) throws {
        #expect(throws: SayFlaw.self) { try SayList(JSONValue(parsing: json)) }
        #expect(SayList(metadata: #"{"say":\#(json)}"#) == nil, "nobody understands it")
        let flaw = try #require(
            #expect(throws: FeatureCheck.Flaw.self) {
                try FeatureCheck.fence(
                    id: "d",
                    geometry: try JSONValue(parsing: #"{"type":"Point","coordinates":[11,48]}"#),
                    properties: [
                        JSONMember("radius", try JSONValue(parsing: "50")),
                        JSONMember("say", try JSONValue(parsing: json)),
                    ], bytes: 20)
            })
        #expect(flaw.reason.hasPrefix("say: "), "\(flaw.reason)")
    }

    @Test(
        "whatever the format: what GeoJSON would refuse is not taken, for it could not be read back"
    )
    func formats() {
        let reason =
            "say: entre is not one of \(SayList.all.joined(separator: ", ")), nor none alone"
        let csv = FileContent(
            """
            id,say,latitude,longitude,radius
            a,entre,48.1,11.5,50
            b,"enter exit",48.1,11.5,50
            c,,48.1,11.5,50
            """)
        #expect(csv.problems.map(\.reason) == [reason])
        #expect(csv.fences.map(\.metadata) == [#"{"say":"enter exit"}"#, "{}"])
        func placemark(_ say: String) -> String {
            """
            <Placemark id="\(say)"><ExtendedData><Data name="say"><value>\(say)</value></Data>
            </ExtendedData><Polygon><outerBoundaryIs><LinearRing><coordinates>11,48 11.01,48
            11.01,48.01 11,48</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
            """
        }
        let kml = FileContent("<kml>" + placemark("entre") + placemark("enter") + "</kml>")
        #expect(kml.problems.map(\.reason) == [reason])
        #expect(kml.fences.map(\.id) == ["enter"])
        let null = FileContent(
            #"""
            {"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[11,48]},
            "properties":{"radius":50,"say":null}}
            """#)
        #expect(null.messages == [] && null.fences.count == 1, "a null counts as missing")
    }

    @Test("without metadata, or without say in it, the settings decide")
    func usual() {
        #expect(SayList(metadata: "{}") == nil)
        #expect(SayList(metadata: #"{"note":"say"}"#) == nil)
        #expect(SayList.usual.text == "overspeed no-stop overstay")
    }
}
