import EngineTestKit
import FenceFiles
import Geodesy
import Model
import Testing
import Time

@Suite("fence files in GeoJSON")
struct GeoJSONTests {
    @Test(
        "ids are text: numbers as their digits, properties.id if there is no id",
        arguments: [
            (#""bridge-7""#, "bridge-7"), ("7", "7"), ("7.0", "7"), ("70e-1", "7"),
            ("7.5", "7.5"), ("-0", "0"), ("-12", "-12"), ("9007199254740993", "9007199254740993"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("123456789012345678901.00", "123456789012345678901"), (#""Ü \/ 😀""#, "Ü / 😀"),
        ])
    func identifiers(_ json: String, _ id: String) {
        #expect(FileContent(feature(id: json)).fences.map(\.id) == [id])
        let property = feature(id: nil, properties: #"{"radius":50,"id":\#(json)}"#)
        #expect(FileContent(property).fences.map(\.id) == [id])
        #expect(FileContent(property).fences.map(\.metadata) == ["{}"])
    }

    @Test("an id of the Feature comes first, properties.id is metadata then")
    func twoIdentifiers() {
        let content = FileContent(feature(properties: #"{"id":8,"radius":50}"#))
        #expect(content.fences.map(\.id) == ["a"])
        #expect(content.fences.map(\.metadata) == [#"{"id":8}"#])
    }

    @Test("known properties are used, all others are kept as written, in order")
    func properties() throws {
        let fence = try #require(
            FileContent(
                feature(
                    properties: """
                        {"z": 1.50, "title":"T","description":"D\\n","dwell":90.5,
                         "notify_on_entry":false,"a":{"b":[1, 2,"\\u00fc"]},"notify_on_exit":false,
                         "initial_enter":true,"radius":50,"width":12345678901234567890,"n":null}
                        """)
            ).fences.first)
        #expect(fence.title == "T" && fence.description == "D\n")
        #expect(fence.dwell == .seconds(90.5))
        #expect(!fence.notifyOnEntry && !fence.notifyOnExit && fence.initialEnter)
        #expect(
            fence.metadata
                == #"{"z":1.50,"a":{"b":[1,2,"\u00fc"]},"width":12345678901234567890,"n":null}"#)
    }

    @Test("null counts as absent")
    func nulls() throws {
        let json = #"{"radius":50,"title":null,"dwell":null,"notify_on_exit":null}"#
        let fence = try #require(FileContent(feature(properties: json)).fences.first)
        #expect(fence.title.isEmpty && fence.dwell == .zero && fence.notifyOnExit)
    }

    @Test("every geometry that can be a fence, members in any order, altitudes ignored")
    func geometries() throws {
        let ring = "[[0,0],[0.1,0],[0.1,0.1,500],[0,0]]"
        let text = [
            feature(geometry: #"{"coordinates":[11.5,48.1,520],"type":"Point"}"#),
            feature(geometry: #"{"coordinates":[\#(ring)],"type":"Polygon"}"#, properties: nil),
            feature(
                geometry: #"{"type":"MultiPolygon","coordinates":[[\#(ring)]]}"#,
                properties: "null"),
            feature(
                geometry: #"{"type":"LineString","coordinates":[[0,0],[1,1]],"bbox":[0,0,1,1]}"#,
                properties: #"{"width":12}"#),
            #"{"properties":{"radius":1},"geometry":{"type":"Point","coordinates":[1,2]},"#
                + #""id":1,"bbox":[1,2,1,2],"type":"Feature"}"#,
        ].joined(separator: "\n")
        let content = FileContent(text)
        #expect(content.messages.isEmpty)
        func at(_ lon: Double, _ lat: Double) -> Coordinate {
            Coordinate(latitude: lat, longitude: lon)
        }
        let shell = [at(0, 0), at(0.1, 0), at(0.1, 0.1), at(0, 0)]
        #expect(
            content.fences.map(\.area?.geometry) == [
                .circle(center: at(11.5, 48.1), radius: 50), .polygons([[shell]]),
                .polygons([[shell]]), .corridor(line: [at(0, 0), at(1, 1)], width: 12),
                .circle(center: at(1, 2), radius: 1),
            ])
    }

    @Test(
        "a collection, features a line each, and an RFC 8142 sequence give the same",
        arguments: [
            ("collection", #"{"type":"FeatureCollection","features":[A,B]}"#),
            ("features first", #"{"features":[A,B],"name":"x","type":"FeatureCollection"}"#),
            ("with a byte order mark", "\u{FEFF}\n{\"features\":[A,B]}"),
            ("lines", "A\nB\n"), ("CRLF lines", "A\r\nB\r\n"), ("one after the other", "AB"),
            ("sequence", "\u{1E}A\n\u{1E}B\n"),
            ("sequence of a collection", "\u{1E}{\"features\":[A]}\n\u{1E}\u{1E}B"),
        ])
    func framings(_ name: String, _ text: String) {
        let a = feature()
        let b = feature(id: #""b""#)
        var whole = ""
        for character in text {
            switch character {
            case "A": whole += a
            case "B": whole += b
            default: whole.append(character)
            }
        }
        let content = FileContent(whole)
        #expect(content.messages.isEmpty)
        #expect(content.fences.map(\.id) == ["a", "b"])
    }

    @Test(
        "a bad entry is named with line, number, id and reason, and the others are read",
        arguments: [
            (feature(id: nil), #"fence 2: no id"#),
            (feature(id: "null"), #"fence 2: no id"#),
            (feature(id: #""""#), #"fence 2 (""): the id is empty"#),
            (feature(id: "{}"), "fence 2: the id is neither a string nor a number"),
            (feature(id: "true"), "fence 2: the id is neither a string nor a number"),
            (feature(id: #""a\u0007b""#), "fence 2 (\"a\\u{7}b\"): the id has a control character"),
            (
                feature(id: nil, properties: #"{"radius":1,"id":[]}"#),
                "fence 2: the id is neither a string nor a number"
            ),
            (feature(type: #""Place""#), #"fence 2 ("a"): "Place" is no Feature"#),
            (
                feature(type: #""Point""#),
                #"fence 2 ("a"): a geometry alone: a fence is a Feature with an id and this as its "#
                    + "geometry"
            ),
            (feature(type: "7"), #"fence 2 ("a"): a number as type"#),
            (feature(geometry: nil), #"fence 2 ("a"): no geometry"#),
            (feature(geometry: "null"), #"fence 2 ("a"): no geometry"#),
            (feature(geometry: "[1,2]"), #"fence 2 ("a"): a geometry that is no object"#),
            (feature(geometry: #""POINT(1 2)""#), #"fence 2 ("a"): a geometry that is no object"#),
            (feature(properties: #""{}""#), #"fence 2 ("a"): properties that are no object"#),
            (
                feature(properties: #"[{"radius":5}]"#),
                #"fence 2 ("a"): properties that are no object"#
            ),
            (feature(properties: "[]"), #"fence 2 ("a"): a Point without radius"#),
            (feature(geometry: "{}"), #"fence 2 ("a"): a geometry without type"#),
            (
                feature(geometry: #"{"type":"Point"}"#),
                #"fence 2 ("a"): a Point without coordinates"#
            ),
            (
                feature(geometry: #"{"type":"MultiPoint","coordinates":[[1,2]]}"#),
                #"fence 2 ("a"): a MultiPoint is no fence"#
            ),
            (
                feature(geometry: #"{"type":"GeometryCollection","geometries":[{}]}"#),
                #"fence 2 ("a"): a GeometryCollection is no fence"#
            ),
            (
                feature(geometry: #"{"type":"Point","coordinates":[]}"#),
                #"fence 2 ("a"): a Point of no positions"#
            ),
            (
                feature(geometry: #"{"type":"Point","coordinates":[1]}"#),
                #"fence 2 ("a"): a position of one number"#
            ),
            (
                feature(geometry: #"{"type":"Point","coordinates":[1,"2"]}"#),
                #"fence 2 ("a"): a string in a position"#
            ),
            (
                feature(geometry: #"{"type":"Point","coordinates":[[1,2]]}"#),
                #"fence 2 ("a"): the coordinates are not those of a Point"#
            ),
            (
                feature(geometry: #"{"type":"Point","coordinates":{"x":[1]}}"#),
                #"fence 2 ("a"): an object among the coordinates"#
            ),
            (
                feature(geometry: #"{"type":"Polygon","coordinates":[[]]}"#),
                #"fence 2 ("a"): an empty array among the coordinates"#
            ),
            (
                feature(geometry: #"{"type":"Polygon","coordinates":[[[0,0],[[1,1]]]]}"#),
                #"fence 2 ("a"): coordinates of different depth"#
            ),
            (feature(properties: nil), #"fence 2 ("a"): a Point without radius"#),
            (feature(properties: #"{"radius":"50"}"#), #"fence 2 ("a"): radius is no number"#),
            (
                feature(properties: #"{"radius":50,"title":7}"#),
                #"fence 2 ("a"): title is no string"#
            ),
            (
                feature(properties: #"{"radius":50,"dwell":"1"}"#),
                #"fence 2 ("a"): dwell is no number"#
            ),
            (
                feature(properties: #"{"radius":50,"notify_on_exit":0}"#),
                #"fence 2 ("a"): notify_on_exit is neither true nor false"#
            ),
            (
                feature(geometry: #"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#),
                #"fence 2 ("a"): a LineString without width"#
            ),
            ("[7]", "fence 2: an array where a Feature was expected"),
            ("null", "fence 2: null where a Feature was expected"),
        ])
    func badEntries(_ json: String, _ message: String) {
        let good = feature(id: #""good""#)
        let content = FileContent(
            "{\"type\":\"FeatureCollection\",\"features\":[\n\(good),\n\(json),\n\(good)\n]}")
        #expect(content.messages == ["f:3: " + message])
        #expect(content.fences.map(\.id) == ["good", "good"])
        #expect(content.lines == [2, 4])
    }

    @Test(
        "a refusal by the area's validation is reported in its words",
        arguments: [
            (#"{"type":"Point","coordinates":[11.5,98]}"#, #"{"radius":50}"#),
            (#"{"type":"Point","coordinates":[1e999,48]}"#, #"{"radius":50}"#),
            (#"{"type":"Point","coordinates":[11.5,48]}"#, #"{"radius":0}"#),
            (#"{"type":"Point","coordinates":[11.5,48]}"#, #"{"radius":-5}"#),
            (#"{"type":"LineString","coordinates":[[1,1],[1,1]]}"#, #"{"width":5}"#),
            (#"{"type":"LineString","coordinates":[[1,1],[1,2]]}"#, #"{"width":0}"#),
            (#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,0]]]}"#, "null"),
            (#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}"#, "null"),
            (#"{"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0],[0,1],[0,0]]]}"#, "null"),
        ])
    func badAreas(_ geometry: String, _ properties: String) throws {
        let content = FileContent(feature(geometry: geometry, properties: properties))
        #expect(content.fences.isEmpty)
        let message = try #require(content.messages.first)
        #expect(message.hasPrefix("f:1: fence 1 (\"a\"): "))
        #expect(content.problems.allSatisfy { !$0.isFatal })
    }

    @Test(
        "invalid JSON ends the file there, with its line",
        arguments: [
            ("{\"type\":\"FeatureCollection\",\n\"features\":[A,\n]}", 3),
            ("{\"type\":\"FeatureCollection\",\n\"features\":[A", 2),
            ("A\nB\nnonsense", 3), ("{", 1), ("[]", 1), ("A\n{\"type\":\"FeatureCollection\"}", 2),
            ("{\"features\":[],\n\"features\":[]}", 2),
        ])
    func broken(_ text: String, _ line: Int) throws {
        let whole = text.replacing("A", with: feature()).replacing("B", with: feature())
        let content = FileContent(whole)
        let last = try #require(content.problems.last)
        #expect(last.isFatal)
        #expect(last.line == line)
        #expect(content.problems.count == 1)
    }

    @Test("a file cut off anywhere is refused and never crashes")
    func truncated() throws {
        let fences = [
            feature(id: "1.0", properties: #"{"radius":50,"title":"ü\n","x":{"y":[1,2]}}"#),
            feature(geometry: #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#),
        ]
        let whole = Array(
            "{\"type\":\"FeatureCollection\",\"features\":[\(fences.joined(separator: ","))]}".utf8)
        for length in 1..<whole.count {
            let content = FileContent(FenceFileReader(Array(whole[..<length]), name: "f"))
            #expect(content.problems.last?.isFatal == true, "at \(length)")
        }
        #expect(FileContent(FenceFileReader(whole, name: "f")).fences.count == 2)
    }

    @Test("every byte changed: fences or problems, never a crash")
    func scribbled() {
        var random = SeededRandom(seed: 3)
        let whole = Array(
            feature(
                geometry: #"{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}"#,
                properties: #"{"title":"t","dwell":1,"x":[null,true]}"#
            ).utf8)
        for index in whole.indices {
            for _ in 0..<8 {
                var bytes = whole
                bytes[index] = UInt8(truncatingIfNeeded: random.next())
                let content = FileContent(FenceFileReader(bytes, name: "f"))
                #expect(content.fences.count + content.problems.count > 0)
            }
        }
    }

    @Test("lengths are bounded: id, title, metadata")
    func bounds() {
        let long = String(repeating: "x", count: 70_000)
        for (json, reason) in [
            (feature(id: "\"\(long.prefix(256))\""), "the id is longer than 255 bytes"),
            (
                feature(properties: #"{"radius":5,"title":"\#(long.prefix(1_025))"}"#),
                "the title is longer than 1024 bytes"
            ),
            (
                feature(properties: #"{"radius":5,"m":"\#(long)"}"#),
                "the metadata is longer than 65536 bytes"
            ),
        ] {
            let content = FileContent(json)
            #expect(content.problems.map(\.reason) == [reason])
        }
        #expect(FileContent(feature(id: "\"\(long.prefix(255))\"")).fences.count == 1)
    }

    @Test("a duplicate is refused if requested")
    func twins() {
        let text = feature() + "\n" + feature()
        #expect(FileContent(text).fences.count == 2)
        let options = FenceFileReader.Options(refusesTwins: true)
        let content = FileContent(text, options: options)
        #expect(content.messages == ["f:2: fence 2 (\"a\"): the id came before in this file"])
        let accents = feature(id: "\"\u{E9}\"") + "\n" + feature(id: "\"e\u{301}\"")
        #expect(FileContent(accents, options: options).fences.count == 2)
    }

    @Test("the strict caller gets the first problem and nothing after it")
    func strict() throws {
        let text = feature() + "\n" + feature(id: nil) + "\n" + feature()
        let reader = FenceFileReader(Array(text.utf8), name: "f")
        #expect(try reader.next()?.id == "a")
        #expect(throws: FenceFileProblem(file: "f", line: 2, index: 2, reason: "no id")) {
            try reader.next()
        }
        #expect(try reader.next() == nil)
    }

    @Test("real counties: every one is read, with its name as metadata")
    func counties() throws {
        let reader = try FenceFileReader(path: dataFile("us_counties_cut.geojson"))
        let content = FileContent(reader)
        #expect(content.messages.isEmpty)
        #expect(content.fences.count == 8)
        #expect(content.fences[0].id == "19047")
        #expect(content.fences[0].metadata.contains(#""NAME":"Crawford""#))
        #expect(reader.size == reader.bytesRead)
    }

    @Test("real ways and nodes with a height: a missing radius or width is reported")
    func heights() throws {
        let content = FileContent(
            try FenceFileReader(path: dataFile("osm_maxheight_cut.geojson")))
        #expect(content.fences.isEmpty)
        let reasons = content.problems.map(\.reason)
        #expect(
            reasons == Array(repeating: "a Point without radius", count: 3)
                + Array(repeating: "a LineString without width", count: 3))
        #expect(content.problems.allSatisfy { $0.id?.contains("/") == true })
        #expect(content.problems.map(\.line) == Array(2...7))
    }
}
