import FenceFiles
import Geodesy
import Testing

@Suite("files of routes")
struct RouteFileTests {
    private func read(_ text: String, most: Int = 100) throws(RouteFileProblem) -> [Coordinate] {
        try RouteFile.positions(of: Array(text.utf8), most: most)
    }

    private static let two = [
        Coordinate(latitude: 48, longitude: 11), Coordinate(latitude: 48.5, longitude: 11.25),
    ]

    @Test(
        "a route or a track of GPX, a line of GeoJSON, a Feature, a collection with one",
        arguments: [
            """
            <?xml version="1.0"?>
            <gpx version="1.1"><wpt lat="1" lon="2"/><rte><name>x</name>
            <rtept lat="48" lon="11"><name>y</name></rtept><rtept lat="48.5" lon="11.25"/></rte></gpx>
            """,
            // Garmin has the way between two places in an extension of the first.
            """
            <gpx xmlns:gpxx="g"><rte><rtept lat="48" lon="11"><extensions><gpxx:RoutePointExtension>
            <gpxx:rpt lat=" 48.5 " lon="11.25"/></gpxx:RoutePointExtension></extensions></rtept></rte></gpx>
            """,
            """
            <gpx><trk><trkseg><trkpt lat="48" lon="11"><ele>5</ele></trkpt></trkseg>
            <trkseg><trkpt lat="48.5" lon="11.25"/></trkseg></trk></gpx>
            """,
            """
            <gpx><trk><trkseg><trkpt lat="9" lon="9"/></trkseg></trk>
            <rte><rtept lat="48" lon="11"/><rtept lat="48.5" lon="11.25"/></rte></gpx>
            """,
            #"{"type":"LineString","coordinates":[[11,48,500],[11.25,48.5]]}"#,
            #" {"type":"MultiLineString","coordinates":[[[11,48]],[[11.25,48.5]]]}"#,
            #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[11,48],[11.25,48.5]]}}"#,
            #"""
            {"type":"FeatureCollection","features":[
            {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}},
            {"type":"Feature","geometry":{"type":"LineString","coordinates":[[11,48],[11.25,48.5]]}}]}
            """#,
        ])
    func good(text: String) throws {
        #expect(try read(text) == Self.two)
    }

    @Test(
        "what has no route says why, and where",
        arguments: [
            ("", "the file is empty"), (" \n", "the file is empty"),
            ("48,11\n", "neither GPX nor GeoJSON"),
            ("<kml/>", "XML that is no GPX"),
            ("<gpx></gpx>", "neither a route nor a track"),
            ("<gpx><rte/><rte/></gpx>", "2 routes, of which only one can be driven"),
            ("<gpx><trk/><trk/><trk/></gpx>", "3 tracks, of which only one can be driven"),
            (
                "<gpx>\n<rte>\n<rtept lat='91' lon='0'/>",
                "line 3: rtept without a lat and lon on the Earth"
            ),
            (
                "<gpx><rte><rtept lat='nan' lon='0'/>",
                "line 1: rtept without a lat and lon on the Earth"
            ),
            ("<gpx><trk><trkpt lat='1'/>", "line 1: trkpt without a lat and lon on the Earth"),
            ("{}", "no LineString or MultiLineString"),
            (#"{"type":"Point","coordinates":[1,2]}"#, "no LineString or MultiLineString"),
            (
                #"{"type":"LineString","coordinates":[[11,48],[11,"x"]]}"#,
                "position 2 is not on the Earth"
            ),
            (#"{"type":"LineString","coordinates":[[181,48]]}"#, "position 1 is not on the Earth"),
            (
                #"{"type":"FeatureCollection","features":[{"type":"LineString"},{"type":"LineString"}]}"#,
                "2 lines, of which only one can be driven"
            ),
        ])
    func bad(text: String, why: String) {
        let problem = #expect(throws: RouteFileProblem.self) { try read(text) }
        #expect(problem?.description == why)
    }

    @Test("text that ends too early, and JSON that is none, name the line")
    func broken() {
        for text in ["<gpx>\n<rte>\n<rtept lat='1' lon='1'/>", "{\n\"type\":\n"] {
            let problem = #expect(throws: RouteFileProblem.self) { try read(text) }
            #expect(problem?.line == 3, "\(problem as Any)")
        }
    }

    @Test(
        "more positions than may be are refused",
        arguments: [
            "<gpx><rte>" + String(repeating: "<rtept lat='1' lon='1'/>", count: 4) + "</rte></gpx>",
            #"{"type":"LineString","coordinates":[[1,1],[1,1],[1,1],[1,1]]}"#,
        ])
    func tooMany(text: String) {
        let problem = #expect(throws: RouteFileProblem.self) { try read(text, most: 3) }
        #expect(problem?.reason == "more than 3 positions")
        #expect(throws: Never.self) { try read(text, most: 4) }
    }
}
