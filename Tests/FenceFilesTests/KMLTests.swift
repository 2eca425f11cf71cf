import FenceFiles
import Foundation
import Geodesy
import Model
import SystemTestKit
import Testing
import Time

@Suite("fence files in KML")
struct KMLTests {
    private static let ring = "11,48 11.1,48,520 11.1,48.1\n 11,48"

    private let file = """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>not this</name>
        <Style id="s"><IconStyle/></Style>
        <Folder><Placemark id="depot"><name>Depot &amp; yard</name><description>Gate <![CDATA[<b>3</b>]]></description>
        <ExtendedData><SchemaData schemaUrl="#x"><SimpleData name="dwell">90.5</SimpleData></SchemaData>
        <Data name="height"><displayName>h</displayName><value>007</value></Data>
        <Data name="notify_on_exit"><value>no</value></Data></ExtendedData>
        <Polygon><outerBoundaryIs><LinearRing><coordinates>\(ring)</coordinates></LinearRing></outerBoundaryIs>
        <innerBoundaryIs><LinearRing><coordinates>11.05,48.01 11.06,48.01 11.06,48.02 11.05,48.01</coordinates></LinearRing></innerBoundaryIs></Polygon></Placemark></Folder>
        <Placemark id="two"><MultiGeometry>
        <Polygon><outerBoundaryIs><LinearRing><coordinates>\(ring)</coordinates></LinearRing></outerBoundaryIs></Polygon>
        <Polygon><outerBoundaryIs><LinearRing><coordinates>12,48 12.1,48 12.1,48.1 12,48</coordinates></LinearRing></outerBoundaryIs></Polygon>
        </MultiGeometry></Placemark>
        <Placemark id="stop"><Point><coordinates> 11.5,48.1 </coordinates></Point></Placemark>
        <Placemark id="road"><LineString><coordinates>11,48 11.1,48</coordinates></LineString>
        <ExtendedData><Data name="width"><value>30</value></Data></ExtendedData></Placemark>
        </Document></kml>
        """

    private func at(_ lon: Double, _ lat: Double) -> Coordinate {
        Coordinate(latitude: lat, longitude: lon)
    }

