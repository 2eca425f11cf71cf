import PostgreSQL
import SystemTestKit
import Testing

@testable import Ingesting

extension DatabaseTests {
    private static let set = """
        {"type":"FeatureCollection","origin":"source/places","hash":"HASH","features":[
        {"type":"Feature","id":"wh","geometry":{"type":"Point","coordinates":[8.64,49.3]},"properties":{"title":"O'Hara \\"W\\"","radius":150}},
        {"type":"Feature","id":"yard","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},"properties":{"max_stay_sec":3600}},
        {"type":"Feature","id":"dock","geometry":null,"properties":{"beacon":{"uuid":"x"}}}
        ]}

        """

    private func load(_ hash: String, _ text: String = Self.set) throws -> String {
        let directory = TemporaryDirectory()
        let path = directory.write(
            text.replacing("HASH", with: hash), to: "set.geojson")
        return try PublishedSet(path: path).store(in: database, tenant: "acme")
    }

    private func rows(_ sql: String) throws -> [[String?]] { try database.run(sql).values }

    @Test("a published set is stored once, and the area of a fence is that published last")
    func published() throws {
        #expect(try load("h1") == "source/places: 3 fences of set h1; 0 old sets deleted")
        _ = try load("h1")
        #expect(try rows("SELECT count(*) FROM fleet.fence") == [["3"]])
        _ = try load("h2", Self.set.replacing("150", with: "200"))
        #expect(
            try rows("SELECT fence, title, radius, hash FROM fleet.area ORDER BY 1") == [
                ["dock", nil, nil, "h2"], ["wh", "O'Hara \"W\"", "200", "h2"],
                ["yard", nil, nil, "h2"],
            ])
        // A set that a box has stays, and so does one that is new; the others go with the events.
        try note(
            #"{"online":true,"origins":{"source/places":{"hash":"h1","state":"imported","fences":3}}}"#,
            of: "b1")
        // It is parked meanwhile.
        try note(#"{"v":1,"online":false}"#, of: "b1")
        _ = try database.run(
            "UPDATE fleet.published_set SET published = now() - interval '100 days'")
        #expect(try load("h3").hasSuffix("1 old sets deleted"))
        #expect(
            try rows("SELECT hash FROM fleet.published_set ORDER BY 1") == [["h1"], ["h3"]])
        #expect(try rows("SELECT count(*) FROM fleet.fence WHERE hash = 'h2'") == [["0"]])
    }

    @Test(
        "a file that is no set is named with its line, and nothing of it is stored",
        arguments: [
            ("[]", "set.geojson"),
            (#"{"type":"FeatureCollection","features":[]}"#, "no origin and hash"),
            (
                #"{"features":[{}],"origin":"a","hash":"b"}"#,
                "no origin and hash before its features"
            ),
            (
                "{\"origin\":\"a\",\"hash\":\"b\",\"features\":[\n{\"id\":\"\"}]}",
                "line 2: no Feature"
            ),
            (
                #"{"origin":"a","hash":"b","features":[{"id":"x","geometry":3,"properties":{}}]}"#,
                "no Feature"
            ),
            (#"{"origin":"a","hash":"b","features":["#, "set.geojson"),
        ])
    func flawed(_ text: String, _ why: String) throws {
        let error = #expect(throws: PublishedSet.Flaw.self) { try load("h", text) }
        #expect(error?.description.contains(why) == true, "\(error?.description ?? "")")
        #expect(try rows("SELECT count(*) FROM fleet.published_set") == [["0"]])
    }

    @Test("what the database does not take is stored by no half, and a tenant must be there")
    func whole() throws {
        let bad = Self.set.replacing("\"wh\"", with: "\"w\\u0000\"")
        #expect(throws: DatabaseError.self) { try load("h1", bad) }
        #expect(try rows("SELECT count(*) FROM fleet.published_set") == [["0"]])
        let directory = TemporaryDirectory()
        let path = directory.write(Self.set, to: "set.geojson")
        #expect(throws: DatabaseError.self) {
            try PublishedSet(path: path).store(in: database, tenant: "nobody")
        }
    }

    @Test("where a box was last: its own position if that was told, else the place")
    func lastPlaces() throws {
        _ = try load("h1")
        let told = ",\"latitude\":49.5,\"longitude\":8.5"
        _ = try take(try row(1, after: 0, "enter", minutesAgo: 30, members: told, box: "b1"))
        _ = try take(try row(1, after: 0, "enter", minutesAgo: 20, box: "b2"))
        _ = try take(
            try row(
                1, after: 0, "enter", minutesAgo: 10,
                members: ",\"latitude\":\"x\",\"longitude\":1e300", box: "b3"))
        _ = try take(try row(2, after: 1, "exit", minutesAgo: 5, stay: 300, box: "b3"))
        #expect(
            try rows(
                "SELECT box, fence, inside, latitude, longitude, told FROM fleet.last_place ORDER BY 1"
            ) == [
                ["b1", "wh", "t", "49.5", "8.5", "t"], ["b2", "wh", "t", "49.3", "8.64", "f"],
                ["b3", "wh", "f", nil, nil, "f"],
            ])
        _ = try database.run("SELECT fleet.retire('b2')")
        #expect(try rows("SELECT count(*) FROM fleet.last_place") == [["2"]])
    }

    @Test(
        "a position between events counts from the latest coming or going on, and never goes back")
    func positions() throws {
        _ = try take(try row(1, after: 0, "enter", minutesAgo: 30, box: "b1"))
        func tell(_ box: String, minutesAgo: Int, _ latitude: Double, tenant: String = "acme")
            throws
        {
            _ = try database.run(
                "SELECT fleet.note_positions($1::text[], $2::text[], "
                    + "ARRAY[now() - $3::int * interval '1 minute'], $4::float8[], '{8}', '{5}', '{NULL}', "
                    + "'{90}')", ["{\(tenant)}", "{\(box)}", "\(minutesAgo)", "{\(latitude)}"])
        }
        func place() throws -> [[String?]] {
            try rows(
                "SELECT box, fence, latitude, told, error_m, speed_mps, located > since "
                    + "FROM fleet.last_place")
        }
        // Of before it came: where it is now, the event says better.
        try tell("b1", minutesAgo: 31, 49)
        #expect(try place() == [["b1", "wh", nil, "f", nil, nil, nil]])
        try tell("b1", minutesAgo: 10, 50)
        // Late, of a box or a tenant that is not there, and of a clock that is a week ahead.
        try tell("b1", minutesAgo: 20, 51)
        try tell("b2", minutesAgo: 1, 52)
        try tell("b1", minutesAgo: 1, 53, tenant: "nobody")
        try tell("b1", minutesAgo: -7 * 1440, 54)
        #expect(try place() == [["b1", "wh", "50", "t", "5", nil, "t"]])
        // A clock that was ahead for a moment does not stop it.
        try tell("b1", minutesAgo: -60, 55)
        try tell("b1", minutesAgo: 5, 56)
        #expect(try place() == [["b1", "wh", "56", "t", "5", nil, "t"]])
        _ = try database.run("SELECT fleet.forget('b1')")
        #expect(try rows("SELECT count(*) FROM fleet.position") == [["0"]])
    }

    @Test("a time that PostgreSQL reads otherwise, or not at all, is no obstacle to other boxes")
    func strangeTimes() throws {
        let times = [
            "2026-11-22T06:41:07." + String(repeating: "1", count: 500) + "Z",
            "2026-11-22T06:41:07,5Z", "2026-11-22T06:41:07+23:59", "2026-11-22T24:59:60Z",
            "2026-11-22T06:41:07z", "2026-11-22 06:41:07", "1700-01-01T00:00:00Z",
        ]
        var queue = PositionQueue()
        for (index, time) in times.enumerated() {
            _ = try take(try row(1, after: 0, "dwell", box: "b\(index)"))
            let text = #"{"position":{"time":"\#(time)","latitude":1,"longitude":2}}"#
            let topic = try #require(BoxTopic("gf/1/acme/b\(index)/position"))
            #expect(queue.add(Array(text.utf8), from: topic) == nil, "\(time)")
        }
        // A time without an offset is in UTC, wherever the server is.
        try database.runAll("SET TimeZone = 'Asia/Tokyo'")
        let arrays = queue.next()
        _ = try database.run(PositionQueue.sql, try #require(arrays))
        #expect(
            try rows(
                """
                SELECT b.name, to_char(at AT TIME ZONE 'UTC', 'MM-DD HH24:MI:SS.MS')
                FROM fleet.position p JOIN fleet.box b ON b.id = p.box ORDER BY 1
                """) == [
                    ["b0", "11-22 06:41:07.111"], ["b1", "11-22 06:41:07.500"],
                    ["b2", "11-21 06:42:07.000"], ["b3", "11-23 01:00:00.000"],
                    ["b4", "11-22 06:41:07.000"], ["b5", "11-22 06:41:07.000"],
                    ["b6", "01-01 00:00:00.000"],
                ])
    }

    @Test("a clock that was wrong at one event does not hide where the box has been since")
    func wrongClock() throws {
        _ = try take(try row(1, after: 0, "exit", fence: "far", minutesAgo: -20_000_000, stay: 1))
        func tell() throws {
            _ = try database.run(
                "SELECT fleet.note_positions('{acme}', '{b1}', ARRAY[now()], '{50}', '{8}', '{5}', "
                    + "'{NULL}', '{NULL}')")
        }
        func place() throws -> [[String?]] {
            try rows("SELECT fence, inside, latitude, told FROM fleet.last_place")
        }
        try tell()
        #expect(try place() == [["far", "f", "50", "t"]])
        _ = try take(try row(2, after: 1, "enter", fence: "wh", minutesAgo: -1))
        _ = try take(try row(3, after: 2, "exit", fence: "wh", minutesAgo: 10, stay: 1))
        #expect(try place() == [["wh", "f", "50", "t"]])
    }

    @Test("a size that is no number hides no other place")
    func strangeSizes() throws {
        for size in [#""1.2.3""#, #"".""#, #""""#, "1e300", "-5", "[1]"] {
            _ = try load("h\(size.utf8.count)", Self.set.replacing("150", with: size))
            #expect(
                try rows("SELECT fence, radius FROM fleet.area ORDER BY 1") == [
                    ["dock", nil], ["wh", nil], ["yard", nil],
                ], "\(size)")
        }
        _ = try load("last", Self.set.replacing("150", with: "150.25"))
        #expect(try rows("SELECT radius FROM fleet.area WHERE fence = 'wh'") == [["150.25"]])
    }

    @Test("a reader has the areas and places of its tenants, and a keeper may publish")
    func rights() throws {
        _ = try Questions.setUp(database, tenant: "other", retention: nil)
        _ = try load("h1")
        _ = try take(try row(1, after: 0, "enter"))
        _ = try database.run(
            "SELECT fleet.note_positions('{acme}', '{b1}', ARRAY[now()], '{1}', '{2}', '{3}', '{4}', '{5}')"
        )
        try database.runAll(
            """
            CREATE ROLE seer IN ROLE fleet_reader; CREATE ROLE stranger IN ROLE fleet_reader;
            CREATE ROLE publisher IN ROLE fleet_keeper;
            INSERT INTO fleet.access SELECT r, id FROM fleet.tenant,
                unnest('{seer,publisher}'::text[]) r WHERE name = 'acme';
            INSERT INTO fleet.access SELECT 'stranger', id FROM fleet.tenant WHERE name = 'other'
            """)
        for (role, count) in [("seer", "3"), ("stranger", "0")] {
            try database.runAll("SET ROLE \(role)")
            #expect(try rows("SELECT count(*) FROM fleet.area") == [[count]])
            for relation in ["last_place", "position"] {
                #expect(
                    try rows("SELECT count(*) FROM fleet.\(relation)") == [
                        [count == "0" ? "0" : "1"]
                    ])
            }
        }
        try database.runAll("SET ROLE publisher")
        _ = try load("h2")
        let directory = TemporaryDirectory()
        let path = directory.write(Self.set, to: "set.geojson")
        #expect(throws: DatabaseError.self) {
            try PublishedSet(path: path).store(in: database, tenant: "other")
        }
    }

    @Test("with PostGIS there are geometries to draw, circles as areas", .needs(.postgis))
    func drawn() throws {
        try database.runAll("CREATE EXTENSION postgis SCHEMA public")
        _ = try Questions.setUp(database, tenant: nil, retention: nil)
        _ = try load("h1")
        _ = try take(try row(1, after: 0, "enter", fence: "yard"))
        #expect(
            try rows(
                """
                SELECT fence, public.ST_GeometryType(shape), public.ST_SRID(shape)
                FROM fleet.area_drawn ORDER BY 1
                """) == [["wh", "ST_Polygon", "4326"], ["yard", "ST_Polygon", "4326"]])
        let area = try rows(
            """
            SELECT round(public.ST_Area(shape::public.geography)) BETWEEN 69000 AND 71000
            FROM fleet.area_drawn WHERE fence = 'wh'
            """)
        #expect(area == [["t"]])
        #expect(
            try rows("SELECT box, public.ST_GeometryType(shape) FROM fleet.last_place_drawn")
                == [["b1", "ST_Point"]])
        // Twice is as once.
        _ = try Questions.setUp(database, tenant: nil, retention: nil)
    }
}
