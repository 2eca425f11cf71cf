import JSON
import PostgreSQL
import Testing

@testable import Ingesting
@testable import LiveBoard

/// What the map of the board is made of, with Debian's PostgreSQL.
@MainActor
@Suite("The map of a fleet's board", .serialized)
struct BoardMapTests {
    private func settings() -> BoardSettings {
        var settings = BoardSettings()
        settings.userHeader = "X-Remote-User"
        return settings
    }

    private func json(_ bench: BoardBench, _ path: String, _ user: String) throws -> JSONValue {
        let (status, body) = try bench.get(path, "X-Remote-User: \(user)")
        try #require(status == "200", "\(body)")
        return try JSONValue(parsing: body)
    }

    /// Publishes fences: id and geometry of each.
    private func publish(
        _ bench: BoardBench, _ tenant: String, hash: String = "h", _ fences: (String, String)...
    ) throws {
        _ = try bench.database.run(
            """
            INSERT INTO fleet.published_set SELECT id, 'o', $1, clock_timestamp() FROM fleet.tenant
                WHERE name = $2
            """, [hash, tenant])
        for (id, geometry) in fences {
            _ = try bench.database.run(
                """
                INSERT INTO fleet.fence SELECT id, 'o', $1, $2, $2, $3::jsonb, '{"radius":90}'
                    FROM fleet.tenant WHERE name = $4
                """, [hash, id, geometry, tenant])
        }
    }

    private func ring(_ corners: Int) -> String {
        "[" + (0..<corners).map { "[\($0),\(Double($0) / 1e9)]" }.joined(separator: ",") + "]"
    }

