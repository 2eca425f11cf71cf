import FenceFiles
import FenceSync
import Formats
import Foundation
import JSON
import Model
import SystemTestKit
import Testing
import Time

/// Every answer in `Data`, of whatever kind: what is no page of a set is never taken for one.
@Suite struct RecordedAnswerTests {
    /// Files that are pages, with the entries of each; of both shapes only one reads it.
    static let pages: [String: Int] = [
        "mapserver-8.0.0/items-bbox.cgi": 10, "mapserver-8.0.0/items-page1.cgi": 10,
        "mapserver-8.0.0/items-page2-same-as-page1.cgi": 10, "odata4j/issue98_payload.json": 2,
        "olingo/Customers.json": 2, "olingo/Customers_InServerMode.json": 2,
        "olingo/JsonTeams.json": 2, "olingo/JsonTeamsWithCount.json": 2,
        "olingo/JsonTeamsWithCountWithoutD.json": 2, "olingo/JsonTeamsWithoutD.json": 2,
        "olingo/JsonWithDeletedEntries.json": 3, "olingo/People.skiptoken.5.full.json": 1,
        "olingo/delta.full.json": 5, "olingo/delta.json": 5, "pygeoapi-0.21.0/items-3857.http": 3,
        "pygeoapi-0.21.0/items-4326.http": 3, "pygeoapi-0.21.0/items-last.http": 10,
        "pygeoapi-0.21.0/items-overlimit.http": 100, "pygeoapi-0.21.0/items-page1.http": 50,
        "pyslet-odata2/bbox-D.json.http": 74, "pyslet-odata2/page1.json.http": 100,
        "pyslet-odata2/quote-key.json.http": 1, "pyslet-odata2/top-skip.json.http": 2,
    ]

