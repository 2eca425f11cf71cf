import Foundation
import Law
import Model
import Testing
import Time

@testable import Storage

extension DatabaseFormat {
    /// The log of a program that has a column more in each table, a table, an index and a kind more.
    static let newerEvents: DatabaseFormat = {
        var format = DatabaseFormat.events
        let tables = [
            "event", "stay", "state", "position", "snapshot", "consumer", "identity", "sink",
            "spent",
            "parking", "driver", "driving",
        ]
        format.migrations.append(
            Migration(
                stringLiteral: tables.map {
                    "ALTER TABLE \($0) ADD COLUMN later INTEGER NOT NULL DEFAULT 7;"
                }.joined(separator: "\n") + """
                    ALTER TABLE event ADD COLUMN further TEXT;
                    CREATE TABLE novelty (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), what BLOB);
                    CREATE INDEX event_by_kind ON event (kind, later) WHERE further IS NOT NULL;
                    """))
        return format
    }()
}

@Suite("The log of a newer program")
struct NewerLogTests {
    private let scratch: Scratch
    private static let kind = EventKind(rawValue: 99)

    init() throws { scratch = try Scratch() }

    private func newer() throws -> Store {
        try Store(
            directory: scratch.path, bootID: nil, events: .newerEvents, fences: .catalogue)
    }

    private func older() throws -> Store { try scratch.open() }

    @discardableResult
    private func log(_ sql: String) throws -> String {
        try sqlite(sql, scratch.file("events.sqlite"))
    }

    private func stay(_ fence: String, _ second: Int64) -> OpenStay {
        OpenStay(
            fence: fence, added: 1, began: UTCTime(nanoseconds: second * 1_000_000_000),
            dwellTold: false)
    }

    @Test("is used as it is: what is unknown is passed on, and nothing of it is removed")
    func used() throws {
        do {
            let store = try newer()
            var first = record([event(1), event(2, Self.kind)])
            first.events[1].newerReason = "thunder"
            first.opened = [stay("a", 1)]
            _ = try store.commit(first)
            try store.log.register(
                Consumer(name: "com.example.Alert1", uid: 1, acknowledged: 1, options: "{}"))
            try store.flush()
        }
        try log("INSERT INTO novelty VALUES (1, 'x'); UPDATE event SET further = 'f', later = 8")
        let schema = try log("SELECT sql FROM sqlite_schema")
        do {
            let store = try older()
            #expect(store.setAside.isEmpty && store.takeForeign().isEmpty)
            #expect(store.log.lastSeq == 2 && !store.log.id.isEmpty)
            let events = try store.log.events(after: 0, limit: 9)
            #expect(events.map(\.event.kind.name) == ["enter", "kind-99"])
            #expect(events.map(\.event.reasonName) == [nil, "thunder"])
            #expect(try store.log.openStays().map(\.fence) == ["a"])
            #expect(try store.log.consumers().map(\.acknowledged) == [1])
            try store.log.acknowledge(2, consumer: "com.example.Alert1")
            var next = record([event(3, .exit), event(4, fence: "b")])
            next.closed = ["a"]
            next.opened = [stay("b", 4)]
            next.vehicle = VehicleRecord()
            next.spent = [SpentFence(fence: "a", added: 1)]
            #expect(try store.log.commit(next, checkpoint: [1, 2]).map(\.seq) == [3, 4])
            store.log.markAnnounced(SinkPositions(least: 3, further: ["bus": 4]))
            try store.flush(checkpoint: [1, 2, 3])
        }
        #expect(try log("SELECT sql FROM sqlite_schema") == schema)
        let store = try newer()
        #expect(store.setAside.isEmpty && store.takeForeign().isEmpty)
        #expect(try store.log.events(after: 0, limit: 9).map(\.seq) == [1, 2, 3, 4])
        #expect(try store.log.events(after: 1, limit: 1).first?.event.reasonName == "thunder")
        #expect(try store.log.openStays().map(\.fence) == ["b"])
        #expect(try store.log.consumers().map(\.acknowledged) == [2])
        #expect(store.log.announced == SinkPositions(least: 3, further: ["bus": 4]))
        #expect(try log("SELECT later, further FROM event ORDER BY seq") == "8|f\n8|f\n7|\n7|\n")
        #expect(try log("SELECT count(*) FROM novelty") == "1\n")
    }

    @Test(
        "ten switches, the older program killed in each while it writes: no number twice, none lost"
    )
    func switches() throws {
        var committed: [UInt64] = []
        for round in 0..<10 {
            do {
                let store = try newer()
                #expect(store.setAside.isEmpty, "round \(round)")
                // As the daemon after a kill: what was in its hand is committed again.
                store.log.settleEnd(after: EventLog.Position(last: store.log.lastSeq, waiting: 1))
                let logged = try store.commit(record([event(Double(round), Self.kind, fence: nil)]))
                #expect(logged[0].seq > committed.last ?? 0)
                committed.append(logged[0].seq)
            }
            let child = try Child(["commit", scratch.path])
            for _ in 0..<(round + 2) {
                let line = try #require(child.line())
                committed.append(try #require(UInt64(line.split(separator: " ")[1])))
            }
            child.kill()
            while let line = child.line() {
                committed.append(try #require(UInt64(line.split(separator: " ")[1])))
            }
        }
        let store = try older()
        let seqs = try store.log.events(after: 0, limit: .max).map(\.seq)
        #expect(store.setAside.isEmpty)
        #expect(Set(committed).count == committed.count)
        // The last event of a killed process may be in the log without having been said.
        #expect(Set(seqs).isSuperset(of: committed))
        #expect(seqs == Array(1...UInt64(seqs.count)))
        #expect(
            try store.log.events(after: 0, limit: .max).filter { $0.event.kind == Self.kind }.count
                == 10)
    }

    @Test("a backup by the older program holds all of it, and both restore it")
    func backup() throws {
        do { _ = try newer().commit(record([event(1), event(2, Self.kind)])) }
        try log("INSERT INTO novelty VALUES (1, 'x')")
        let backup = scratch.file("backup")
        do {
            let store = try older()
            #expect(try StoreBackup.make(of: scratch.path, to: backup).events == 2)
            _ = store
        }
        #expect(
            try sqlite("SELECT what FROM novelty", backup + "/events.sqlite") == "x\n")
        let other = scratch.file("other")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        #expect(try StoreBackup.restore(backup, into: other).events == 2)
        let store = try Store(
            directory: other, bootID: nil, events: .newerEvents, fences: .catalogue)
        #expect(store.setAside.isEmpty)
        #expect(try store.log.events(after: 0, limit: 9).map(\.event.kind) == [.enter, Self.kind])
    }

    @Test("that is read-only can be read")
    func readOnly() throws {
        do { _ = try newer().commit(record([event(1), event(2, Self.kind)])) }
        let fallback = try DatabaseFormat.events.fallback(
            for: scratch.file("events.sqlite"), writable: false)
        #expect(!fallback.isInMemory)
    }

    @Test(
        "what is not additive is no newer log",
        arguments: [
            "ALTER TABLE stay DROP COLUMN watch", "DROP TABLE sink",
            "ALTER TABLE event RENAME COLUMN kind TO what",
            "CREATE TABLE other AS SELECT * FROM state; DROP TABLE state",
        ])
    func changed(_ sql: String) throws {
        do { _ = try newer().commit(record([event(1)])) }
        try log(sql)
        let store = try older()
        #expect(store.setAside.count == 1)
        #expect(try store.commit(record([event(2)]))[0].seq > 1)
    }
}
