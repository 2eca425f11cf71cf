import FenceSync
import JSON
import SystemTestKit
import Testing

@Suite struct DeltaEntryTests {
    private func entries(_ file: String) throws -> [JSONValue] {
        var json = JSONReader(try Recorded.body("olingo/\(file)"))
        var reader = PageReader(.odata)
        var entries: [JSONValue] = []
        let page = try reader.read(&json) { entry, _ in entries.append(entry) }
        #expect(page.delta == "Customers?$expand=Orders&$deltatoken=8015")
        return entries
    }

    @Test("A recorded answer is understood entry by entry")
    func recorded() throws {
        let entries = try entries("delta.json")
        try #require(entries.count == 5)
        func read(_ number: Int) throws -> DeltaEntry {
            try DeltaEntry(entries[number], of: "Customers", key: ["CustomerID"])
        }
        // Customers('BOTTM')', with a quotation mark too many, is not an id.
        #expect(throws: FlawedPage.self) { try read(0) }
        #expect(try read(1) == .relation)
        #expect(try read(2) == .relation)
        #expect(throws: FlawedPage.self) { try read(3) }
        #expect(try read(4) == .removed("ANTON"))
    }

    @Test(
        "A removed entry is identified by its key, however that is written",
        arguments: [
            (#"{"@removed":{"reason":"deleted"},"ID":"w03"}"#, JSONValue.string("w03")),
            (#"{"@removed":{"reason":"changed"},"@id":"Place('w03')"}"#, "w03"),
            (#"{"@odata.removed":{},"@odata.id":"https://h/svc(1)/Place('O''Neill')"}"#, "O'Neill"),
            (#"{"@removed":{},"@id":"Place('S%C3%BCd%2F3')"}"#, "Süd/3"),
            (#"{"@removed":{},"@id":"Place('%CC%81x''%CC%81')"}"#, "\u{301}x'\u{301}"),
            (#"{"@removed":{},"@id":"Place(7)"}"#, 7),
            (#"{"@removed":{},"@id":"Place(Land='DE',ID='w03')"}"#, "w03"),
            (
                #"{"@odata.context":"http://h/svc/$metadata#Place/$deletedEntity","id":"Place('a')"}"#,
                "a"
            ),
        ])
    func removed(_ entry: String, _ key: JSONValue) throws {
        let value = try JSONValue(parsing: entry)
        #expect(try DeltaEntry(value, of: "Place", key: ["ID"]) == .removed(key))
    }

    @Test("A changed entry has its key, if necessary from its id")
    func changed() throws {
        let whole: JSONValue = ["ID": "w03", "Radius": 5]
        #expect(try DeltaEntry(whole, of: "Place", key: ["ID"]) == .changed(whole))
        let part: JSONValue = ["@odata.id": "Place('w03')", "Radius": 5]
        guard case .changed(let entity) = try DeltaEntry(part, of: "Place", key: ["ID"]) else {
            Issue.record("no change")
            return
        }
        #expect(entity["ID"] == "w03")
        #expect(entity["Radius"] == 5)
    }

    @Test(
        "A change that cannot be assigned makes the answer invalid",
        arguments: [
            "[]", #"{"@removed":{}}"#, #"{"Radius":5}"#, #"{"@removed":{},"@id":"Place"}"#,
            #"{"@removed":{},"@id":"Place('w03"}"#, #"{"@removed":{},"@id":"Place('w'03')"}"#,
            #"{"@removed":{},"@id":"Place('%FF')"}"#, #"{"@removed":{},"@id":"Place(Land='DE')"}"#,
            #"{"@removed":{},"@id":"Place()"}"#, #"{"@removed":{},"@id":"Place('')"}"#,
            ##"{"@context":"#Other/$entity","ID":"w03"}"##,
        ])
    func unknown(_ entry: String) throws {
        let value = try JSONValue(parsing: entry)
        #expect(throws: FlawedPage.self) { try DeltaEntry(value, of: "Place", key: ["ID"]) }
    }

    @Test("Members that a change lacks stay as they were, and null members are removed")
    func former() throws {
        var map = FieldMap()
        map.metadata = [["Plant"], ["Address", "City"]]
        let writer = FeatureWriter(map, idPrefix: "p/", shape: .odata)
        let whole = try JSONValue(
            parsing: #"{"ID":"a","Title":"Gate","Description":"North","Latitude":"48.5","#
                + #""Longitude":11,"Radius":"50","Plant":7,"Address":{"City":"Ulm"}}"#)
        let first = try writer.feature(of: whole).line
        let was = try JSONValue(parsing: first)
        #expect(try writer.feature(of: ["ID": "a"], former: was).line == first)
        let change: JSONValue = [
            "ID": "a", "Longitude": 12, "Radius": 60, "Description": .null, "Address": .null,
        ]
        let line = String(
            decoding: try writer.feature(of: change, former: was).line.dropLast(), as: UTF8.self)
        #expect(
            line == #"{"type":"Feature","id":"p/a","geometry":{"type":"Point","coordinates":"#
                + #"[12,48.5]},"properties":{"Plant":7,"title":"Gate","radius":60}}"#)
    }

    @Test("Changes are fetched between two full downloads, if there is a link")
    func due() {
        var state = SourceState()
        (state.sum, state.deltaLink, state.version, state.wholeAt) = ("x", "http://h/d", 4, 9_000)
        func mayAsk(_ now: Int64) -> Bool {
            SyncSchedule.mayAskForChanges(state, fullEvery: 600, now: now)
        }
        #expect(mayAsk(9_000) && mayAsk(9_599))
        #expect(!mayAsk(9_600) && !mayAsk(8_999))
        state.deltaLink = ""
        #expect(!mayAsk(9_100))
        (state.deltaLink, state.sum) = ("http://h/d", "")
        #expect(!mayAsk(9_100))
    }
}

/// The server of OData 4 of the tests, which tracks changes.
@MainActor
@Suite(.serialized, .needs(.servers)) struct DeltaTests {
    private static let query = "TrackChanges=yes"

    @Test(
        "Only changes are fetched, in one request, as whole entities or in part",
        arguments: ["track", "track-part"])
    func changes(_ option: String) throws {
        let server = try OfficeServer(.odata4, page: 10, option)
        let bench = try OfficeBench()
        try server.fill(25)
        let first = try bench.look(server, query: Self.query)
        #expect(try bench.status("state") == "imported", "\(first.errors)")
        #expect(server.requests(4).count == 4)
        let set = try bench.catalogue()
        #expect(set.count == 25)

        bench.stopDaemon()
        // Nothing has changed, and the daemon is not called.
        let second = try bench.look(server, query: Self.query)
        #expect(second.status == 0, "\(second.errors)")
        #expect(try bench.status("state") == "unchanged")
        #expect(try bench.status("detail") == "no changes")
        let asked = server.requests(1)
        #expect(asked.count == 1 && asked[0].contains("deltatoken"), "\(asked)")
        try bench.startDaemon()

        try server.setRadius("w03", 150)
        try server.remove("w07")
        try bench.look(server, query: Self.query)
        #expect(try bench.status("detail") == "1 new or changed, 1 removed")
        #expect(try bench.status("fences") == "24")
        var changed = set
        changed["office/w03"] = "Warehouse 3 & O'Neill, 50 %|Südtor 3|150|[10.953125,48.03]"
        changed["office/w07"] = nil
        #expect(try bench.catalogue() == changed)
        #expect(server.requests(1).count == 1)

        // A flawed entry keeps its former version.
        try server.setRadius("w05", -5)
        let flawed = try bench.look(server, query: Self.query)
        #expect(try bench.status("state") == "imported", "\(flawed.errors)")
        #expect(flawed.errors.contains("office/w05"))
        #expect(try bench.catalogue() == changed)
        #expect(server.requests(1).count == 1)
    }

    @Test("Several pages of changes are read; too many removals wait for confirmation")
    func many() throws {
        let server = try OfficeServer(.odata4, page: 5, "track")
        let bench = try OfficeBench()
        try server.fill(25)
        try bench.look(server, query: Self.query)
        #expect(server.requests(6).count == 6)
        for number in 10..<22 { try server.setRadius("w\(number)", 200) }
        try bench.look(server, query: Self.query)
        #expect(try bench.status("detail") == "12 new or changed, 0 removed")
        #expect(server.requests(3).count == 3)
        let before = try bench.catalogue()
        for number in 10..<23 { try server.remove("w\(number)") }
        try bench.look(server, query: Self.query)
        #expect(try bench.status("state") == "held")
        #expect(try bench.catalogue() == before)
    }

    @Test("After a link that the server has forgotten the full set is fetched")
    func whole() throws {
        let server = try OfficeServer(.odata4, page: 10, "track-forget")
        let bench = try OfficeBench()
        try server.fill(25)
        try bench.look(server, query: Self.query)
        #expect(server.requests(4).count == 4)
        try server.remove("w07")
        let run = try bench.look(server, query: Self.query)
        #expect(try bench.status("state") == "imported", "\(run.errors)")
        #expect(try bench.status("fences") == "24")
        // The link, then three pages; the version of OData was known.
        #expect(server.requests(4).count == 4)
    }
}
