import PostgreSQL
import SystemTestKit
import Systemd
import Testing

@testable import Ingesting

/// With two databases of Debian's PostgreSQL.
@MainActor
@Suite("A box moves to another shard", .serialized)
final class MoveTests {
    private let server: PrivatePostgreSQL
    private let old: Database
    private let new: Database
    private static let logs = [
        "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71", "6f0c2d9e4b7a4c0e8d1f3a6b9c2e5d72",
    ]

    init() throws {
        server = try #require(PrivatePostgreSQL())
        let admin = try #require(server.open())
        try admin.runAll("CREATE DATABASE old")
        try admin.runAll("CREATE DATABASE new")
        old = try Database("\(server.address) dbname=old", program: "test")
        new = try Database("\(server.address) dbname=new", program: "test")
        _ = try Questions.setUp(old, tenant: "acme", retention: 12)
        _ = try Questions.setUp(new, tenant: "first", retention: 12)
        _ = try Questions.setUp(new, tenant: "acme", retention: 12)
    }

    /// An event of today at that minute.
    private func take(
        _ database: Database, _ seq: Int, after previous: Int, _ kind: String, _ fence: String,
        minute: Int, stay: Int? = nil, log: Int = 0
    ) throws {
        let day = try #require(
            try database.run("SELECT (now() AT TIME ZONE 'UTC')::date - 1").values[0][0])
        let text = """
            {"v":2,"log":"\(Self.logs[log])","prev":\(previous),"event":{"seq":\(seq),\
            "time":"\(day)T08:0\(minute):00.000Z","kind":"\(kind)","fence":"\(fence)"\
            \(stay.map { ",\"stay_s\":\($0 * 60)" } ?? "")}}
            """
        let row = Batch.Row(
            broker: 0, topic: try #require(BoxTopic("gf/1/acme/b1/event")),
            event: try #require(Payload.elements(of: Array(text.utf8)).first).get())
        _ = try database.run(Batch.sql, binary: Batch([row]).parameters)
    }

    private func seen(_ database: Database, minutesAgo: Int) throws {
        _ = try database.run(
            "UPDATE fleet.box SET last_seen = now() - $1::int * interval '1 minute'",
            ["\(minutesAgo)"])
    }

    /// Of both shards: where, from minute to minute, and where it is still.
    private func visits() throws -> [String] {
        try [old, new].flatMap { try Visit.read(.init(), from: $0) }.map { visit in
            func minute(_ time: String) -> Substring { time.dropFirst(14).prefix(2) }
            return "\(visit.fence) \(minute(visit.entered))-\(visit.left.map(minute) ?? "")"
                + (visit.inferred ? " inferred" : "")
        }.sorted()
    }

    /// It was in a and b; before it moved it left c, was in d, and both shards have event 4.
    private func drive() throws {
        try take(old, 1, after: 0, "enter", "a", minute: 1)
        try take(old, 2, after: 1, "enter", "b", minute: 2)
        try take(old, 3, after: 2, "exit", "c", minute: 3, stay: 3)
        for shard in [old, new] { try take(shard, 4, after: 3, "exit", "d", minute: 4, stay: 2) }
        try take(new, 5, after: 4, "exit", "a", minute: 5, stay: 4)
        try take(new, 6, after: 5, "enter", "e", minute: 6)
        try seen(old, minutesAgo: 10)
    }

    private func move() throws -> String { try Move.run("acme/b1", from: old, to: new) }

    private func present(_ database: Database) throws -> [String?] {
        try database.run("SELECT fence FROM fleet.presence WHERE inside ORDER BY 1").values
            .map { $0[0] }
    }

