import FenceFiles
import GeoJSON
import JSON
import Testing

@Suite("coordinates are in WGS 84, or refused") struct ReferenceSystemTests {
    private static let good = [
        "null", #"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#,
        #"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC::CRS84"}}"#,
        #"{"type":"name","properties":{"name":"http://www.opengis.net/def/crs/OGC/1.3/CRS84"}}"#,
        #"{"type":"name","properties":{"name":"https://www.opengis.net/def/crs/OGC/0/CRS84h"}}"#,
        #"{"type":"name","properties":{"name":"EPSG:4326"}}"#,
        #"{"type":"name","properties":{"name":"epsg:4326"}}"#,
        #"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::4326"}}"#,
        #"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG:6.9:4326"}}"#,
        #"{"type":"name","properties":{"name":"urn:x-ogc:def:crs:EPSG:4326"}}"#,
        #"{"type":"name","properties":{"name":"http://www.opengis.net/def/crs/EPSG/0/4326"}}"#,
        #"{"type":"name","properties":{"name":"http://www.opengis.net/gml/srs/epsg.xml#4326"}}"#,
        #"{"type":"name","properties":{"name":"OGC:CRS84"}}"#,
        #"{"type":"name","properties":{"name":"CRS:84"}}"#,
        #"{"type":"name","properties":{"name":"WGS84"}}"#,
        #"{"type":"name","properties":{"name":"WGS 84"}}"#,
        #"{"type":"name","properties":{"name":"GCS_WGS_1984"}}"#,
        #"{"type":"name","properties":{"name":"EPSG:4326 - WGS 84"}}"#,
        #"{"type":"name","properties":{"name":"WGS 84 (EPSG:4326)"}}"#,
        #"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::4979"}}"#,
        #"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::4258"}}"#,
        #"{"type":"EPSG","properties":{"code":4326}}"#,
        #"{"type":"EPSG","properties":{"code":"4326"}}"#,
        #"{"type":"OGC","properties":{"urn":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#,
        #"{"type":"link","properties":{"href":"http://spatialreference.org/ref/epsg/4326/proj4/","type":"proj4"}}"#,
        #"{"wkid":4326}"#, #"{"wkid":4326,"latestWkid":4326}"#,
        #"{"spatialReference":{"wkid":4326}}"#,
        #""EPSG:4326""#, "4326", #"["EPSG:4326","EPSG:5773"]"#,
        #"{"type":"Reference","href":"http://www.opengis.net/def/crs/OGC/1.3/CRS84"}"#,
        #""+proj=longlat +datum=WGS84 +no_defs""#,
        #"{"type":"name","properties":{"name":"+proj=longlat +ellps=WGS84 +towgs84=0,0,0 +no_defs +type=crs"}}"#,
        #"{"init":"epsg:4326"}"#, #"{"authid":"EPSG:4326"}"#,
        #""http://www.opengis.net/def/crs-compound?1=http://www.opengis.net/def/crs/EPSG/0/4326&2=http://www.opengis.net/def/crs/EPSG/0/5773""#,
        #""urn:ogc:def:crs,crs:EPSG:6.12:4326,crs:EPSG:6.12:5773""#,
        #"{"type":"GeographicCRS","name":"WGS 84","id":{"authority":"EPSG","code":4326}}"#,
    ]

