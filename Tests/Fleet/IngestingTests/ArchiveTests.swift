import Bytes
import Foundation
import PostgreSQL
import SystemTestKit
import Testing

@testable import Ingesting

/// With Debian's PostgreSQL: a week of events, two weeks ago.
@MainActor
@Suite("Old weeks are archived", .serialized)
final class ArchiveTests {
    let server: PrivatePostgreSQL
    let database: Database
    let directory = TemporaryDirectory()
    /// Of the week, `2026-11-09`, and its name.
    let monday: String
    let week: String
    /// The Monday after it.
    let end: String
    static let log = "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71"

    init() throws {
        server = try #require(PrivatePostgreSQL())
        database = try #require(server.open())
        for tenant in ["acme", "other"] {
            _ = try Questions.setUp(database, tenant: tenant, retention: 40)
        }
        let found = try database.run(
            """
            SELECT d::date, to_char(d, 'IYYY-"W"IW'), d::date + 7
            FROM date_trunc('week', (now() AT TIME ZONE 'UTC') - interval '14 days') AS d
            """
        ).values[0]
        (monday, week, end) = (found[0] ?? "", found[1] ?? "", found[2] ?? "")
        // An id is never that of another table by chance.
        try database.runAll("ALTER SEQUENCE fleet.box_id_seq RESTART 17")
    }

    var file: String { directory.file("fleet-event-\(week).copy.zst") }

    /// One event of the week, at that hour of it, or of later weeks.
    @discardableResult
    func take(
        _ seq: Int, after previous: Int? = nil, _ members: String, hour: Int,
        box: String = "acme/b1"
    ) throws -> String? {
        let time = try #require(
            try database.run(
                """
                SELECT to_char($1::date + $2::int * interval '1 hour',
                    'YYYY-MM-DD"T"HH24:MI:SS.000Z')
                """.replacingOccurrences(of: "SS.000Z", with: "SS\".000Z\""), [monday, "\(hour)"]
            ).values[0][0])
        let text = """
            {"v":2,"log":"\(Self.log)","prev":\(previous ?? seq - 1),"event":{"seq":\(seq),\
            "time":"\(time)",\(members)}}
            """
        let row = Batch.Row(
            broker: 0, topic: try #require(BoxTopic("gf/1/\(box)/event")),
            event: try #require(Payload.elements(of: Array(text.utf8)).first).get())
        return try database.run(Batch.sql, binary: Batch([row]).parameters).values[0][0]
    }

