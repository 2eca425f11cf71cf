import FenceFiles
import Foundation
import JSON
import Testing

/// A Feature is checked as values with the same result as from its text.
@Suite struct FeatureCheckTests {
    /// The error of a reader of the text, and the error for the values; nil for none.
    private func verdicts(
        _ id: String, _ geometry: JSONValue, _ properties: [JSONMember]
    ) -> (text: String?, values: String?) {
        let feature: JSONValue = [
            "type": "Feature", "id": .string(id), "geometry": geometry,
            "properties": .object(properties),
        ]
        let content = FileContent(feature.text)
        let bytes = properties.reduce(0) { $0 + $1.key.utf8.count + $1.value.text.utf8.count }
        var reason: String?
        do throws(FeatureCheck.Flaw) {
            _ = try FeatureCheck.fence(
                id: id, geometry: geometry, properties: properties, bytes: bytes)
        } catch { reason = error.reason }
        return (content.problems.first?.reason, reason)
    }

    private static let point = #"{"type":"Point","coordinates":[11.5,48.1]}"#
    private static let cone =
        #"{"approach":"cone","limits":{"height_m":4,"basis":"sign"},"direction_deg":90}"#

    @Test(
        "A valid Feature is valid either way",
        arguments: [
            (point, #"{"radius":50}"#), (point, #"{"radius":50,"title":null,"x":[1,{"y":2}]}"#),
            (point, #"{"radius":-1,"radius":50,"dwell":1.5,"notify_on_exit":false}"#),
            (#"{"coordinates":[1,2,3],"x":{},"type":"Point"}"#, #"{"radius":1e2}"#),
            (
                #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#,
                #"{"title":"Südtor \"3\""}"#
            ),
            (
                #"{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}"#, "{}"
            ),
            (#"{"type":"LineString","coordinates":[[0,0],[0.1,0]]}"#, #"{"width":20}"#),
            (#"{"type":"MultiLineString","coordinates":[[[0,0],[0.1,0]]]}"#, #"{"width":20}"#),
        ])
    func good(_ geometry: String, _ properties: String) throws {
        let members = try #require(try JSONValue(parsing: properties).object)
        let verdicts = verdicts("a", try JSONValue(parsing: geometry), members)
        #expect(verdicts.text == nil)
        #expect(verdicts.values == nil)
    }

    @Test(
        "A flawed Feature is flawed either way, for the same reason",
        arguments: [
            (point, "{}"), (point, #"{"radius":-5}"#), (point, #"{"radius":"50"}"#),
            (point, #"{"radius":null}"#), (point, #"{"radius":50,"title":7}"#),
            (point, #"{"radius":50,"dwell":"1"}"#), (point, #"{"radius":50,"notify_on_entry":1}"#),
            (point, #"{"radius":50,"approach":"ramp"}"#), (point, #"{"approach":7}"#),
            (point, #"{"approach":"cone"}"#), (point, #"{"approach":"corridor","limits":{}}"#),
            (point, #"{"approach":"cone","limits":{"height_m":"4"}}"#),
            (#"{"type":"LineString","coordinates":[[0,0],[1,0]]}"#, cone),
            ("null", "{}"), ("7", "{}"), ("{}", "{}"), (#"{"type":7}"#, "{}"),
            (#"{"type":"Point"}"#, #"{"radius":1}"#),
            (#"{"type":"Point","coordinates":[]}"#, #"{"radius":1}"#),
            (#"{"type":"Point","coordinates":[1]}"#, #"{"radius":1}"#),
            (#"{"type":"Point","coordinates":[1,"2"]}"#, #"{"radius":1}"#),
            (#"{"type":"Point","coordinates":[1,null]}"#, #"{"radius":1}"#),
            (#"{"type":"Point","coordinates":["1",2]}"#, #"{"radius":1}"#),
            (#"{"type":"Point","coordinates":[1,91]}"#, #"{"radius":1}"#),
            (#"{"type":"Point","coordinates":7}"#, #"{"radius":1}"#),
            (#"{"type":"Point","coordinates":7,"coordinates":[1,2]}"#, #"{"radius":1}"#),
            (#"{"type":"Point","coordinates":[[1,2]]}"#, #"{"radius":1}"#),
            (#"{"type":"GeometryCollection","geometries":[]}"#, "{}"),
            (#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,0]]]}"#, "{}"),
            (#"{"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0],[0,1],[0,0]]]}"#, "{}"),
            (#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]],[1,2]]}"#, "{}"),
            (#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]],[]]}"#, "{}"),
            (#"{"type":"Polygon","coordinates":[[[[[0,0]]]]]}"#, "{}"),
            (#"{"type":"LineString","coordinates":[[0,0],[1,0]]}"#, "{}"),
            (#"{"type":"LineString","coordinates":[[0,0],true]}"#, #"{"width":5}"#),
        ])
    func flawed(_ geometry: String, _ properties: String) throws {
        let members = try #require(try JSONValue(parsing: properties).object)
        let verdicts = verdicts("a", try JSONValue(parsing: geometry), members)
        #expect(verdicts.text != nil)
        #expect(verdicts.values == verdicts.text)
    }

    @Test(
        "A text that is too long is refused either way",
        arguments: [
            ("", 1, 1), ("a\u{7}", 1, 1), ("a", 1_025, 1), ("a", 1, 70_000), ("a", 1, 600_000),
            (String(repeating: "a", count: 256), 1, 1),
        ])
    func long(_ id: String, _ title: Int, _ metadata: Int) throws {
        let members = [
            JSONMember("radius", 50),
            JSONMember("title", .string(String(repeating: "t", count: title))),
            // In pieces, since a text has a limit of its own.
            JSONMember(
                "x",
                .array(
                    Array(
                        repeating: .string(String(repeating: "x", count: 997)),
                        count: max(1, metadata / 1000)))),
        ]
        let verdicts = verdicts(id, try JSONValue(parsing: Self.point), members)
        #expect(verdicts.text != nil)
        #expect(verdicts.values == verdicts.text)
    }

    @Test("The corpus of the fuzzers gives the same result either way")
    func corpus() throws {
        let folder = repository("Tests/Fuzzing/Corpus/fences")
        var (good, flawed) = (0, 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
            var reader = JSONReader(bytes)
            while let value = try? reader.readValue() {
                for feature in value["features"]?.array ?? [value] {
                    guard let id = feature["id"]?.string, let geometry = feature["geometry"],
                        let properties = feature["properties"]?.object
                    else { continue }
                    let verdicts = verdicts(id, geometry, properties)
                    #expect(verdicts.values == verdicts.text, "\(name): \(id)")
                    if verdicts.text == nil { good += 1 } else { flawed += 1 }
                }
            }
        }
        #expect(good > 10 && flawed > 0, "\(good) good, \(flawed) flawed")
    }
}
