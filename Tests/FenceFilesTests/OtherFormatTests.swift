import FenceFiles
import Foundation
import SystemTestKit
import Testing

@Suite("what is no fence file is named for what it is") struct OtherFormatTests {
    private static let text = "id,lat,lon,radius\n1,2,3,4\n"
    private static let esri = """
        {"displayFieldName":"","geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},
        "features":[{"attributes":{"OBJECTID":1},"geometry":{"x":1,"y":2}}]}
        """

    private static func utf16(_ text: String, big: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
            return big ? [high, low] : [low, high]
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        /// What the reason begins with.
        let reason: String

        init(_ name: String, _ bytes: [UInt8], _ reason: String) {
            (testDescription, self.bytes, self.reason) = (name, bytes, reason)
        }

        init(_ name: String, _ text: String, _ reason: String) {
            self.init(name, Array(text.utf8), reason)
        }
    }

    static let cases = [
        Case("UTF-16", [0xFF, 0xFE] + utf16(text, big: false), "text in UTF-16"),
        Case("UTF-16, the other way", [0xFE, 0xFF] + utf16(text, big: true), "text in UTF-16"),
        Case("without a mark", utf16(text, big: false), "text in UTF-16"),
        Case("without, the other way", utf16(esri, big: true), "text in UTF-16"),
        Case("XML in it", [0xFF, 0xFE] + utf16("<gpx/>", big: false), "text in UTF-16"),
        Case("UTF-32", [0xFF, 0xFE, 0, 0, 0x69, 0, 0, 0], "text in UTF-32"),
        Case(
            "waypoints of OwnTracks",
            #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"A","lat":1,"lon":2,"rad":3}]}"#,
            "data of OwnTracks"),
        Case(
            "one of them", #"{"_type":"waypoint","desc":"A","lat":1,"lon":2}"#, "data of OwnTracks"),
        Case("Esri JSON", esri, "Esri JSON"),
        Case(
            "the same, its features first",
            #"{"features":[{"attributes":{"a":1},"geometry":{"x":1,"y":2}}],"spatialReference":{}}"#,
            "Esri JSON"),
        Case("TopoJSON", #"{"type":"Topology","objects":{},"arcs":[]}"#, "TopoJSON"),
        Case("a geometry", #"{"type":"Point","coordinates":[1,2]}"#, "a geometry alone"),
        Case("geometries", #"{"type":"GeometryCollection","geometries":[]}"#, "a geometry alone"),
        Case("Overpass", #"{"version":0.6,"elements":[]}"#, "OpenStreetMap data"),
        Case("OData", #"{"@odata.context":"a","value":[]}"#, "an answer of OData"),
        Case(
            "a geofence of Traccar", #"{"id":1,"attributes":{},"area":"CIRCLE (1 2, 3)"}"#,
            #"no type, but an object with "attributes", "area""#),
        Case(
            "zones of Home Assistant", #"{"version":1,"key":"zone","data":{"items":[]}}"#,
            #"no type, but an object with "version", "key", "data""#),
        Case("nothing", "{}", "no type"),
        Case("a location history", #"{"locations":[{"latitudeE7":1}]}"#, "a location history"),
        Case("an error of a WFS in JSON", #"{"version":"1","exceptions":[]}"#, "a server's error"),
        Case("an error in JSON", #"{"error":{"code":500}}"#, "a server's error message"),
        Case(
            "HTML", "\n<!DOCTYPE html>\n<html><head><title>502</title></head></html>",
            "an HTML page"),
        Case("a piece of HTML", "<head><title>Login</title></head>", "an HTML page"),
        Case("older HTML", "<HTML><BODY>Not found<BR></BODY></HTML>", "an HTML page"),
        Case("XHTML", "<?xml version='1.0'?><html xmlns='a'/>", "an HTML page"),
        Case("GML", "<wfs:FeatureCollection xmlns:wfs='a'/>", "GML"),
        Case(
            "an error of a WFS", "<ows:ExceptionReport xmlns:ows='a'/>", "a server's error message"),
        Case("OpenStreetMap", "<osm version='0.6'/>", "OpenStreetMap data"),
        Case("TCX", "<TrainingCenterDatabase/>", "a drive in TCX"),
        Case(
            "old Excel", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0], "an Excel workbook"),
        Case("a shapefile", [0, 0, 0x27, 0x0A, 0, 0], "a shapefile"),
        Case("GeoPackage", "SQLite format 3\u{0}", "a database"),
        Case("PDF", "%PDF-1.7", "a PDF document"),
        Case(
            "an empty archive", [0x50, 0x4B, 5, 6, 0, 0, 0, 0], "a zip archive with nothing in it"),
        Case("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "compressed"),
        Case("RTF", #"{\rtf1\ansi id,lat}"#, "a document in RTF"),
        Case("NMEA", "$GPRMC,1,V*7\r\n", "an NMEA log"),
    ]

    @Test("each by its name", arguments: cases)
    func named(_ file: Case) {
        let content = FileContent(FenceFileReader(file.bytes, name: "f"))
        #expect(content.fences.isEmpty)
        let reasons = content.problems.map(\.reason)
        #expect(reasons.count == 1)
        #expect(reasons.first?.hasPrefix(file.reason) == true, "\(reasons)")
    }

    @Test(
        "archives by what is in them",
        arguments: [
            (["[Content_Types].xml", "xl/workbook.xml"], "an Excel workbook"),
            (["a/roads.dbf", "a/roads.shp"], "a shapefile"),
            (["mimetype", "content.xml"], "a document of LibreOffice"),
            (["a.csv"], "a zip archive without a KML file"),
        ])
    func archives(_ names: [String], _ reason: String) throws {
        let directory = TemporaryDirectory()
        let path = directory.file("archive.zip")
        let run = Subprocess(
            [
                "python3", "-c",
                """
                import sys, zipfile
                with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
                    for name in sys.argv[2:]: z.writestr(name, "a" * 100)
                """, path,
            ] + names)
        try #require(run.wait()?.status == 0)
        let content = FileContent(try FenceFileReader(path: path))
        let problem = try #require(content.problems.first)
        #expect(problem.reason.hasPrefix(reason))
    }
}
