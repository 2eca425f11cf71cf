import FenceSync
import JSON
import Testing

@Suite struct PageReaderTests {
    struct Answer: CustomTestStringConvertible, Sendable {
        var file: String
        var shape: PageReader.Shape
        var entries: Int
        var next: String?
        var total: Int?
        var returned: Int?

        var testDescription: String { file }
    }

    static let answers = [
        Answer(
            file: "pyslet-odata2/page1.json.http", shape: .odata, entries: 100,
            next: "http://127.0.0.1:18870/sapgeo/SAPGeoService.xsodata/GeoLocation"
                + "?$skiptoken='wh-00098'", total: 2501),
        Answer(file: "pyslet-odata2/bbox-D.json.http", shape: .odata, entries: 74),
        Answer(file: "olingo/JsonTeamsWithCount.json", shape: .odata, entries: 2, total: 3),
        Answer(file: "olingo/JsonTeamsWithCountWithoutD.json", shape: .odata, entries: 2, total: 3),
        Answer(file: "olingo/JsonTeamsWithoutD.json", shape: .odata, entries: 2),
        Answer(file: "olingo/People.skiptoken.5.full.json", shape: .odata, entries: 1),
        Answer(
            file: "olingo/Customers_InServerMode.json", shape: .odata, entries: 2,
            next: "Customers?$skiptoken=5", total: 2),
        Answer(
            file: "pygeoapi-0.21.0/items-page1.http", shape: .features, entries: 50,
            next: "http://127.0.0.1:18881/collections/fence/items?offset=50&limit=50",
            total: 25_000, returned: 50),
        Answer(
            file: "pygeoapi-0.21.0/items-last.http", shape: .features, entries: 10, total: 25_000,
            returned: 10),
        Answer(
            file: "mapserver-8.0.0/items-page1.cgi", shape: .features, entries: 10,
            next: "http://127.0.0.1:18880/map/ogcapi/collections/fence/items"
                + "?f=json&limit=10&offset=10", total: 18_750, returned: 10),
    ]

    @Test("A page of a real server is read with its count and its next link", arguments: answers)
    func page(_ answer: Answer) throws {
        var json = JSONReader(try Recorded.body(answer.file), limits: PageReader.limits)
        var reader = PageReader(answer.shape)
        var numbers: [Int] = []
        let page = try reader.read(&json) { _, number in numbers.append(number) }
        #expect(page.entries == answer.entries)
        #expect(numbers == Array(0..<answer.entries))
        #expect(page.next == answer.next)
        #expect(page.total == answer.total)
        #expect(page.returned == answer.returned)
        #expect(page.error == nil)
    }

    @Test(
        "An answer without a list of entries is refused",
        arguments: [
            #"{}"#, #"[]"#, #"{"d":{"__metadata":{},"ID":"1"}}"#, #"{"value":3}"#,
            #"{"value":[],"results":[]}"#, #"{"value":[]} x"#, #"{"value":[1"#,
            #"{"value":[],"@odata.nextLink":3}"#,
        ])
    func noPage(_ text: String) {
        #expect(throws: (any Error).self) {
            var json = JSONReader(text)
            var reader = PageReader(.odata)
            _ = try reader.read(&json) { _, _ in }
        }
    }

    @Test(
        "Coordinates in anything but WGS 84 are refused by its name, wherever the page says it",
        arguments: [
            #"{"crs":{"type":"name","properties":{"name":"EPSG:27700"}},"features":[{}]}"#,
            #"{"features":[{}],"crs":{"type":"name","properties":{"name":"EPSG:27700"}}}"#,
            #"{"srsName":"EPSG:27700","features":[{}]}"#, #"{"CRS":"EPSG:27700","features":[{}]}"#,
            #"{"coordRefSys":"EPSG:27700","features":[{"place":null}]}"#,
            #"{"features":[{"place":{}},{}],"coordRefSys":"EPSG:27700"}"#,
        ])
    func reference(_ text: String) {
        let reason =
            "coordinates in EPSG:27700, which is not WGS 84: convert them, as "
            + "ogr2ogr -t_srs EPSG:4326 does"
        #expect(throws: FlawedPage(reason: reason)) {
            var json = JSONReader(text)
            var reader = PageReader(.features)
            _ = try reader.read(&json) { _, _ in }
        }
    }

    @Test(
        "WGS 84 is not, nor what JSON-FG says of places beside a geometry",
        arguments: [
            #"{"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},"features":[{}]}"#,
            #"{"crs":null,"features":[{}]}"#,
            #"{"coordRefSys":"EPSG:27700","features":[{"place":{}}]}"#,
        ])
    func knownReference(_ text: String) throws {
        var json = JSONReader(text)
        var reader = PageReader(.features)
        #expect(try reader.read(&json) { _, _ in }.entries == 1)
    }

    @Test(
        "A part of the set that the server has cut off is no set",
        arguments: [
            #"{"exceededTransferLimit":true,"features":[{}]}"#,
            #"{"features":[{}],"exceededTransferLimit":true}"#,
            #"{"properties":{"exceededTransferLimit":true},"features":[{}]}"#,
        ])
    func part(_ text: String) throws {
        let reason = "a part only: the server has cut the rest off (exceededTransferLimit)"
        #expect(throws: FlawedPage(reason: reason)) {
            var json = JSONReader(text)
            var reader = PageReader(.features)
            _ = try reader.read(&json) { _, _ in }
        }
        let next = #""links":[{"rel":"next","href":"https://a/2"}],"features""#
        for whole in [
            text.replacing("true", with: "false"), text.replacing(#""features""#, with: next),
        ] {
            var json = JSONReader(whole)
            var reader = PageReader(.features)
            #expect(try reader.read(&json) { _, _ in }.entries == 1)
        }
    }

    @Test("Esri JSON is named")
    func esri() {
        #expect(throws: FlawedPage(reason: "Esri JSON, and no GeoJSON: ask with f=geojson")) {
            var json = JSONReader(#"{"geometryType":"esriGeometryPoint","features":[]}"#)
            var reader = PageReader(.features)
            _ = try reader.read(&json) { _, _ in }
        }
    }

    @Test("An error that comes with status 200 is an error")
    func hiddenError() throws {
        var json = JSONReader(#"{"error":{"code":"5","message":{"lang":"en","value":"Away"}}}"#)
        var reader = PageReader(.odata)
        #expect(try reader.read(&json) { _, _ in }.error == "5: Away")
    }

    @Test(
        "What a server says about an error is found in JSON and XML",
        arguments: [
            (
                "pyslet-odata2/bbox.json.http",
                "InvalidSystemQueryOption: Invalid System Query Option: $filter : Illegal literal "
                    + "for Int32: 49.2"
            ),
            (
                "pyslet-odata2/error-404.http",
                "Resource not found: Resource not found for segment "
                    + "'No entity set or service operation with name Nope'"
            ),
            (
                "pygeoapi-0.21.0/error-bbox.http",
                "bbox should be either 4 values (minx,miny,maxx,maxy) or 6 values "
                    + "(minx,miny,minz,maxx,maxy,maxz)"
            ),
            (
                "openui5/TEAMS-UNKNOWN.json",
                "/IWBEP/CM_V4_APPS/002: The requested entity of type 'TEAM' cannot be accessed. "
                    + "It does not exist."
            ),
            ("olingo/badRequest.json", "400: Bad request."),
        ])
    func message(_ file: String, _ text: String) throws {
        #expect(ServerMessage.text(of: try Recorded.body(file)) == text)
    }
}