    @Test("what is not over goes along, what both have is there once, and nothing is a ghost")
    func ghosts() throws {
        try drive()
        // As it was: d twice, and a still there.
        #expect(
            try visits()
                == ["a 01-", "a 01-05", "b 02-", "c 00-03", "d 02-04", "d 02-04", "e 06-"])
        _ = try old.run(
            "INSERT INTO fleet.assignment SELECT id, 'Jane', '[2026-11-01,)' FROM fleet.box")
        #expect(try move() == "acme/b1 has moved, with 1 stays that are not over")
        let moved = ["a 01-05", "b 02-", "c 00-03", "d 02-04", "e 06-"]
        #expect(try visits() == moved)
        #expect(try present(old).isEmpty)
        #expect(try present(new) == ["b", "e"])
        #expect(try Questions.status(of: old)[0].contains("online retired"))
        // Its numbers have no hole, and the new shard knows who drives.
        #expect(
            try new.run("SELECT first_seq, last_seq, missing FROM fleet.box_log").values
                == [["1", "6", "{}"]])
        #expect(try new.run("SELECT driver FROM fleet.assignment").values == [["Jane"]])
        // What was driven before the first event counts once.
        for (shard, count) in [(old, "1"), (new, "0")] {
            #expect(try shard.run("SELECT count(*) FROM fleet.whole_log").values == [[count]])
        }
        try take(new, 7, after: 6, "exit", "b", minute: 7, stay: 5)
        #expect(try visits() == ["a 01-05", "b 02-07", "c 00-03", "d 02-04", "e 06-"])
        // Again, and a status that the old broker has kept.
        #expect(try move().contains("with 0 stays"))
        #expect(try visits() == ["a 01-05", "b 02-07", "c 00-03", "d 02-04", "e 06-"])
        #expect(try new.run("SELECT count(*) FROM fleet.event").values == [["4"]])
    }

    @Test("interrupted after the new shard has all of it, another call does the rest")
    func interrupted() throws {
        try drive()
        try old.runAll(
            """
            CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE 'gone' USING ERRCODE = '57P01'; END $$;
            CREATE CONSTRAINT TRIGGER gone AFTER UPDATE ON fleet.box DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION public.fail()
            """)
        #expect(throws: DatabaseError.self) { _ = try move() }
        #expect(try present(old) == ["a", "b"])
        #expect(try present(new) == ["b", "e"])
        try take(new, 7, after: 6, "exit", "b", minute: 7, stay: 5)
        try old.runAll("DROP TRIGGER gone ON fleet.box")
        _ = try move()
        #expect(try visits() == ["a 01-05", "b 02-07", "c 00-03", "d 02-04", "e 06-"])
    }

    @Test("holes of the old shard are asked for at the new one")
    func holes() throws {
        try take(old, 1, after: 0, "enter", "a", minute: 1)
        try take(old, 4, after: 3, "exit", "a", minute: 4, stay: 3)
        try take(new, 6, after: 5, "enter", "b", minute: 6)
        try seen(old, minutesAgo: 10)
        _ = try move()
        #expect(
            try new.run("SELECT missing FROM fleet.box_log").values == [["{[2,4),[5,6)}"]])
        #expect(try new.run("SELECT ranges FROM fleet.lacking()").values == [["[[2, 3], [5, 5]]"]])
    }

    @Test("back again: the first shard has it once more, and its stays")
    func back() throws {
        try drive()
        _ = try move()
        try take(old, 7, after: 6, "enter", "f", minute: 7)
        try seen(new, minutesAgo: 5)
        try seen(old, minutesAgo: 0)
        #expect(
            try Move.run("b1", from: new, to: old) == "b1 has moved, with 2 stays that are not over"
        )
        #expect(try present(old) == ["b", "e", "f"])
        #expect(try old.run("SELECT count(*) FROM fleet.whole_log").values == [["1"]])
        #expect(try present(new).isEmpty)
        #expect(try visits() == ["a 01-05", "b 02-", "c 00-03", "d 02-04", "e 06-", "f 07-"])
        try old.runAll("UPDATE fleet.box SET log_seen = now() + interval '1 second'")
        #expect(try !Questions.status(of: old)[0].contains("retired"))
    }

    @Test(
        "a hole that was asked for before it moved back, and is sent after that, is not there twice"
    )
    func late() throws {
        try drive()
        _ = try move()
        try take(new, 7, after: 6, "exit", "e", minute: 7, stay: 1)
        try take(old, 9, after: 8, "enter", "f", minute: 9)
        try seen(new, minutesAgo: 5)
        try seen(old, minutesAgo: 0)
        #expect(try old.run("SELECT ranges FROM fleet.lacking()").values == [["[[5, 8]]"]])
        _ = try Move.run("b1", from: new, to: old)
        let both = try visits()
        for (seq, kind, fence, stay) in [
            (5, "exit", "a", 4), (6, "enter", "e", nil), (7, "exit", "e", 1),
        ] {
            try take(old, seq, after: seq - 1, kind, fence, minute: seq, stay: stay)
            #expect(try visits() == both)
        }
        // What neither of them has is still wanted, and what is new is new.
        #expect(try old.run("SELECT missing FROM fleet.box_log").values == [["{[8,9)}"]])
        try take(old, 8, after: 7, "exit", "g", minute: 8, stay: 1)
        try take(old, 10, after: 9, "exit", "f", minute: 9, stay: 0)
        #expect(try visits().count == both.count + 1)
        #expect(try old.run("SELECT missing FROM fleet.box_log").values == [["{}"]])
    }

    @Test("a box that was replaced on the way leaves nothing open")
    func replaced() throws {
        try take(old, 1, after: 0, "enter", "a", minute: 1)
        try take(new, 1, after: 0, "enter", "b", minute: 6, log: 1)
        try seen(old, minutesAgo: 10)
        #expect(try move() == "acme/b1 has moved, with 0 stays that are not over")
        #expect(try present(old).isEmpty)
        let found = try visits()
        #expect(found.count == 2 && found[0].hasPrefix("a 01-") && found[0].hasSuffix(" inferred"))
        #expect(found[1] == "b 06-")
    }

    @Test("a box that has not reported there yet stays, and so does one that is not there")
    func refused() throws {
        try take(old, 1, after: 0, "enter", "a", minute: 1)
        #expect {
            _ = try move()
        } throws: { "\($0)".contains("has not reported to the other database") }
        try take(new, 2, after: 1, "enter", "b", minute: 2)
        try seen(new, minutesAgo: 10)
        #expect {
            _ = try move()
        } throws: { "\($0)".contains("has not reported to the other database") }
        #expect(throws: DatabaseError(state: "", message: "there is no box b2")) {
            _ = try Move.run("b2", from: old, to: new)
        }
        #expect(throws: DatabaseError(state: "", message: "that is the same database")) {
            _ = try Move.run("b1", from: old, to: old)
        }
        #expect(try present(old) == ["a"])
    }
}