    static let files: [String] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Data").path
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return (names ?? []).filter { $0.contains("/") }.sorted()
    }()

    /// Entries of a page; nil for what is none: it is refused, or an error.
    private func entries(_ file: String, _ shape: PageReader.Shape) throws -> Int? {
        var json = JSONReader(try Recorded.body(file), limits: PageReader.limits)
        var reader = PageReader(shape)
        guard let page = try? reader.read(&json, entry: { _, _ in }), page.error == nil else {
            return nil
        }
        return page.entries
    }

    @Test("An answer is a page of the one shape or none, and everything else is refused")
    func everyAnswer() throws {
        #expect(Self.files.count > 50)
        #expect(Set(Self.pages.keys).isSubset(of: Self.files))
        for file in Self.files {
            let found = [try entries(file, .odata), try entries(file, .features)].compactMap(\.self)
            #expect(found == (Self.pages[file].map { [$0] } ?? []), "\(file)")
        }
    }

    @Test(
        "The words of an error are found, however it is written",
        arguments: [
            ("olingo/500error.json", "500: Internal Server Error"),
            ("olingo/500error1.json", "500: Internal Server Error"),
            ("olingo/error.json", "501: Unsupported functionality"),
            (
                "olingo/error.xml",
                "501: Unsupported functionality; $search query option not supported"
            ),
            ("olingo/notFound.json", "501: Unsupported functionality"),
            ("olingo/unsupportedMediaType.json", "Unsupported media type requested."),
            (
                "odata4j/issue202_complex_innererror.xml",
                "An error occurred while processing this request.; The 'VoteTypeId' property on "
                    + "'Vote' could not be set to a 'Byte' value. You must set this property to a "
                    + "non-null value of type 'Int32'."
            ),
            ("pygeoapi-0.21.0/error-collection.http", "Collection not found"),
            ("olingo/xxe.xml", ""),
        ])
    func words(_ file: String, _ words: String) throws {
        #expect(ServerMessage.text(of: try Recorded.body(file)) == words)
    }

    @Test("An entry that says a deletion is not taken for one of the set")
    func deleted() throws {
        for (file, id) in [("JsonWithDeletedEntries", "Id"), ("delta", "CustomerID")] {
            var map = FieldMap()
            map.origins = [.id: .path([id]), .latitude: .constant("1"), .longitude: .constant("1")]
            let writer = FeatureWriter(map, idPrefix: "", shape: .odata)
            var json = JSONReader(try Recorded.body("olingo/\(file).json"))
            var reader = PageReader(.odata)
            var flaws: [FeatureWriter.Flaw] = []
            _ = try reader.read(&json) { entry, _ in
                if case .failure(let flaw) = writer.result(of: entry) { flaws.append(flaw) }
            }
            // Without an id the whole set is refused.
            #expect(
                flaws.contains { $0 == .init(id: nil, reason: "an entry without an id") }, "\(file)"
            )
        }
    }

    @Test(
        "Hours, limits, stops and ends of fences come from a table, a time of OData 2 as ISO 8601")
    func terms() throws {
        var map = FieldMap()
        let origins: [(String, FieldMap.Origin)] = [
            ("Expires", .path(["ChangedAt"])), ("SpeedLimitKmh", .path(["Radius"])),
            ("SpeedUnit", .constant("km/h")), ("StopSec", .constant("2.5")),
            ("MaxStaySec", .constant("3600")), ("Active", .constant("Mo-Fr 06:00-18:00")),
            ("Timezone", .constant("Europe/Berlin")), ("Once", .constant("yes")),
            ("Dwell", .constant("60")),
        ]
        for (name, origin) in origins {
            map.origins[try #require(FieldMap.Field.named(name))] = origin
        }
        let writer = FeatureWriter(map, idPrefix: "", shape: .odata)
        var json = JSONReader(try Recorded.body("pyslet-odata2/top-skip.json.http"))
        var reader = PageReader(.odata)
        var lines: [UInt8] = []
        _ = try reader.read(&json) { entry, _ in lines += try writer.feature(of: entry).line }
        let fence = try #require(try FenceFileReader(lines, name: "the set").next())
        #expect(fence.id == "wh-02498")
        let terms = fence.terms
        #expect(terms.expires == "2018-02-07T00:00:00.000Z")
        #expect(terms.speedLimit == 387.70767360835384 && terms.speedUnit == "km/h")
        #expect(terms.stop == .seconds(2.5) && terms.maxStay == .seconds(3600))
        #expect(terms.active == "Mo-Fr 06:00-18:00" && terms.timezone == "Europe/Berlin")
        #expect(terms.once && fence.dwell == .seconds(60))
    }

    @Test("Every property of all fences has a key, made of its name")
    func everyProperty() {
        let properties = FieldMap.Field.all.compactMap(\.property)
        #expect(
            Set(properties)
                == Set(
                    (FenceProperty.fields + [.radius, .width]).map(\.name.description)))
        for field in FieldMap.Field.all {
            let property = field.property ?? field.name.lowercased()
            #expect(field.name.lowercased() == property.replacing("_", with: ""))
        }
    }

    @Test("A GeographyPoint with a reference system of its own is a fence that the daemon takes")
    func geography() throws {
        var map = FieldMap()
        map.origins = [
            .id: .path(["PersonID"]), .title: .path(["LastName"]), .geometry: .path(["Home"]),
            .radius: .constant("100"),
        ]
        let directory = TemporaryDirectory()
        let spool = try SpoolFile(path: directory.file("set"))
        let writer = FeatureWriter(map, idPrefix: "people/", shape: .odata)
        var json = JSONReader(try Recorded.body("olingo/People.skiptoken.5.full.json"))
        var reader = PageReader(.odata)
        _ = try reader.read(&json) { entry, _ in try spool.write(writer.feature(of: entry).line) }
        #expect(spool.path == directory.file("set"))
        try spool.rewind()
        let file = FenceFileReader(descriptor: spool.descriptor, name: "the set")
        #expect(try file.next() != nil)
        #expect(try file.next() == nil)
    }
}
