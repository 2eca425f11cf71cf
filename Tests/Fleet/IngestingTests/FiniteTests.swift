import PostgreSQL
import SharedLimits
import Testing

@testable import Ingesting

extension DatabaseTests {
    private func numbers(_ sql: String) throws -> [String?] { try database.run(sql).values[0] }

    @Test("what a box says again and again uses up no number")
    func numbersAreKept() throws {
        let drawn = """
            SELECT (SELECT last_value FROM fleet.box_id_seq),
                (SELECT last_value FROM fleet.driver_id_seq),
                (SELECT last_value FROM fleet.rejected_id_seq)
            """
        func say(_ time: Int) throws {
            try note(#"{"online":true,"waiting":\#(time)}"#, of: "b1")
            try note(#"{"online":true,"waiting":\#(time)}"#, of: "b1", isRetained: true)
            _ = try take(
                try row(1, after: 0, "enter", members: #","driver":"Bob""#),
                try row(2, after: 1, "exit", members: #","driver":"Bob""#))
            _ = try database.run("SELECT fleet.set_aside('acme', 'b1', 'why', 'x')")
        }
        try say(0)
        let before = try numbers(drawn)
        for time in 1...20 { try say(time) }
        #expect(try numbers(drawn) == before)
        #expect(try numbers("SELECT status->>'waiting' FROM fleet.box") == ["20"])
    }

    @Test("where all numbers of boxes were drawn, new boxes get those that are free")
    func numbersRunOut() throws {
        for box in ["b1", "b2", "b3"] { try note(#"{"online":true}"#, of: box) }
        _ = try database.run("SELECT setval('fleet.box_id_seq', 2147483647)")
        #expect(try take(try row(1, after: 0, "enter", box: "b4")) == "1")
        try note(#"{"online":true}"#, of: "b5")
        #expect(
            try numbers("SELECT string_agg(name || id, ' ' ORDER BY name) FROM fleet.box")
                == ["b11 b22 b33 b44 b55"])
        #expect(try numbers("SELECT status->>'online' FROM fleet.box WHERE id = 5") == ["true"])
    }

    @Test("drivers whom a box alone names have a quota, and go with it; others stay")
    func driversOfABox() throws {
        func name(_ driver: String, _ seq: Int, box: String) throws {
            _ = try take(
                try row(
                    seq, after: seq - 1, "exit", stay: 60, members: #","driver":"\#(driver)""#,
                    box: box))
        }
        let own = """
            SELECT count(*), count(*) FILTER (WHERE name = 'Bob') FROM fleet.driver WHERE box = 1
            """
        for (seq, driver) in ["Ada", "Bob", "Eve"].enumerated() {
            try name(driver, seq + 1, box: "b1")
        }
        try name("Ada", 1, box: "b2")
        #expect(try numbers(own) == ["2", "1"])
        // In one batch, too.
        _ = try take(
            try row(4, after: 3, "dwell", members: #","driver":"Eva""#),
            try row(2, after: 1, "dwell", members: #","driver":"Eva""#, box: "b2"))
        #expect(try numbers(own) == ["2", "1"])
        try database.runAll(
            """
            UPDATE fleet.driver SET last_seen = now() - interval '1 hour';
            INSERT INTO fleet.driver (tenant, name, box)
                SELECT tenant, 'x' || i, 1 FROM fleet.driver, generate_series(1, 50000) i
                WHERE name = 'Bob';
            SELECT fleet.prune()
            """)
        #expect(try numbers(own) == ["\(SharedLimits.drivers)", "0"])
        let names = "SELECT string_agg(name, ' ' ORDER BY name) FROM fleet.driver"
        #expect(try numbers("\(names) WHERE name < 'x'") == ["Ada Eva"])
        _ = try Questions.forget("b1", in: database)
        #expect(try numbers(names) == ["Ada Eva"])
        let visits = try Visit.read(.init(), from: database)
        #expect(visits.map(\.driver) == ["Ada"])
    }
}