    @Test("placemarks are fences, with properties and metadata of their ExtendedData")
    func placemarks() throws {
        let content = FileContent(file, options: .init(radius: 75))
        #expect(content.messages.isEmpty)
        #expect(content.fences.map(\.id) == ["depot", "two", "stop", "road"])
        let depot = try #require(content.fences.first)
        #expect(depot.title == "Depot & yard" && depot.description == "Gate <b>3</b>")
        #expect(depot.dwell == .seconds(90.5) && !depot.notifyOnExit && depot.notifyOnEntry)
        #expect(depot.metadata == #"{"height":"007"}"#)
        let shell = [at(11, 48), at(11.1, 48), at(11.1, 48.1), at(11, 48)]
        let hole = [at(11.05, 48.01), at(11.06, 48.01), at(11.06, 48.02), at(11.05, 48.01)]
        let other = [at(12, 48), at(12.1, 48), at(12.1, 48.1), at(12, 48)]
        #expect(
            content.fences.map(\.area?.geometry) == [
                .polygons([[shell, hole]]), .polygons([[shell], [other]]),
                .circle(center: at(11.5, 48.1), radius: 75),
                .corridor(line: [at(11, 48), at(11.1, 48)], width: 30),
            ])
        #expect(content.fences[1].metadata == "{}")
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var inside: String
        var reason: String
        var testDescription: String { reason }
    }

    @Test(
        "a bad placemark is named with line, number and reason, and the others are read",
        arguments: [
            Bad(inside: "", reason: "no geometry"),
            Bad(
                inside: "<Point><coordinates>11,48</coordinates></Point>",
                reason: "a Point without radius"),
            Bad(
                inside: "<LineString><coordinates>11,48 12,48</coordinates></LineString>",
                reason: "a LineString without width"),
            Bad(
                inside: "<Point><coordinates>11,48 12,48</coordinates></Point>",
                reason: "a Point of 2 positions"),
            Bad(
                inside: "<Point><coordinates>11;48</coordinates></Point>",
                reason: #""11;48" is no position"#),
            Bad(
                inside: "<Point><coordinates>nan,48</coordinates></Point>",
                reason: #""nan,48" is no position"#),
            Bad(
                inside: "<Point><coordinates> </coordinates></Point>",
                reason: "coordinates without a position"),
            Bad(inside: "<Model/>", reason: "a Model is no fence"),
            Bad(
                inside: "<MultiGeometry><Point><coordinates>1,1</coordinates></Point>"
                    + "<Point><coordinates>1,1</coordinates></Point></MultiGeometry>",
                reason: "of several geometries only polygons can be one fence"),
            Bad(
                inside: "<Polygon><innerBoundaryIs><LinearRing><coordinates>\(ring)"
                    + "</coordinates></LinearRing></innerBoundaryIs></Polygon>",
                reason: "a Polygon whose outer ring is not the first, or not the only one"),
            Bad(
                inside: "<ExtendedData><Data name='dwell'><value>long</value></Data></ExtendedData>"
                    + "<Polygon><outerBoundaryIs><LinearRing><coordinates>\(ring)"
                    + "</coordinates></LinearRing></outerBoundaryIs></Polygon>",
                reason: #"dwell "long" is no number"#),
            Bad(
                inside: "<ExtendedData><Data name='approach'><value>cone</value></Data>"
                    + "</ExtendedData><Polygon><outerBoundaryIs><LinearRing><coordinates>\(ring)"
                    + "</coordinates></LinearRing></outerBoundaryIs></Polygon>",
                reason: "metadata cannot be called approach, which is a property"),
        ])
    func badPlacemarks(_ bad: Bad) {
        let good =
            "<Placemark id='g'><Polygon><outerBoundaryIs><LinearRing><coordinates>\(Self.ring)"
            + "</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>"
        let content = FileContent(
            "<kml>\n\(good)\n<Placemark id='a'>\(bad.inside)</Placemark>\n\(good)</kml>")
        #expect(content.problems.map(\.reason) == [bad.reason])
        #expect(content.problems.map(\.id) == ["a"])
        #expect(content.fences.count == 2)
    }

    @Test("a placemark without an id is refused, or gets one from its data or contents")
    func ids() {
        let text = """
            <kml><Placemark><name>n</name><ExtendedData><Data name="k"><value>v</value></Data>
            </ExtendedData><Point><coordinates>11,48</coordinates></Point></Placemark></kml>
            """
        #expect(FileContent(text, options: .init(radius: 9)).problems.map(\.reason) == ["no id"])
        let byData = FileContent(text, options: .init(radius: 9, idProperty: "k"))
        #expect(byData.fences.map(\.id) == ["v"])
        #expect(byData.fences.map(\.metadata) == [#"{"k":"v"}"#])
        let byName = FileContent(text, options: .init(radius: 9, idProperty: "name"))
        #expect(byName.fences.map(\.id) == ["n"] && byName.fences.map(\.title) == ["n"])
        let made = FileContent(text, options: .init(radius: 9, makesIDs: true))
        #expect(made.fences.first?.id.hasPrefix("fence-") == true)
    }

    @Test(
        "a file that ends too early, or is other XML, is reported",
        arguments: [
            "<kml><Placemark id='a'><name>x", "<svg/>", "<kml><Placemark>", "<kml>&b;</kml>",
        ])
    func broken(_ text: String) {
        #expect(FileContent(text).problems.last?.isFatal == true)
    }

    @Test("text up to the maximum length of coordinates is read, a longer one refused")
    func long() {
        func circle(_ count: Int) -> String {
            (0...count).map { index in
                let angle = Double(index % count) / Double(count) * 2 * Double.pi
                return "\(11 + cos(angle) / 10),\(48 + sin(angle) / 10)"
            }.joined(separator: " ")
        }
        func placemark(_ coordinates: String) -> String {
            "<kml><Placemark id='a'><Polygon><outerBoundaryIs><LinearRing><coordinates>"
                + "\(coordinates)</coordinates></LinearRing></outerBoundaryIs></Polygon>"
                + "</Placemark></kml>"
        }
        let content = FileContent(placemark(circle(9000)))
        guard case .polygons(let parts)? = content.fences.first?.area?.geometry else {
            Issue.record("\(content.messages)")
            return
        }
        #expect(parts[0][0].count == 9001)
        let endless = placemark("11,48 " + String(repeating: " ", count: 9 << 20))
        #expect(FileContent(endless).problems.map(\.reason) == ["coordinates of more than 8 MiB"])
    }

    @Test("a KMZ is its first KML file; one without is refused")
    func kmz() throws {
        let directory = TemporaryDirectory()
        let kml = directory.write(file, to: "doc.kml")
        for (name, expected) in [("doc.kml", 4), ("doc.txt", 0)] {
            let path = directory.file("\(name).kmz")
            let run = Subprocess([
                "python3", "-c",
                """
                import sys, zipfile
                with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
                    z.writestr("files/icon.png", b"x" * 1000)
                    z.write(sys.argv[2], sys.argv[3])
                """, path, kml, name,
            ])
            #expect(run.wait()?.status == 0)
            let content = FileContent(
                try FenceFileReader(path: path, options: .init(radius: 75)))
            #expect(content.fences.count == expected)
            if expected == 0 {
                #expect(
                    content.problems.map(\.reason) == [
                        "a zip archive without a KML file: unpack it first"
                    ])
                #expect(content.problems.last?.isFatal == true)
            }
        }
    }
}
