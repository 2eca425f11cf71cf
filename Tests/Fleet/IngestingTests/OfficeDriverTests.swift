import PostgreSQL
import Testing

@testable import Ingesting

extension DatabaseTests {
    private static let bob = #","driver":"Bob""#

    private func named() throws -> [String?] {
        var selection = Visit.Selection()
        selection.tenant = "acme"
        return try Visit.read(selection, from: database).map(\.driver)
    }

    private func count(_ condition: String) throws -> String? {
        try database.run("SELECT count(*) FROM fleet.event WHERE \(condition)").values[0][0]
    }

    @Test("whom a box names is the driver of its visit, and is forgotten with one row")
    func drivers() throws {
        var selection = Visit.Selection()
        selection.tenant = "acme"
        selection.box = "b1"
        selection.since = "2020-01-01"
        _ = try take(try row(1, after: 0, "enter", minutesAgo: 90))
        try Questions.assign(selection, driver: "Ada", in: database)
        _ = try take(
            try row(2, after: 1, "exit", minutesAgo: 60, stay: 1_800, members: Self.bob),
            try row(3, after: 2, "exit", minutesAgo: 30, stay: 60, members: Self.bob))
        _ = try take(try row(4, after: 3, "exit", minutesAgo: 10, stay: 60))
        #expect(try named() == ["Bob", "Bob", "Ada"])
        let numbers = try database.run(
            "SELECT count(driver), count(DISTINCT driver) FROM fleet.event")
        #expect(numbers.values == [["2", "1"]])
        #expect(try count("details::text LIKE '%Bob%'") == "0")
        _ = try database.run("DELETE FROM fleet.driver WHERE name = 'Bob'")
        #expect(try named() == ["Ada", "Ada", "Ada"])
        // Another of that name is somebody else.
        _ = try take(try row(5, after: 4, "exit", stay: 60, members: Self.bob))
        #expect(try named() == ["Ada", "Ada", "Ada", "Bob"])
    }

    @Test("a driver of whom nothing was heard for as long as events are kept is none")
    func oldDrivers() throws {
        _ = try take(
            try row(1, after: 0, "enter", members: #","driver":"Ada""#),
            try row(2, after: 1, "exit", members: Self.bob))
        _ = try database.run(
            "UPDATE fleet.driver SET last_seen = now() - interval '13 days' WHERE name = 'Ada'")
        _ = try database.run("SELECT fleet.prune()")
        #expect(try database.run("SELECT name FROM fleet.driver").values == [["Bob"]])
    }

    @Test("what an office without drivers has stored of them is theirs")
    func migratedDrivers() throws {
        _ = try take(
            try row(1, after: 0, "exit", minutesAgo: 60, stay: 60),
            try row(2, after: 1, "exit", minutesAgo: 30, stay: 60))
        try database.runAll(
            """
            DROP VIEW fleet.area, fleet.last_place;
            DROP TABLE fleet.fence, fleet.published_set;
            DROP FUNCTION fleet.degrees;
            DROP VIEW fleet.detention, fleet.visit, fleet.trip;
            DROP INDEX fleet.event_of_trip;
            DROP TABLE fleet.driver;
            ALTER TABLE fleet.event DROP COLUMN driver;
            \(Metres.sql)
            UPDATE fleet.event SET details = details || '{"driver":"Bob"}' WHERE seq = 1;
            DELETE FROM fleet.schema_version WHERE version > 6;
            """)
        #expect(try Migrations.migrate(database) == 6)
        #expect(try named() == ["Bob", nil])
        #expect(try count("details ? 'driver'") == "0")
    }

    @Test("a reader sees the drivers of its tenants, and a keeper deletes them")
    func driverAccess() throws {
        _ = try take(try row(1, after: 0, "enter", members: Self.bob))
        _ = try database.run(
            """
            WITH other AS (INSERT INTO fleet.tenant (name) VALUES ('other') RETURNING id)
            INSERT INTO fleet.driver (tenant, name) SELECT id, 'Eve' FROM other
            """)
        try database.runAll(
            """
            CREATE ROLE planner IN ROLE fleet_reader;
            CREATE ROLE keeper IN ROLE fleet_keeper;
            INSERT INTO fleet.access SELECT r, id FROM fleet.tenant, unnest('{planner,keeper}'::name[]) r
                WHERE name = 'acme';
            SET ROLE planner;
            """)
        #expect(try database.run("SELECT name FROM fleet.driver").values == [["Bob"]])
        #expect(throws: DatabaseError.self) { try database.run("DELETE FROM fleet.driver") }
        try database.runAll("SET ROLE keeper")
        _ = try database.run("DELETE FROM fleet.driver")
        try database.runAll("RESET ROLE")
        #expect(try database.run("SELECT name FROM fleet.driver").values == [["Eve"]])
    }

    @Test(
        "a driver that is no text of 1 to 128 bytes is set aside",
        arguments: ["12", "\"\"", "[\"Bob\"]", "\"\(String(repeating: "x", count: 129))\""])
    func wrongDriver(_ value: String) throws {
        #expect(throws: TakenEvent.Problem.self) {
            try row(1, after: 0, "enter", members: ",\"driver\":\(value)")
        }
    }
}