    /// The first box says that it has lost this number.
    private func loseEight() throws {
        let text = #"{"v":2,"log":"\#(Self.log)","prev":7,"gap":8}"#
        let row = Batch.Row(
            broker: 0, topic: try #require(BoxTopic("gf/1/acme/b1/event")),
            event: try #require(Payload.elements(of: Array(text.utf8)).first).get())
        _ = try database.run(Batch.sql, binary: Batch([row]).parameters)
    }

    /// Two visits, a trip, a speed, an enter that is not over, on several days; a box of another tenant;
    /// and an exit of the next week.
    func fill() throws {
        for box in ["acme/b1", "other/b1", "acme/b2"] {
            try take(1, #""kind":"enter","fence":"a\tb\\","title":"A\nB""#, hour: 1, box: box)
            try take(
                2,
                #""kind":"exit","fence":"a","stay_s":3600,"way_m":12.5,"odometer_m":99,"proof":[1,2]"#,
                hour: 2, box: box)
            try take(3, #""kind":"overspeed","fence":"a","driver":"Ann""#, hour: 30, box: box)
            try take(
                4, #""kind":"trip","stay_s":7200,"from":"a","to":"b","stops":3,"proof":"x""#,
                hour: 50,
                box: box)
            try take(
                5, #""kind":"enter","fence":"yard","latitude":1.5,"longitude":2.5"#, hour: 167,
                box: box)
            try take(6, #""kind":"exit","fence":"b","stay_s":60"#, hour: 170, box: box)
        }
    }

    func archive() throws -> [String] {
        var lines: [String] = []
        try Archive.run(database, before: end, to: directory.path) { lines.append($0) }
        return lines
    }

    /// Every column of every row.
    func rows() throws -> [[String?]] {
        try database.run("SELECT * FROM fleet.event ORDER BY box, log, seq").values
    }

    /// What reports say.
    func reports() throws -> [[[String?]]] {
        try [
            "SELECT tenant, box, fence, title, entered, left_at, way_m, driver FROM fleet.visit",
            "SELECT * FROM fleet.trip", "SELECT * FROM fleet.present",
            "SELECT box, fence, latitude, longitude, told FROM fleet.last_place",
        ].map { try database.run("\($0) ORDER BY 1, 2, 3, 4").values }
    }

    func archived() throws -> [[String?]] {
        try database.run("SELECT week, events FROM fleet.archived").values
    }

    @Test(
        "visits, trips and where boxes are stay as they were, what happened besides is in the file")
    func stays() throws {
        try fill()
        let (before, whole) = (try reports(), try rows())
        #expect(try archive() == ["\(week): 15 events are in \(file)"])
        #expect(try reports() == before)
        // Of each box the exit, the trip and two enters that are not over; and the exit of the next week.
        #expect(try rows().count == 15)
        let details = try database.run(
            "SELECT details FROM fleet.event WHERE seq = 2 LIMIT 1"
        ).values[0][0]
        #expect(details == #"{"way_m": 12.5, "archived": "\#(week)", "odometer_m": 99}"#)
        #expect(try archived() == [[week, "15"]])
        #expect(
            try Questions.status(of: database).contains {
                $0.hasPrefix("archived  \(week)  15 events")
            })
        #expect(try archive() == ["\(week): is archived already"])
        // For everybody who has zstd.
        let unpacked = try #require(Subprocess(["zstd", "-dc", file]).wait()).output
        #expect(unpacked.hasPrefix("# geofenced events 1\n# database "))
        #expect(unpacked.split(separator: "\n").filter { !$0.hasPrefix("#") }.count == 15)
        #expect(
            try Restore.run(file, in: database)
                == "\(week): 15 of 15 events were not here, and are back")
        #expect(try rows() == whole)
        #expect(try reports() == before)
        #expect(try archived().isEmpty)
        #expect(
            try Restore.run(file, in: database)
                == "\(week): 0 of 15 events were not here, and are back")
        #expect(try rows() == whole)
        // Once more: the file is of events that the database has.
        #expect(try archive() == ["\(week): 15 events are in \(file)"])
    }

    @Test("what comes again of an archived week is not stored twice, what comes late is there")
    func late() throws {
        try fill()
        try take(9, after: 8, #""kind":"enter","fence":"c""#, hour: 3)
        _ = try archive()
        let kept = try rows()
        for seq in [1, 3, 9] {
            #expect(
                try take(seq, after: seq - 1, #""kind":"overspeed","fence":"a""#, hour: 30) == "0")
        }
        #expect(try rows() == kept)
        // The box had said that it lost this one, and a restored backup has it.
        try loseEight()
        #expect(try take(7, #""kind":"overspeed","fence":"a""#, hour: 31) == "1")
        #expect(try take(8, #""kind":"overspeed","fence":"a""#, hour: 32) == "1")
        #expect(try take(7, #""kind":"overspeed","fence":"a""#, hour: 31) == "0")
        // With the row that says so.
        #expect(try rows().count == kept.count + 3)
        #expect(try Restore.run(file, in: database).contains("16 of 16"))
        #expect(try rows().count == 18 + 4)
        #expect(try take(7, #""kind":"overspeed","fence":"a""#, hour: 31) == "0")
        // With the late ones: the database has what the file has.
        #expect(try archive() == ["\(week): 18 events are in \(file)"])
    }

    @Test("a week whose file was lost takes again what boxes still have, once its row is deleted")
    func lostFile() throws {
        try fill()
        let whole = try rows().count
        _ = try archive()
        try database.runAll("DELETE FROM fleet.archived_week")
        for box in ["acme/b1", "other/b1", "acme/b2"] {
            #expect(try take(3, #""kind":"overspeed","fence":"a""#, hour: 30, box: box) == "1")
            #expect(try take(3, #""kind":"overspeed","fence":"a""#, hour: 30, box: box) == "0")
        }
        #expect(try rows().count == whole)
    }

    @Test(
        "a box that was forgotten does not come back, and goes from the file when that is written anew"
    )
    func forgotten() throws {
        try fill()
        _ = try archive()
        _ = try Questions.forget("other/b1", in: database)
        #expect(
            try Restore.run(file, in: database)
                == "\(week): 10 of 15 events were not here, and are back; "
                + "5 of boxes that were forgotten are left out")
        #expect(try rows().count == 12)
        #expect(try archive() == ["\(week): 10 events are in \(file)"])
    }

    @Test("a file with events that the database has not is not overwritten")
    func former() throws {
        try fill()
        _ = try archive()
        let bytes = try Data(contentsOf: URL(filePath: file))
        try database.runAll(
            "DELETE FROM fleet.archived_week; DELETE FROM fleet.event WHERE kind = 'trip'")
        #expect {
            _ = try archive()
        } throws: { "\($0)".hasSuffix("restore it first, or move it away: \(file)") }
        // Of another database in the same directory.
        try database.runAll("UPDATE fleet.identity SET id = gen_random_uuid()")
        #expect { _ = try archive() } throws: { "\($0)".contains("is of the database ") }
        #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
        #expect(try archived().isEmpty)
    }

    @Test("weeks that are not over, not before the date, or partly dropped stay")
    func others() throws {
        try fill()
        var lines: [String] = []
        try Archive.run(database, before: monday, to: directory.path) { lines.append($0) }
        #expect(lines == ["no week before \(monday) has events"])
        _ = try database.run(
            "UPDATE fleet.retention SET days = current_date - $1::date - 3", [monday])
        _ = try database.run("SELECT fleet.maintain()")
        let before = try rows()
        #expect(
            try archive() == [
                "\(week): is left to RetentionSec, which has dropped some of its days"
            ])
        #expect(try rows() == before)
        #expect(throws: DatabaseError.self) {
            try Archive.run(database, before: "noon", to: directory.path) { _ in }
        }
    }

    @Test("retention drops an archived week, and its file does not come back then")
    func retention() throws {
        try fill()
        _ = try archive()
        _ = try database.run(
            "UPDATE fleet.retention SET days = current_date - $1::date - 3", [monday])
        _ = try database.run("SELECT fleet.maintain()")
        #expect {
            _ = try Restore.run(file, in: database)
        } throws: { "\($0)".contains("is older than RetentionSec") }
        _ = try database.run("UPDATE fleet.retention SET days = 1")
        _ = try database.run("SELECT fleet.maintain()")
        #expect(try archived().isEmpty)
    }

    @Test("a backup that began before has the week as it was, and the space comes back without it")
    func backup() throws {
        try fill()
        let (whole, before) = (try rows(), try reports())
        func size() throws -> Int {
            try Int(
                database.run(
                    """
                    SELECT sum(pg_table_size(inhrelid)) FROM pg_inherits
                    WHERE inhparent = 'fleet.event'::regclass
                    """
                ).values[0][0] ?? "") ?? 0
        }
        try database.runAll(
            """
            INSERT INTO fleet.event (tenant, box, log, seq, at, kind, inferred, details)
                SELECT tenant, box, log, 1000 + n, at, kind, false, jsonb_build_object('n', repeat('x', 500))
                FROM fleet.event, generate_series(1, 3000) AS n WHERE seq = 3
            """)
        let (all, large) = (try rows().count, try size())
        let backup = try #require(server.open())
        // Its first statement says as of when it reads.
        try backup.runAll("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM fleet.tenant")
        let lines = try archive()
        #expect(lines.count == 1 && lines[0].hasSuffix("9015 events are in \(file)"))
        let seen = try backup.run("SELECT count(*) FROM fleet.event").values
        #expect(seen == [["\(all)"]])
        try backup.runAll("COMMIT")
        #expect(try reports() == before)
        _ = try Restore.run(file, in: database)
        // One that has begun to read keeps nobody from reading.
        try backup.runAll("BEGIN; SELECT count(*) FROM fleet.event")
        #expect(try archive()[0].contains("comes back with VACUUM FULL"))
        #expect(try reports() == before)
        try backup.runAll("COMMIT")
        _ = try Restore.run(file, in: database)
        _ = try archive()
        #expect(try size() < large / 2)
        _ = try Restore.run(file, in: database)
        #expect(try rows().count == all && rows().prefix(6) == whole.prefix(6))
    }

    @Test("nobody but the owner keeps a week from being archived, and two do not archive at once")
    func claim() throws {
        try fill()
        let other = try #require(server.open())
        try other.runAll(
            """
            CREATE ROLE otto LOGIN IN ROLE fleet_reader;
            SET ROLE otto; SELECT pg_advisory_lock(hashtext('fleet.maintain'))
            """)
        try database.runAll("SET statement_timeout = '20s'")
        #expect(try archive() == ["\(week): 15 events are in \(file)"])
        try other.runAll("RESET ROLE; BEGIN; SELECT \(Upkeep.claim)")
        #expect { _ = try Restore.run(file, in: database) } throws: {
            "\($0)" == "another archive or restore is at work: try again after it"
        }
        #expect(try archived() == [[week, "15"]])
        try other.runAll("COMMIT")
        #expect(try Restore.run(file, in: database).contains("15 of 15 events"))
    }

    @Test("a reader sees which weeks are archived, and may neither archive nor restore")
    func roles() throws {
        try fill()
        _ = try archive()
        try database.runAll(
            """
            CREATE ROLE anna LOGIN IN ROLE fleet_reader;
            INSERT INTO fleet.access SELECT 'anna', id FROM fleet.tenant WHERE name = 'acme';
            SET ROLE anna
            """)
        #expect(try archived() == [[week, "15"]])
        #expect { _ = try archive() } throws: { "\($0)".contains("the owner of the schema") }
        #expect { _ = try Restore.run(file, in: database) } throws: {
            "\($0)".contains("the owner of the schema")
        }
    }

    @Test("a report by jurisdiction of an archived week is refused, a later one is not")
    func jurisdictions() throws {
        try fill()
        _ = try archive()
        var selection = Visit.Selection()
        selection.since = monday
        #expect {
            _ = try Jurisdictions.read(selection, [:], from: database)
        } throws: { "\($0)".hasPrefix("the events of \(week) are archived") }
        selection.since = "tomorrow"
        _ = try Jurisdictions.read(selection, [:], from: database)
    }
}
