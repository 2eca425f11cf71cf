import FenceFiles
import Geodesy
import Model
import Testing

/// Files as people's programs write them, each with what it is: the fences, or why there are none.
@Suite("what people's files look like") struct ShapesTests {
    struct Shape: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        /// `id latitude longitude radius title` of each fence.
        let fences: [String]
        let problems: [String]
        let warnings: [String]

        init(
            _ name: String, _ text: String, _ fences: [String] = [],
            refused problems: [String] = [],
            doubted warnings: [String] = []
        ) {
            self.init(name, Array(text.utf8), fences, refused: problems, doubted: warnings)
        }

        init(
            _ name: String, _ bytes: [UInt8], _ fences: [String] = [],
            refused problems: [String] = [], doubted warnings: [String] = []
        ) {
            testDescription = name
            self.bytes = bytes
            self.fences = fences
            self.problems = problems
            self.warnings = warnings
        }
    }

    private static let three = [
        "1 44.5 5.25 100.0 A", "2 44.75 5.5 101.0 B", "3 45.0 5.75 102.0 C",
    ]

    private static func table(_ end: String, _ separator: String = ",") -> String {
        ["id,lat,lon,radius,name", "1,44.5,5.25,100,A", "2,44.75,5.5,101,B", "3,45.0,5.75,102,C"]
            .map { $0.replacing(",", with: separator) + end }.joined()
    }

    private static let cutOff =
        "the last row has no line end: if the file was cut off, its last value is short"

    private static let thousands = """
        id;lat;lon;radius;dwell
        1;44,5;5,25;1.000;
        2;44.5;5.25;1,000;
        3;44,5;5;12.500;
        4;44,5;5,25;100;1.800
        5;44;5;1.000;
        6;44,5;5,25;1000,125;1,5

        """

    static let tables = [
        Shape("line feeds", table("\n"), three),
        Shape("carriage returns, as of a Mac", table("\r"), three),
        Shape("both", table("\r\n"), three),
        Shape("carriage returns behind a mark", "\u{FEFF}" + table("\r"), three),
        Shape(
            "each line with its own",
            "id,lat,lon,radius,name\r1,44.5,5.25,100,A\r\n2,44.75,5.5,101,B\n3,45,5.75,102,C\r",
            three),
        Shape("blank lines between", table("\r\r"), three),
        Shape("the last line has none", String(table("\r").dropLast()), three, doubted: [cutOff]),
        Shape(
            "line ends in quotes are text",
            "id,lat,lon,radius,name\r1,44.5,5.25,100,\"A\rB\"\r2,44.75,5.5,101,\"C\r\nD\"\r",
            ["1 44.5 5.25 100.0 A\rB", "2 44.75 5.5 101.0 C\r\nD"]),
        Shape("tabs", table("\n", "\t"), three),
        Shape("semicolons", table("\n", ";"), three),
        Shape(
            "Excel in a country of decimal commas",
            "sep=;\r\n\r\n1;Gare;44,5;5,25;100\r\n".replacing(
                "\r\n\r\n", with: "\r\nid;name;lat;lon;radius\r\n"), ["1 44.5 5.25 100.0 Gare"]),
        Shape("Excel's line with a bar", "sep=|\r\n" + table("\r\n", "|"), three),
        Shape("with a tab, behind a mark", "\u{FEFF}SEP=\t\r" + table("\r", "\t"), three),
        Shape("in quotes", "\"sep=;\"\n" + table("\n", ";"), three),
        Shape("filled up", "sep=;;;;;\n" + table("\n", ";"), three),
        Shape(
            "Excel's line that names no separator", "sep=\n" + table("\n"),
            refused: [
                "neither JSON nor XML, and as CSV the header lacks id, latitude, longitude, radius; "
                    + "it has \"sep=\""
            ]),
        Shape(
            "rows of separators below, as of a spreadsheet",
            table("\r\n", ";") + ";;;;\r\n ; ;\t;;\r\n\r\n", three),
        Shape(
            "blanks on lines of their own",
            table("\n") + "   \n\t\n" + String(table("\n").dropFirst(23)) + "  ",
            three + three),
        Shape(
            "tabs and decimal commas", "id\tlat\tlon\tradius\n1\t44,5\t5,25\t100,5\n",
            ["1 44.5 5.25 100.5 "]),
        Shape(
            "thousands, or one", thousands, ["5 44.0 5.0 1.0 ", "6 44.5 5.25 1000.125 "],
            refused: [
                "radius \"1.000\"", "radius \"1,000\"", "radius \"12.500\"", "dwell \"1.800\"",
            ]
            .map {
                $0 + " may be thousands, for the position in this row has another decimal sign: "
                    + "write it without this one"
            }),
        Shape(
            "what nobody sees in the header",
            "\u{FEFF}\u{FEFF}id,lat\u{200B}, lon ,\u{A0}radius\n1,2,3,40\n",
            ["1 2.0 3.0 40.0 "]),
        Shape(
            "a unit in the header", "id,Latitude (deg),@lon,Radius [m]\n1,2,3,4\n",
            refused: [
                "neither JSON nor XML, and as CSV the header lacks latitude (is Latitude (deg) meant?), "
                    + "longitude (is @lon meant?), radius (is Radius [m] meant?)"
            ]),
        Shape(
            "a header in another language", "id;Breite;Höhe;a;b;c;d;e;f\n1;2;3;4;5;6;7;8;9\n",
            refused: [
                "neither JSON nor XML, and as CSV the header lacks latitude, longitude, radius; it has "
                    + #""id", "Breite", "Höhe", "a", "b", "c", "d", "e" and more"#
            ]),
        Shape(
            "another reference system in a column",
            "id,lat,lon,radius,SRID\n1,2,3,40,4326\n2,2,3,40,4301\n",
            ["1 2.0 3.0 40.0 ", "2 2.0 3.0 40.0 "],
            doubted: [
                "line 3: SRID is 4301, and the coordinates are read as WGS 84 all the same"
            ]),
        Shape(
            "two columns for one", "id,lat,Latitude,lon,radius\n1,2,3,4,50\n", ["1 3.0 4.0 50.0 "],
            doubted: ["the columns Latitude and lat say the same: Latitude is read"]),
        Shape(
            "cut off in a row", "id,lat,lon,radius,name\n1,44.5,5.25,100,A\n2,44.75,5",
            three.prefix(1).map(\.self),
            refused: ["3 fields, the header has 5"], doubted: [cutOff]),
        Shape(
            "cut off in quotes", "id,lat,lon,radius,name\n1,44.5,5.25,100,A\n2,44.75,5.5,101,\"B",
            three.prefix(1).map(\.self), refused: ["a quote that does not end"]),
        Shape(
            "cut off in a number", "id,lat,lon,name,radius\n1,44.5,5.25,A,10",
            ["1 44.5 5.25 10.0 A"],
            doubted: [cutOff]),
        Shape(
            "NUL behind the last row, as after a power cut", Array(table("\n").utf8) + [0, 0, 0],
            three, refused: ["a NUL byte, as in a file that was not written to its end"],
            doubted: [cutOff]),
        Shape(
            "a file of NUL", [UInt8](repeating: 0, count: 100),
            refused: ["binary data, or a file that was not written to its end"]),
        Shape(
            "a radius under another name", "id,lat,lon,radius_m\n1,2,3,4\n",
            refused: [
                "neither JSON nor XML, and as CSV the header lacks radius (is radius_m meant?)"
            ]),
        Shape(
            "places under other names", "id,Y,longitud,altitude,radius\n1,2,3,4,5\n",
            refused: [
                "neither JSON nor XML, and as CSV the header lacks latitude (is Y meant?), "
                    + "longitude (is longitud meant?)"
            ]),
    ]

    static let empty = [
        Shape("a header", "id,lat,lon,radius\n", refused: ["no fence in it: only a header"]),
        Shape(
            "a header with CR", "id,lat,lon,radius\r", refused: ["no fence in it: only a header"]),
        Shape(
            "a header and blank lines", "id,lat,lon,radius\r\n\r\n\r\n",
            refused: ["no fence in it: only a header"]),
        Shape(
            "a header and rows of separators", "id;lat;lon;radius\r\n;;;\r\n;;;\r\n",
            refused: ["no fence in it: only a header"]),
        Shape(
            "a header below Excel's line", "sep=;\r\nid;lat;lon;radius\r\n",
            refused: ["no fence in it: only a header"]),
        Shape(
            "a header that ends the file", "id,lat,lon,radius",
            refused: ["no fence in it: only a header"], doubted: [cutOff]),
        Shape(
            "a collection", #"{"type":"FeatureCollection","features":[]}"#,
            refused: ["no fence in it: a FeatureCollection without Features"]),
        Shape(
            "two collections", "{\"features\":[]}\n{\"features\":[]}",
            refused: ["no fence in it: a FeatureCollection without Features"]),
        Shape("GPX", "<gpx/>", refused: ["no fence in it: no waypoint"]),
        Shape(
            "a track", "<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>",
            refused: ["no fence in it: no waypoint, but a track or a route"]),
        Shape(
            "a route", "<gpx><rte><rtept lat='1' lon='2'/></rte></gpx>",
            refused: ["no fence in it: no waypoint, but a track or a route"]),
        Shape(
            "KML", "<kml><Document><name>n</name></Document></kml>",
            refused: ["no fence in it: no Placemark"]),
        Shape(
            "KML that leads elsewhere",
            "<kml><NetworkLink><Link><href>https://a/</href></Link></NetworkLink></kml>",
            refused: ["no fence in it: no Placemark, but a NetworkLink, which is not followed"]),
    ]

    private static let cut =
        "a part only: the server has cut the rest off (exceededTransferLimit)"

    private static let waypoints = """
        <gpx xmlns:gpxx="urn:a" xmlns:wptx1="urn:b">
        <wpt lat="48" lon="11"><name>Mill</name><extensions><gpxx:WaypointExtension>
        <gpxx:Proximity>250</gpxx:Proximity></gpxx:WaypointExtension></extensions></wpt>
        <wpt lat="49" lon="12"><name>Yard</name><extensions>
        <wptx1:Proximity> 120.5 </wptx1:Proximity></extensions></wpt>
        <wpt lat="50" lon="13"><name>Own</name><extensions><gpxx:Proximity>9</gpxx:Proximity>
        <radius>70</radius></extensions></wpt></gpx>
        """

    static let others = [
        Shape(
            "the proximity of a waypoint", waypoints,
            ["Mill 48.0 11.0 250.0 Mill", "Yard 49.0 12.0 120.5 Yard", "Own 50.0 13.0 70.0 Own"]),
        Shape(
            "a Point whose radius is written otherwise", feature(properties: #"{"Radius":50}"#),
            refused: ["no radius: is Radius meant?"]),
        Shape(
            "a placemark, too",
            "<kml><Placemark id='a'><ExtendedData><Data name='Radius'><value>9</value></Data></ExtendedData>"
                + "<Point><coordinates>1,2</coordinates></Point></Placemark></kml>",
            refused: ["a Point without radius: is Radius meant?"]),
        Shape(
            "waypoints whose radius is written otherwise",
            "<gpx><wpt lat='1' lon='2'><name>a</name><extensions><Radius>9</Radius></extensions></wpt>"
                + "<wpt lat='1' lon='2' radius='9'><name>b</name></wpt>"
                + "<wpt lat='1' lon='2'><name>c</name><radius_m>9</radius_m></wpt></gpx>",
            refused: [
                "no radius: is Radius meant?", "no radius: is radius meant?",
                "no radius, and none given for the whole file",
            ]),
        Shape(
            "waypoints with names that are blank",
            "<gpx><wpt lat='1' lon='2'><name/></wpt><wpt lat='1' lon='2'><name> </name></wpt></gpx>",
            refused: ["no name", "no name"]),
        Shape(
            "data of a placemark in another namespace",
            "<kml><Placemark id='a'><ExtendedData xmlns:p='urn:p'><p:radius>9</p:radius></ExtendedData>"
                + "<Point><coordinates>1,2</coordinates></Point></Placemark></kml>",
            ["a 2.0 1.0 9.0 "]),
        Shape(
            "a placemark beside a link",
            "<kml><NetworkLink/><Placemark id='a'><ExtendedData><Data name='radius'><value>9</value></Data>"
                + "</ExtendedData><Point><coordinates>1,2</coordinates></Point></Placemark></kml>",
            ["a 2.0 1.0 9.0 "],
            doubted: ["a NetworkLink is not followed: what it leads to is missing"]),
        Shape(
            "an array of Features", "[\(feature())]",
            refused: [
                "an array where a Feature was expected: a set of fences is a FeatureCollection with "
                    + "such an array of Features"
            ]),
        Shape(
            "a page of a server's answer",
            #"{"type":"FeatureCollection","numberMatched":3,"features":[\#(feature())]}"#,
            ["a 48.1 11.5 50.0 "],
            doubted: [
                "1 entry of 3 (numberMatched): if these are a page of a server's answer, the others "
                    + "are missing"
            ]),
        Shape(
            "all pages of it",
            #"{"features":[\#(feature())],"numberMatched":2}{"features":[\#(feature(id: #""b""#))]}"#,
            ["a 48.1 11.5 50.0 ", "b 48.1 11.5 50.0 "]),
        Shape(
            "what the server has cut off",
            #"{"type":"FeatureCollection","exceededTransferLimit":true,"features":[\#(feature())]}"#,
            refused: [cut]),
        Shape(
            "the same behind it",
            #"{"type":"FeatureCollection","features":[\#(feature())],"exceededTransferLimit":true}"#,
            ["a 48.1 11.5 50.0 "], refused: [cut]),
        Shape(
            "the same among properties",
            #"{"properties":{"exceededTransferLimit":true},"features":[\#(feature())]}"#,
            refused: [cut]),
        Shape(
            "what it has not",
            #"{"exceededTransferLimit":false,"properties":{},"features":[\#(feature())]}"#,
            ["a 48.1 11.5 50.0 "]),
        Shape(
            "a line whose width is",
            feature(
                geometry: #"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#,
                properties: #"{"radius_m":4,"width_m":5}"#),
            refused: ["no width: is width_m meant?"]),
    ]

    @Test(
        "each is read as what it is, or refused with the reason",
        arguments: tables + empty + others)
    func read(_ shape: Shape) {
        let reader = FenceFileReader(shape.bytes, name: "f")
        let content = FileContent(reader)
        let fences = content.fences.map { fence in
            guard case .circle(let center, let radius)? = fence.area?.geometry else { return "" }
            return "\(fence.id) \(center.latitude) \(center.longitude) \(radius) \(fence.title)"
        }
        #expect(fences == shape.fences)
        #expect(content.problems.map(\.reason) == shape.problems)
        #expect(reader.warnings == shape.warnings)
    }

    @Test("whoever says that it may, gets an empty set", arguments: empty)
    func allowed(_ shape: Shape) {
        let content = FileContent(
            FenceFileReader(shape.bytes, name: "f", options: .init(mayBeEmpty: true)))
        #expect(content.fences.isEmpty && content.problems.isEmpty)
    }

    @Test("lines are counted whatever ends them", arguments: ["\n", "\r", "\r\n"])
    func lines(_ end: String) {
        let content = FileContent(
            ["id,lat,lon,radius,name", "1,2,3,4,\"a", "", "b\"", "", "2,2,3,4,c", "3,2"]
                .joined(separator: end))
        #expect(content.lines == [2, 6])
        #expect(content.problems.map(\.line) == [7])
    }

    @Test(
        "a carriage return and its line feed at any edge of the buffer", arguments: ["\r", "\r\n"])
    func edges(_ end: String) {
        let half = String(repeating: "n", count: 32_000)
        for length in 33_400..<33_560 {
            let note = String(repeating: "n", count: length)
            let rows = ["z,1,2,30,\(half)", "a,1,2,30,\(note)", "b,1,2,30,", "c,1,2,30,\"\(end)\""]
            let text = (["id,lat,lon,radius,n"] + rows).map { $0 + end }.joined()
            let content = FileContent(text)
            #expect(content.fences.map(\.id) == ["z", "a", "b", "c"], "\(length)")
            #expect(content.problems.isEmpty)
            #expect(content.lines == [2, 3, 4, 5])
        }
    }

    @Test("a waypoint with a blank name gets an id as one without")
    func nameless() {
        let file = """
            <gpx><wpt lat="1" lon="2"><name/></wpt><wpt lat="3" lon="4"><name> </name></wpt>
            <wpt lat="5" lon="6"/></gpx>
            """
        let content = FileContent(file, options: .init(radius: 9, makesIDs: true))
        #expect(content.messages.isEmpty)
        #expect(content.fences.map { $0.id.hasPrefix("fence-") } == [true, true, true])
    }

    @Test("names of waypoints may come again where ids are made")
    func twins() {
        let file = """
            <gpx><wpt lat="1" lon="2"><name>P</name></wpt><wpt lat="3" lon="4"><name>P</name></wpt>
            <wpt lat="5" lon="6"><name>Q</name></wpt><wpt lat="1" lon="2"><name>P</name></wpt></gpx>
            """
        let options = FenceFileReader.Options(radius: 9, makesIDs: true, refusesTwins: true)
        let reader = FenceFileReader(Array(file.utf8), name: "f", options: options)
        let content = FileContent(reader)
        #expect(content.messages.isEmpty)
        #expect(content.fences.map(\.title) == ["P", "P", "Q", "P"])
        #expect(content.fences[0].id == "P" && content.fences[2].id == "Q")
        #expect(
            content.fences[1].id.hasPrefix("fence-") && content.fences[3].id.hasPrefix("fence-"))
        #expect(Set(content.fences.map(\.id)).count == 4)
        #expect(reader.twinCount == 2 && reader.madeIDCount == 2)
        // The second has the same id wherever it stands behind the first.
        let moved = FileContent(
            "<gpx><wpt lat='1' lon='2'><name>P</name></wpt><wpt lat='3' lon='4'><name>P</name></wpt></gpx>",
            options: options)
        #expect(moved.fences.map(\.id) == content.fences.prefix(2).map(\.id))
        let strict = FileContent(file, options: .init(radius: 9, refusesTwins: true))
        #expect(
            strict.problems.map(\.reason)
                == Array(repeating: "the id came before in this file", count: 2))
    }
}