    private static let bad = [
        (
            #"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::4301"}}"#,
            "urn:ogc:def:crs:EPSG::4301"
        ),
        (#"{"type":"name","properties":{"name":"EPSG:27700"}}"#, "EPSG:27700"),
        (#"{"type":"name","properties":{"name":"EPSG:3857"}}"#, "EPSG:3857"),
        (#"{"type":"name","properties":{"name":"EPSG:4269"}}"#, "EPSG:4269"),
        (#"{"type":"name","properties":{"name":"EPSG:4978"}}"#, "EPSG:4978"),
        (#"{"type":"name","properties":{"name":"EPSG:27700 - OSGB36"}}"#, "EPSG:27700 - OSGB36"),
        (
            #"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS83"}}"#,
            "urn:ogc:def:crs:OGC:1.3:CRS83"
        ),
        (
            #"{"type":"name","properties":{"name":"WGS 84 / UTM zone 32N"}}"#,
            "WGS 84 / UTM zone 32N"
        ),
        (
            #"{"type":"name","properties":{"name":"WGS 84 / Pseudo-Mercator"}}"#,
            "WGS 84 / Pseudo-Mercator"
        ),
        (#"{"type":"EPSG","properties":{"code":27700}}"#, "27700"),
        (
            #"{"type":"link","properties":{"href":"https://epsg.io/2154.wkt"}}"#,
            "https://epsg.io/2154.wkt"
        ),
        (#"{"wkid":102100,"latestWkid":3857}"#, "102100"),
        (#"{"wkid":4326,"latestWkid":3857}"#, "3857"),
        (#""urn:ogc:def:crs:EPSG::25832""#, "urn:ogc:def:crs:EPSG::25832"), ("31467", "31467"),
        (#""+proj=utm +zone=32 +datum=WGS84""#, "+proj=utm +zone=32 +datum=WGS84"),
        (#""+proj=longlat +ellps=bessel""#, "+proj=longlat +ellps=bessel"),
        (#""+proj=longlat +ellps=WGS84 +towgs84=1,2""#, "+proj=longlat +ellps=WGS84 +towgs84=1,2"),
        (#""+proj=longlat +datum=WGS84 +pm=paris""#, "+proj=longlat +datum=WGS84 +pm=paris"),
        (#"{"crs":{"type":"name","properties":{"name":"EPSG:27700"}}}"#, "EPSG:27700"),
        (#"{"init":"epsg:27700"}"#, "epsg:27700"),
        (
            #""urn:ogc:def:crs,crs:EPSG:6.12:25832,crs:EPSG:6.12:5783""#,
            "urn:ogc:def:crs,crs:EPSG:6.12:25832,crs:EPSG:6.12:5783"
        ),
        (
            #""COMPOUNDCRS[\"a\",PROJCRS[\"b\",BASEGEOGCRS[\"c\",ID[\"EPSG\",4258]],ID[\"EPSG\",25832]],ID[\"EPSG\",5555]]""#,
            #"COMPOUNDCRS["a",PROJCRS["b",BASEGEOGCRS["c",ID["EPSG",4258]],ID["EPSG",25832]],ID["EPSG",5555]]"#
        ),
        (
            #"{"type":"name","properties":{"name":"PROJCS[\"a\",GEOGCS[\"WGS 84\",AUTHORITY[\"EPSG\",\"4326\"]]]"}}"#,
            #"PROJCS["a",GEOGCS["WGS 84",AUTHORITY["EPSG","4326"]]]"#
        ),
    ]

    private static func reason(_ name: String) -> String { ReferenceSystem.flaw(of: name) }

    @Test("WGS 84 in every spelling", arguments: good)
    func accepted(_ member: String) throws {
        #expect(ReferenceSystem.flaw(try JSONValue(parsing: member)) == nil)
        for text in Self.files(member, "crs") {
            #expect(FileContent(text).messages.isEmpty, "\(text)")
        }
    }

    @Test("anything else is refused by its name", arguments: bad)
    func refused(_ member: String, _ name: String) throws {
        #expect(ReferenceSystem.flaw(try JSONValue(parsing: member)) == Self.reason(name))
        for text in Self.files(member, "crs") {
            #expect(FileContent(text).problems.map(\.reason) == [Self.reason(name)], "\(text)")
        }
    }

    @Test(
        "what names none is refused, too",
        arguments: [
            "true", "{}", "[]", #""""#, #"{"type":"name"}"#, #"{"type":"name","properties":{}}"#,
            #"{"type":"name","properties":null}"#, #"{"type":"name","properties":{"name":""}}"#,
        ])
    func nameless(_ member: String) throws {
        let value = try JSONValue(parsing: member)
        let reason =
            "a reference system without a name, \(value.text): leave it out if the coordinates are in "
            + "WGS 84"
        for text in Self.files(member, "crs") {
            #expect(FileContent(text).problems.map(\.reason) == [reason], "\(text)")
        }
    }

    @Test(
        "under other names of the member",
        arguments: ["CRS", "Crs", "srs", "srsName", "srid", "spatialReference"])
    func otherNames(_ key: String) {
        for text in Self.files(#""EPSG:27700""#, key) {
            #expect(
                FileContent(text).problems.map(\.reason) == [Self.reason("EPSG:27700")], "\(text)")
        }
        for text in Self.files("4326", key) {
            #expect(FileContent(text).messages.isEmpty, "\(text)")
        }
    }

    @Test("of two members the one that is not WGS 84 counts")
    func twice() {
        for members in [#""crs":"EPSG:27700","crs":null"#, #""crs":null,"srid":27700"#] {
            let content = FileContent(
                #"{"type":"FeatureCollection",\#(members),"features":[\#(feature())]}"#)
            #expect(content.fences.isEmpty && content.problems.count == 1)
        }
    }

    /// One fence in files that say it in each place where it may stand.
    private static func files(_ member: String, _ key: String) -> [String] {
        let said = "\"\(key)\":\(member)"
        let point = #"{"type":"Point","coordinates":[11.5,48.1],\#(said)}"#
        let whole = feature().dropLast() + ",\(said)}"
        return [
            #"{"type":"FeatureCollection",\#(said),"features":[\#(feature())]}"#,
            #"{"type":"FeatureCollection","features":[],\#(said)}"# + "\n" + feature(),
            #"{\#(said),"type":"FeatureCollection","features":[\#(feature())]}"#,
            String(whole), feature(geometry: point),
            #"{"type":"FeatureCollection","features":[\#(whole)]}"#,
        ]
    }

    @Test("behind the Features it refuses the file, too")
    func behind() {
        let content = FileContent(
            #"{"type":"FeatureCollection","features":[\#(feature())],"crs":"EPSG:27700"}"#)
        #expect(content.problems.map(\.reason) == [Self.reason("EPSG:27700")])
        #expect(content.problems.allSatisfy { $0.isFatal })
    }

    @Test("that of JSON-FG is of the place, beside which a geometry is in WGS 84")
    func places() {
        let system = #""coordRefSys":"http://www.opengis.net/def/crs/EPSG/0/25832""#
        let name = "http://www.opengis.net/def/crs/EPSG/0/25832"
        let placed = feature().dropLast() + #","place":{"type":"Point","coordinates":[6e5,5e6]}}"#
        for text in [
            #"{"type":"FeatureCollection",\#(system),"features":[\#(placed),\#(placed)]}"#,
            #"{"type":"FeatureCollection","features":[\#(placed)],\#(system)}"#,
            String(placed.dropLast() + ",\(system)}"),
        ] {
            #expect(FileContent(text).messages.isEmpty, "\(text)")
        }
        for text in [
            #"{"type":"FeatureCollection",\#(system),"features":[\#(feature())]}"#,
            #"{"type":"FeatureCollection","features":[\#(placed),\#(feature())],\#(system)}"#,
            String(feature().dropLast() + #","place":null,\#(system)}"#),
        ] {
            #expect(FileContent(text).problems.map(\.reason) == [Self.reason(name)], "\(text)")
        }
    }

    @Test("a route, too", arguments: ["EPSG:27700", "EPSG:4326"])
    func route(_ name: String) throws {
        let line = #"{"type":"LineString","coordinates":[[1,2],[3,4]],"crs":"\#(name)"}"#
        for text in [
            line, #"{"type":"Feature","geometry":\#(line)}"#,
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":\#(line)}]}"#,
        ] {
            let places = try? RouteFile.positions(of: Array(text.utf8), most: 9)
            #expect(places?.count == (name == "EPSG:4326" ? 2 : nil), "\(text)")
        }
    }

    @Test("only CRS84 has the longitude first wherever axes count")
    func axes() {
        for name in [
            "<http://www.opengis.net/def/crs/OGC/1.3/CRS84>",
            "http://www.opengis.net/def/crs/OGC/0/CRS84h", "urn:ogc:def:crs:OGC:1.3:CRS84",
            "OGC:CRS84",
        ] {
            #expect(ReferenceSystem.isCRS84(name), "\(name)")
        }
        #expect(!ReferenceSystem.isCRS84("<http://www.opengis.net/def/crs/EPSG/0/4326>"))
    }
}
