import Foundation
import PostgreSQL
import SharedLimits
import SystemTestKit
import Testing
import Time

@testable import Ingesting

/// With Debian's PostgreSQL.
@MainActor
@Suite("What one box can make grow", .serialized)
struct QuotaTests {
    private let server: PrivatePostgreSQL
    private let database: Database

    init() throws {
        server = try #require(PrivatePostgreSQL())
        database = try #require(server.open())
        _ = try Questions.setUp(database, tenant: "acme", retention: 12)
        _ = try ask(
            """
            INSERT INTO fleet.box (tenant, name) SELECT 1, 'b' || i FROM generate_series(1, 2) i
            """)
    }

    private func ask(_ sql: String) throws -> String? {
        let rows = try database.run(sql)
        return rows.values.first?.first ?? nil
    }

    private func setAside(_ count: Int, bytes: Int, tenant: String, box: String) throws -> String? {
        try ask(
            """
            SELECT count(*) FILTER (WHERE ok) FROM (
                SELECT fleet.set_aside('\(tenant)', '\(box)', 'why',
                    convert_to(lpad(i::text, \(bytes), 'x'), 'UTF8')) AS ok
                FROM generate_series(1, \(count)) i) s
            """)
    }

    @Test("messages are set aside up to a count and a size of each box, and otherwise not taken")
    func rejected() throws {
        let most = SharedLimits.setAside
        #expect(
            try setAside(most.count + 9, bytes: 9, tenant: "acme", box: "b1") == "\(most.count)")
        let large = most.bytes / 10
        #expect(try setAside(20, bytes: large, tenant: "acme", box: "b2") == "10")
        // The same messages again: they are there.
        #expect(try setAside(5, bytes: 9, tenant: "acme", box: "b1") == "5")
        #expect(
            try ask("SELECT count(*) FROM fleet.rejected") == "\(most.count + 10)")
        // Of tenants that nobody has made, all together.
        for number in 1...3 {
            _ = try setAside(most.count / 2, bytes: 9, tenant: "none\(number)", box: "b\(number)")
        }
        #expect(
            try ask("SELECT count(*) FROM fleet.rejected WHERE NOT is_known") == "\(most.count)")
    }

    @Test("of the logs of a box the last ones remain, and of old ones none")
    func logs() throws {
        _ = try ask(
            """
            INSERT INTO fleet.box_log (box, log, first_seq, last_seq, missing, lost, touched)
            SELECT b, md5(b::text || i)::uuid, 1, 1, '{}', '{}', now() - i * interval '1 minute'
            FROM generate_series(1, 2) b, generate_series(1, CASE b WHEN 1 THEN 500 ELSE 5 END) i
            """)
        _ = try ask(
            """
            UPDATE fleet.box_log SET touched = now() - interval '13 days'
            WHERE box = 2 AND log = md5('21')::uuid
            """)
        #expect(try ask("SELECT fleet.prune_if_due()") == "t")
        #expect(
            try ask("SELECT count(*) FROM fleet.box_log WHERE box = 1") == "\(SharedLimits.logs)")
        let newest = "min(touched) > now() - interval '2 hours'"
        #expect(try ask("SELECT \(newest) FROM fleet.box_log WHERE box = 1") == "t")
        #expect(try ask("SELECT count(*) FROM fleet.box_log WHERE box = 2") == "4")
        #expect(try ask("SELECT fleet.prune_if_due()") == "f")
    }

    @Test("a box that begins one log after another has no more than its quota of them at any time")
    func manyLogs() throws {
        for batch in 0..<3 {
            let rows = try (1...100).map { number in
                let log = String(repeating: "0", count: 26) + "\(100_000 + 1000 * batch + number)"
                let text = #"{"v":2,"log":"\#(log)","prev":0,"skip":1}"#
                let event = try #require(Payload.elements(of: Array(text.utf8)).first).get()
                return Batch.Row(
                    broker: 0, topic: try #require(BoxTopic("gf/1/acme/b1/event")), event: event)
            }
            _ = try database.run(Batch.sql, binary: Batch(rows).parameters)
        }
        // Those of the last batch are pruned with the next one.
        let count = try ask("SELECT count(*) FROM fleet.box_log").flatMap { Int($0) }
        #expect(count == SharedLimits.logs - 1 + 100)
        let isLast = "max(l.log::text) = max(b.log::text)"
        #expect(
            try ask("SELECT \(isLast) FROM fleet.box_log l, fleet.box b WHERE b.name = 'b1'") == "t"
        )
    }

    @Test("who drove is forgotten with what was driven; who drives is not")
    func assignments() throws {
        _ = try ask(
            """
            INSERT INTO fleet.assignment (box, driver, during) VALUES
            (1, 'old', tstzrange(now() - interval '14 days', now() - interval '13 days')),
            (1, 'new', tstzrange(now() - interval '13 days', now() - interval '1 day')),
            (2, 'open', tstzrange(now() - interval '30 days', NULL))
            """)
        _ = try ask("SELECT fleet.prune()")
        let drivers = "SELECT string_agg(driver, ' ' ORDER BY driver) FROM fleet.assignment"
        #expect(try ask(drivers) == "new open")
    }

    @Test("of a box many events are taken at once, and then some a minute")
    func budget() throws {
        let (box, other) = (
            try #require(BoxTopic("gf/1/acme/b1/event")),
            try #require(BoxTopic("gf/1/acme/b2/event"))
        )
        let (burst, minute) = SharedLimits.eventsOfBox
        var budget = BoxBudget()
        func takes(_ events: Int, of box: BoxTopic, at now: Uptime) -> Bool {
            budget.take(events, of: box, at: now)
        }
        let start = Uptime.boot + .seconds(1000)
        #expect(takes(burst, of: box, at: start))
        #expect(!takes(1, of: box, at: start))
        #expect(takes(1, of: other, at: start))
        let later = start + .seconds(60)
        budget.tidy(at: later)
        #expect(!takes(minute + 1, of: box, at: later))
        #expect(takes(minute, of: box, at: later))
        #expect(!takes(1, of: box, at: later))
        #expect(takes(burst, of: box, at: start + .seconds(86_400)))
    }

    @Test("of the places of a box the last ones remain, of old ones those where it still is")
    func presences() throws {
        _ = try ask(
            """
            INSERT INTO fleet.presence (tenant, box, fence, log, seq, inside, since)
            SELECT 1, 1, i::text, md5('1')::uuid, i, true, now() - i * interval '1 second'
            FROM generate_series(1, \(SharedLimits.presences + 100)) i
            """)
        _ = try ask(
            """
            INSERT INTO fleet.presence (tenant, box, fence, log, seq, inside, since)
            SELECT 1, 2, i::text, md5('1')::uuid, i, i % 2 = 0, now() - interval '13 days'
            FROM generate_series(1, 10) i
            """)
        _ = try ask("SELECT fleet.prune()")
        #expect(
            try ask("SELECT count(*) FROM fleet.presence WHERE box = 1")
                == "\(SharedLimits.presences)")
        #expect(
            try ask("SELECT max(seq) FROM fleet.presence WHERE box = 1")
                == "\(SharedLimits.presences)")
        #expect(
            try ask("SELECT bool_and(inside) || ' ' || count(*) FROM fleet.presence WHERE box = 2")
                == "true 5")
    }

    @Test("an event of a tenant that is gone is not acknowledged as stored")
    func tenant() throws {
        let text =
            #"{"v":2,"log":"5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71","prev":0,"skip":1}"#
        let event = try #require(Payload.elements(of: Array(text.utf8)).first).get()
        let row = Batch.Row(
            broker: 0, topic: try #require(BoxTopic("gf/1/gone/b1/event")), event: event)
        #expect(throws: DatabaseError.self) {
            _ = try database.run(Batch.sql, binary: Batch([row]).parameters)
        }
    }

    @Test("the limits are those of the manual page")
    func page() throws {
        let root = #filePath.components(separatedBy: "/Tests/Fleet/")[0]
        let page = try String(
            contentsOfFile: "\(root)/docs/man/geofenced-ingest.8", encoding: .utf8)
        for (what, value) in [
            ("id of a fence", SharedLimits.fenceID), ("title", SharedLimits.fenceTitle),
            ("metadata of a fence", SharedLimits.fenceMetadata),
            ("details of an event", SharedLimits.eventDetails),
            ("message of events", SharedLimits.message), ("status of a box", SharedLimits.status),
            ("position of a box", SharedLimits.position),
            ("packet of a broker", SharedLimits.packetToOffice),
            ("events of a message", SharedLimits.events),
            ("name of a driver", SharedLimits.driverID),
            ("events of a box at once", SharedLimits.eventsOfBox.burst),
            ("events of a box a minute", SharedLimits.eventsOfBox.minute),
            ("set aside of a box", SharedLimits.setAside.count),
            ("set aside of a box, bytes", SharedLimits.setAside.bytes),
            ("logs of a box", SharedLimits.logs),
            ("drivers of a box", SharedLimits.drivers),
            ("places of a box", SharedLimits.presences),
        ] {
            let isThere = page.split(separator: "\n").contains { line in
                let words = line.split(separator: " ")
                return words.dropLast().joined(separator: " ") == what && words.last == "\(value)"
            }
            #expect(isThere, "\(what) \(value)")
        }
    }

    @Test("what a box may send fits into what the office takes")
    func order() {
        #expect(SharedLimits.fenceMetadata + 16 << 10 <= SharedLimits.eventDetails)
        #expect(
            SharedLimits.eventDetails + 2 * SharedLimits.fenceTitle + 16 << 10 <= SharedLimits.event
        )
        #expect(max(SharedLimits.event, SharedLimits.batch) <= SharedLimits.message)
        #expect(SharedLimits.message + 1024 <= SharedLimits.packetToOffice)
        #expect(SharedLimits.status + 1024 <= SharedLimits.packetToOffice)
        #expect(SharedLimits.events * 48 + 100 <= SharedLimits.acknowledgement)
        #expect(SharedLimits.events <= SharedLimits.ranges)
        #expect(SharedLimits.acknowledgement + 1024 <= SharedLimits.packetToBox)
        #expect(SharedLimits.packetToOffice <= SharedLimits.setAside.bytes)
        // Entries of an index of PostgreSQL.
        #expect(SharedLimits.fenceID + 100 <= 2704)
    }
}
