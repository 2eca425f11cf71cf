import PostgreSQL
import Reports
import SystemTestKit
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

    @Test(
        "a visit that is not over has the driver whom the box named when it came, or who was assigned"
    )
    func openVisits() throws {
        _ = try take(
            try row(1, after: 0, "enter", minutesAgo: 90, members: Self.bob + #","inferred":true"#))
        let visit = try #require(try Visit.read(.init(), from: database).first)
        #expect(visit.left == nil && visit.driver == "Bob" && visit.inferred)
        let page = Report.html.text([visit])
        #expect(page.contains("Bob"), "\(page)")
        for (text, count) in [("bob", 1), ("ada", 0)] {
            var selection = Visit.Selection()
            selection.text = text
            #expect(try Visit.read(selection, from: database).count == count)
        }
        _ = try database.run("DELETE FROM fleet.driver")
        #expect(try named() == [nil])
        var selection = Visit.Selection()
        selection.tenant = "acme"
        selection.box = "b1"
        selection.since = "2020-01-01"
        try Questions.assign(selection, driver: "Ada", in: database)
        #expect(try named() == ["Ada"])
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

    /// In which tables of the schema, views too, something is left that says `name`.
    private func mentions(_ name: String) throws -> [String] {
        let tables = try database.run(
            """
            SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = 'fleet' AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
            ORDER BY 1
            """
        ).values.compactMap { $0[0] }
        #expect(tables.contains("rejected") && tables.contains("visit") && tables.count > 10)
        return try tables.filter { table in
            // Bytes as text: what was set aside.
            let text =
                table == "rejected" ? "x::text || convert_from(payload, 'UTF8')" : "x::text"
            return try database.run(
                "SELECT EXISTS (SELECT FROM fleet.\(table) x WHERE strpos(\(text), $1) > 0)", [name]
            ).values == [["t"]]
        }
    }

    private func setAside(_ text: String, of tenant: String) throws {
        _ = try database.run(
            "SELECT fleet.set_aside($1, 'b1', 'test', convert_to($2, 'UTF8'))", [tenant, text])
    }

    private func assign(_ driver: String, until: String? = nil, since: String) throws {
        var selection = Visit.Selection()
        (selection.tenant, selection.box) = ("acme", "b1")
        (selection.since, selection.until) = (since, until)
        try Questions.assign(selection, driver: driver, in: database)
    }

    @Test("who is forgotten is named nowhere; the visits stay, and so do others")
    func forgotten() throws {
        let odd = #"B"ö\b "#
        let quoted = #","driver":"B\"ö\\b ""#
        _ = try take(
            try row(1, after: 0, "exit", minutesAgo: 60, stay: 60, members: quoted),
            try row(2, after: 1, "trip", minutesAgo: 50, stay: 60, members: quoted),
            try row(3, after: 2, "exit", minutesAgo: 40, stay: 60, members: Self.bob))
        try assign(odd, until: "2020-02-01", since: "2020-01-01")
        try assign("Ada", until: "2020-03-01", since: "2020-02-01")
        try setAside("{\"event\":{\(quoted.dropFirst())}", of: "acme")
        try setAside("{\(quoted.dropFirst())}", of: "nobody")
        try setAside("{\(Self.bob.dropFirst())}", of: "acme")
        // Each form of text has its own backslashes, and none touches this letter.
        #expect(try mentions("ö") == ["assignment", "driver", "rejected"])
        let said = try Questions.forget(driver: odd, of: nil, in: database)
        #expect(
            said
                == odd
                + " is forgotten; erased: 1 name in events, 1 assignments, 2 messages set aside")
        #expect(try mentions("ö").isEmpty)
        #expect(try mentions("Bob") == ["driver", "rejected"])
        #expect(try mentions("Ada") == ["assignment"])
        #expect(try named() == [nil, "Bob"])
        #expect(try database.run("SELECT count(*) FROM fleet.trip").values == [["1"]])
        #expect(throws: DatabaseError(state: "", message: "there is no driver \(odd)")) {
            try Questions.forget(driver: odd, of: nil, in: database)
        }
        // A box that has not forgotten him names him again: he is another one, and what was stays
        // without a name.
        _ = try take(try row(4, after: 3, "exit", minutesAgo: 90, stay: 60, members: quoted))
        #expect(try named() == [odd, nil, "Bob"])
        _ = try Questions.forget(driver: odd, of: "acme", in: database)
        #expect(try named() == [nil, nil, "Bob"])
    }

    @Test("of two tenants' drivers of one name none is forgotten unless the tenant is named")
    func forgottenOfOneTenant() throws {
        _ = try take(try row(1, after: 0, "exit", stay: 60, members: Self.bob))
        _ = try database.run(
            """
            WITH other AS (INSERT INTO fleet.tenant (name) VALUES ('other') RETURNING id)
            INSERT INTO fleet.driver (tenant, name) SELECT id, 'Bob' FROM other
            """)
        let both = "several tenants have a driver Bob; name one with --tenant: acme, other"
        #expect(throws: DatabaseError(state: "", message: both)) {
            try Questions.forget(driver: "Bob", of: nil, in: database)
        }
        // A keeper sees, and forgets, those of its tenants; a reader none.
        try database.runAll(
            """
            CREATE ROLE planner IN ROLE fleet_reader;
            CREATE ROLE keeper IN ROLE fleet_keeper;
            INSERT INTO fleet.access SELECT r, id FROM fleet.tenant, unnest('{planner,keeper}'::name[]) r
                WHERE name = 'acme';
            SET ROLE planner;
            """)
        #expect(throws: DatabaseError.self) {
            try Questions.forget(driver: "Bob", of: nil, in: database)
        }
        try database.runAll("SET ROLE keeper")
        #expect(throws: DatabaseError(state: "", message: "there is no driver Bob")) {
            try Questions.forget(driver: "Bob", of: "other", in: database)
        }
        _ = try Questions.forget(driver: "Bob", of: nil, in: database)
        try database.runAll("RESET ROLE")
        #expect(
            try database.run(
                "SELECT t.name FROM fleet.driver d JOIN fleet.tenant t ON t.id = d.tenant"
            ).values == [["other"]])
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
