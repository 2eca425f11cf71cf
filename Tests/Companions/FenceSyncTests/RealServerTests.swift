import JSON
import SystemTestKit
import Testing

@MainActor
@Suite(.serialized) struct RealServerTests {
    /// 25 fences in pages of 10: taken over, unchanged, one changed, one removed, the server gone.
    private func life(of kind: OfficeServer.Kind) throws {
        let server = try OfficeServer(kind, page: 10)
        let bench = try OfficeBench()
        let pages = kind.hasPages ? 3 : 1
        try server.fill(25)
        let first = try bench.look(server)
        #expect(first.status == 0, "\(first.errors)")
        #expect(try bench.status("state") == "imported", "\(first.errors)")
        #expect(server.requests(kind.inquiries + pages).count == kind.inquiries + pages)
        let set = try bench.catalogue()
        #expect(set.keys.sorted() == (0..<25).map { "office/w" + ($0 < 10 ? "0" : "") + "\($0)" })
        #expect(
            set["office/w03"] == "Warehouse 3 & O'Neill, 50 %|Südtor 3|103|[10.953125,48.03]")

        bench.stopDaemon()
        // The daemon is away: it is not called.
        let second = try bench.look(server)
        #expect(second.status == 0, "\(second.errors)")
        #expect(try bench.status("state") == "unchanged")
        #expect(try bench.status("detail") == (kind.hasPages ? "" : "304"))
        #expect(server.requests(pages).count == pages)
        try bench.startDaemon()

        try server.setRadius("w03", 150)
        try bench.look(server)
        #expect(try bench.status("state") == "imported")
        #expect(try bench.status("detail") == "1 new or changed, 0 removed")
        var changed = set
        changed["office/w03"] = "Warehouse 3 & O'Neill, 50 %|Südtor 3|150|[10.953125,48.03]"
        #expect(try bench.catalogue() == changed)

        try server.remove("w07")
        try bench.look(server)
        #expect(try bench.status("state") == "imported")
        #expect(try bench.status("fences") == "24")
        changed["office/w07"] = nil
        #expect(try bench.catalogue() == changed)

        server.stop()
        #expect(try bench.look(server).status == 1)
        #expect(try bench.status("state") == "no-network")
        #expect(try bench.catalogue() == changed)
    }

    @Test(
        "A set on a real server is taken over whole, followed, and kept when the server is gone",
        .needs(.servers), arguments: [OfficeServer.Kind.odata2, .odata4, .file])
    func servers(_ kind: OfficeServer.Kind) throws { try life(of: kind) }

    @Test("The same of pygeoapi over PostGIS", .needs(.servers), .needs(.postgis))
    func postgis() throws { try life(of: .postgis) }

    @Test("The same of a file on nginx, by its ETag", .needs(.nginx))
    func document() throws { try life(of: .document) }

    @Test("The same of a Web Feature Service by MapServer", .needs(.mapserver))
    func featureService() throws { try life(of: .wfs) }

    @Test(
        "A set that is a page, and unchanged, costs one request", .needs(.servers),
        arguments: [OfficeServer.Kind.odata2, .odata4, .file])
    func onePage(_ kind: OfficeServer.Kind) throws {
        let server = try OfficeServer(kind, page: 100)
        let bench = try OfficeBench()
        try server.fill(25)
        try bench.look(server)
        #expect(server.requests(kind.inquiries + 1).count == kind.inquiries + 1)
        #expect(try bench.look(server).status == 0)
        #expect(try bench.status("state") == "unchanged")
        #expect(server.requests(1).count == 1)
    }

    @Test("Pages without links are asked for in the order of the key", .needs(.servers))
    func byHand() throws {
        let server = try OfficeServer(.odata4, page: 10, "no-links")
        let bench = try OfficeBench()
        try server.fill(25)
        let run = try bench.look(server, "PageSize=10")
        #expect(try bench.status("state") == "imported", "\(run.errors)")
        #expect(try bench.status("fences") == "25")
        let requests = server.requests(5)
        #expect(requests.count == 5)
        #expect(requests.last?.contains("$orderby=ID&$top=10&$skip=20") == true, "\(requests)")
    }

    @Test(
        "A filter arrives as it was written, and the parser of the server reads it",
        .needs(.servers),
        arguments: [
            (OfficeServer.Kind.odata2, "Radius ge 120D", 5),
            (.odata2, "startswith(Title,'Warehouse 1') eq true", 11),
            (.odata2, "substringof('Südtor 2',Description) eq true", 6),
            (.odata2, "Title eq 'Warehouse 3 & O''Neill, 50 %'", 1),
            (.odata4, "Radius ge 120", 5),
            (.odata4, "startswith(Title,'Warehouse 1')", 11),
            (.odata4, "contains(Description,'Südtor 2')", 6),
            (.odata4, "Title eq 'Warehouse 3 & O''Neill, 50 %'", 1),
        ])
    func filter(_ kind: OfficeServer.Kind, _ filter: String, _ count: Int) throws {
        let server = try OfficeServer(kind)
        let bench = try OfficeBench()
        try server.fill(25)
        let run = try bench.look(server, query: "Filter=\(filter)")
        #expect(try bench.status("state") == "imported", "\(run.errors)")
        #expect(try bench.catalogue().count == count)
    }

    /// What is near the vehicle, and no more, with the box of 4 km around it asked of the server.
    /// - Parameter longitude: of the vehicle, at 48.17° N.
    private func near(_ kind: OfficeServer.Kind, _ longitude: Double) throws {
        let server = try OfficeServer(kind)
        let bench = try OfficeBench()
        // w17 is where the vehicle is.
        try server.fill(25, 48, longitude + 17.0 / 64)
        try bench.stand(48.17, longitude)
        let query = "ReachM=3km\nMaxRadiusM=1km\nQueryGridDeg=0.001"
        waitUntil(seconds: 30) {
            (try? bench.look(server, "Mode=nearby", query: query))?.status == 0
        }
        #expect(try bench.status("detail") == "8 new or changed, 0 removed")
        // 4 km are 0.036° of latitude and 0.054° of longitude: three each way.
        #expect(
            try bench.catalogue().keys.sorted()
                == (14...20).map { "office/w\($0)" } + ["source/office/metafence"])
    }

    @Test(
        "A server is asked for what is near the vehicle, also across 180°, and gives it",
        .needs(.servers), arguments: [OfficeServer.Kind.odata2, .odata4], [10.5, -179.999])
    func nearby(_ kind: OfficeServer.Kind, _ longitude: Double) throws {
        try near(kind, longitude)
    }

    @Test(
        "Near the vehicle, of pygeoapi over PostGIS", .needs(.servers), .needs(.postgis),
        arguments: [10.5, -179.999])
    func nearbyPostGIS(_ longitude: Double) throws { try near(.postgis, longitude) }

    @Test(
        "What the parser of the server refuses is told in its words, and the set stays",
        .needs(.servers),
        arguments: [
            (OfficeServer.Kind.odata2, "Latitude ge 49.2", "Illegal literal for Int32"),
            (.odata4, "Radius gee 3", "ParsingException"),
        ])
    func refused(_ kind: OfficeServer.Kind, _ filter: String, _ words: String) throws {
        let server = try OfficeServer(kind)
        let bench = try OfficeBench()
        try server.fill(25)
        try bench.look(server)
        let run = try bench.look(server, query: "Filter=\(filter)")
        #expect(run.status == 1)
        #expect(try bench.status("state") == "refused")
        let detail = try bench.status("detail")
        #expect(detail.contains(words), "\(detail)")
        #expect(try bench.catalogue().count == 25)
    }
}