    @Test("each one sees the areas and the vehicles of his tenant alone")
    func tenants() throws {
        let bench = try BoardBench()
        try bench.serve(settings())
        try publish(bench, "acme", ("wh", #"{"type":"Point","coordinates":[8.64,49.3]}"#))
        try publish(bench, "other", ("secret", #"{"type":"Point","coordinates":[1,2]}"#))
        let told = #"{"latitude":49.5,"longitude":8.5}"#
        try bench.event("acme", "a2", 1, "exit", title: "W", details: told)
        try bench.event("other", "o2", 1, "exit", title: "S", details: told)
        let areas = try json(bench, "/v1/areas", "reader")
        let row = try #require(areas["areas"]?.array?.first?.array)
        #expect(areas["areas"]?.array?.count == 1 && areas["more"]?.integer == 0)
        #expect(row[0].string == "acme" && row[1].string == "wh" && row[3].double == 90)
        #expect(row[5].string == "Point" && row[6].array?[0].array?[0].array?[0].double == 8.64)
        let last = try json(bench, "/v1/last", "reader")
        let vehicle = try #require(last["vehicles"]?.array?.first?.array)
        #expect(last["vehicles"]?.array?.count == 1 && vehicle[1].string == "a2")
        #expect(vehicle[4] == .bool(false) && vehicle[6].double == 49.5)
        for path in ["/v1/areas", "/v1/last"] {
            let theirs = try bench.get(path, "X-Remote-User: we\"ird").body
            #expect(theirs.contains("other") && !theirs.contains("acme"), "\(theirs)")
        }
    }

    @Test("a position that a vehicle did not send is in no answer")
    func notTold() throws {
        let bench = try BoardBench()
        try bench.serve(settings())
        try publish(bench, "acme", ("wh", #"{"type":"Point","coordinates":[8.64,49.3]}"#))
        for (box, details) in [
            ("a2", "{}"), ("a3", #"{"latitude":91,"longitude":0}"#),
            ("a4", #"{"latitude":"49.3","longitude":8}"#), ("a5", #"{"latitude":49.3}"#),
        ] { try bench.event("acme", box, 1, "exit", title: "W", details: details) }
        let vehicles = try json(bench, "/v1/last", "reader")["vehicles"]?.array ?? []
        #expect(vehicles.count == 4)
        #expect(vehicles.allSatisfy { $0[6] == .null && $0[7] == .null }, "\(vehicles)")
    }

    @Test(
        "a position that a vehicle has told since then is where it is, also of one without any event"
    )
    func between() throws {
        let bench = try BoardBench()
        try bench.serve(settings())
        try bench.event("acme", "a2", 1, "exit", title: "W", details: "{}")
        try bench.database.runAll(
            """
            INSERT INTO fleet.box (tenant, name) SELECT id, 'new' FROM fleet.tenant WHERE name = 'acme';
            SELECT fleet.note_positions('{acme,acme}', '{a2,new}', ARRAY[now(), now()], '{49.5,50}',
                '{8.5,9}', '{5,5}', '{NULL,NULL}', '{NULL,NULL}')
            """)
        let vehicles = try json(bench, "/v1/last", "reader")["vehicles"]?.array ?? []
        let known = Dictionary(uniqueKeysWithValues: vehicles.map { ($0[1]?.string ?? "", $0) })
        #expect(known.count == 2, "\(vehicles)")
        let (left, new) = (try #require(known["a2"]), try #require(known["new"]))
        #expect(left[6]?.double == 49.5)
        #expect((left[8]?.integer ?? 0) >= (left[5]?.integer ?? .max))
        #expect(new[2] == .null && new[4] == .null && new[7]?.double == 9)
    }

    @Test("an outline of any size has a hundred corners at most, and what is no outline none")
    func corners() throws {
        let bench = try BoardBench()
        try bench.serve(settings())
        try publish(
            bench, "acme", ("a-small", #"{"type":"Polygon","coordinates":[\#(ring(100))]}"#),
            ("b-large", #"{"type":"Polygon","coordinates":[\#(ring(100_000)),\#(ring(5))]}"#),
            (
                "c-parts",
                #"{"type":"MultiPolygon","coordinates":[[\#(ring(4))],[\#(ring(4)),\#(ring(4))]]}"#
            ),
            ("d-way", #"{"type":"LineString","coordinates":\#(ring(3))}"#),
            ("e-null", "null"), ("f-none", #"{"type":"Polygon"}"#),
            ("g-other", #"{"type":"Polygon","coordinates":{"a":[1]}}"#),
            ("h-text", #"{"type":"Polygon","coordinates":[[["x",null],7,[1e300,2]]]}"#),
            ("i-far", #"{"type":"LineString","coordinates":[[1e131000,-1e99],[190,5],[541,-541]]}"#)
        )
        let rows = try json(bench, "/v1/areas", "reader")["areas"]?.array ?? []
        let rings = Dictionary(
            uniqueKeysWithValues: rows.map { ($0[1]?.string ?? "", $0[6]?.array ?? []) })
        #expect(rings["a-small"]?.map { $0.array?.count } == [100])
        let large = try #require(rings["b-large"])
        #expect(large.count == 1 && (90...100).contains(large[0].array?.count ?? 0))
        #expect(rings["c-parts"]?.map { $0.array?.count } == [4, 4, 4])
        #expect(rings["d-way"]?.map { $0.array?.count } == [3])
        #expect(rings["f-none"]?.isEmpty == true)
        // Elsewhere than on the earth: a page would count meridians up to there.
        #expect(
            rings["i-far"]?.first?.array?.map { $0.array?.map(\.double) ?? [] } == [
                [nil, nil], [190, 5], [nil, nil],
            ])
        #expect(rings["h-text"]?.first?.array?.first?.array?.first == .null)
    }

    @Test("of many places those are first where somebody is, and the others are counted")
    func many() throws {
        let bench = try BoardBench()
        try bench.serve(settings())
        try publish(bench, "acme", ("wh", #"{"type":"Point","coordinates":[8,49]}"#))
        try bench.database.runAll(
            """
            INSERT INTO fleet.fence SELECT id, 'o', 'h', 'a-' || n, 'A',
                '{"type":"Point","coordinates":[8,49]}', '{"radius":90}'
                FROM fleet.tenant, generate_series(1, 2100) AS n WHERE name = 'acme';
            UPDATE fleet.fence SET properties = '{"limits":{}}' WHERE id NOT IN ('wh', 'a-77')
            """)
        let areas = try json(bench, "/v1/areas", "reader")
        #expect(areas["more"]?.integer == 101 && areas["areas"]?.array?.count == 2000)
        #expect(areas["areas"]?.array?.first?[1]?.string == "wh")
        #expect(areas["areas"]?.array?[1][1]?.string == "a-77", "a low bridge is the last")
    }

    @Test("a fence of two sets is drawn as it was published last")
    func newest() throws {
        let bench = try BoardBench()
        try bench.serve(settings())
        for (hash, place) in [("h1", 1), ("h2", 2), ("h0", 3)] {
            try publish(
                bench, "acme", hash: hash, ("wh", #"{"type":"Point","coordinates":[\#(place),0]}"#))
        }
        let before = try json(bench, "/v1/last", "reader")["published"]
        let row = try json(bench, "/v1/areas", "reader")["areas"]?.array?.first
        #expect(row?[6]?[0]?[0]?[0]?.double == 3)
        #expect(before?.array?.count == 3)
    }
}
