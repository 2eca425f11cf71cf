import EngineTestKit
import Foundation
import Law
import Model
import Storage
import SystemTestKit
import Testing
import Time

/// Something that a file of the store may define, and geofenced never does.
struct Craft: CustomTestStringConvertible, Sendable {
    /// What the start does with it.
    enum Fate {
        case removed, left, setAside
    }

    let testDescription: String
    let file: String
    let sql: String
    /// How it is named.
    let name: String
    let fate: Fate

    private init(_ title: String, _ sql: String, _ name: String, _ fate: Fate, _ file: String) {
        testDescription = title
        self.sql = sql
        self.name = name
        self.fate = fate
        self.file = file
    }

    private static func log(
        _ title: String, _ sql: String, _ name: String, _ fate: Fate
    ) -> Craft { Craft(title, sql, name, fate, "events.sqlite") }

    private static func catalogue(
        _ title: String, _ sql: String, _ name: String, _ fate: Fate
    ) -> Craft { Craft(title, sql, name, fate, "catalogue.sqlite") }

    /// An edit of a definition, as only `writable_schema` allows it.
    private static func edit(_ table: String, _ old: String, _ new: String) -> String {
        """
        PRAGMA writable_schema=ON;
        UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)') WHERE name = '\(table)';
        """
    }

    static let all = [
        log(
            "a trigger on insert",
            "CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM event; END",
            #"trigger "t" of "event""#, .removed),
        log(
            "a trigger on delete",
            "CREATE TRIGGER t BEFORE DELETE ON stay BEGIN SELECT RAISE(ABORT, 'no'); END",
            #"trigger "t" of "stay""#, .removed),
        log(
            "a trigger with a name in quotes",
            #"CREATE TRIGGER "a""b" AFTER UPDATE ON state BEGIN DELETE FROM event; END"#,
            #"trigger "a"b" of "state""#, .removed),
        log(
            "a trigger with an accent on a quotation mark",
            "CREATE TRIGGER \"a\"\"\u{301}\" AFTER UPDATE ON state BEGIN DELETE FROM event; END",
            "trigger \"a\"\u{301}\" of \"state\"", .removed),
        log("a view", "CREATE VIEW v AS SELECT * FROM event", #"view "v""#, .removed),
        log(
            "a view in place of a table",
            "DROP TABLE sink; CREATE VIEW sink AS SELECT '' AS name, 0 AS announced",
            #"view "sink""#, .setAside),
        log(
            "an index on an expression",
            "CREATE INDEX i ON event (length(hex(zeroblob(100000000))))",
            #"index "i" of "event""#, .removed),
        log(
            "a unique index", "CREATE UNIQUE INDEX i ON event (announced)",
            #"index "i" of "event""#, .removed),
        log(
            "a generated column",
            "ALTER TABLE event ADD COLUMN g TEXT AS (hex(zeroblob(100000000)))",
            #"table "event""#, .setAside),
        log(
            "a check that calls a function",
            edit("event", "kind INTEGER NOT NULL", "kind INTEGER NOT NULL CHECK (abs(kind) < 0)"),
            #"table "event""#, .setAside),
        log(
            "a check hidden between comments",
            edit(
                "event", "kind INTEGER NOT NULL",
                "kind INTEGER NOT NULL /* '' */ CHECK (abs(kind) < 0) /* '' */"),
            #"table "event""#, .setAside),
        log(
            "another check in place of ours",
            edit("state", "CHECK (only_row = 1)", "CHECK (only_row < length(zeroblob(100000000)))"),
            #"table "state""#, .setAside),
        log(
            "an index with a condition that is worked out",
            "CREATE INDEX i ON event (fence) WHERE length(hex(title)) > 5",
            #"index "i" of "event""#, .removed),
        log(
            "an index in another order of texts", "CREATE INDEX i ON event (fence COLLATE NOCASE)",
            #"index "i" of "event""#, .removed),
        log(
            "a default that is worked out",
            edit("stay", "watch BLOB", "watch BLOB DEFAULT (zeroblob(100000000))"),
            #"table "stay""#, .setAside),
        log(
            "a column that must not be null", edit("event", "fence TEXT,", "fence TEXT NOT NULL,"),
            #"table "event""#, .setAside),
        log(
            "a table that refers to ours",
            """
            CREATE TABLE child (seq REFERENCES event (seq) ON DELETE RESTRICT);
            INSERT INTO child SELECT seq FROM event
            """, #"table "child""#, .left),
        log("statistics", "ANALYZE", #"table "sqlite_stat1""#, .left),
        catalogue(
            "a trigger beside the R*Tree",
            "CREATE TRIGGER t AFTER INSERT ON box_rowid BEGIN DELETE FROM cell; END",
            #"trigger "t" of "box_rowid""#, .removed),
        catalogue(
            "an index beside the R*Tree", "CREATE UNIQUE INDEX i ON box_node (length(data))",
            #"index "i" of "box_node""#, .removed),
        catalogue(
            "an R*Tree of another kind",
            "DROP TABLE box; CREATE VIRTUAL TABLE box USING rtree_i32 (number, west, east, south, north)",
            #"table "box""#, .setAside),
        catalogue(
            "a virtual table", "CREATE VIRTUAL TABLE other USING rtree (a, b, c)",
            #"table "other""#, .left),
        catalogue(
            "a virtual table in place of ours",
            "DROP TABLE beacon; CREATE VIRTUAL TABLE beacon USING rtree (number, a, b)",
            #"table "beacon""#, .setAside),
    ]
}

@Suite("What a file defines beyond what geofenced makes")
struct ForeignSchemaTests {
    private let scratch: Scratch
    private var state: String { scratch.file("state") }
    private var backup: String { scratch.file("backup") }

    init() throws {
        scratch = try Scratch()
        try FileManager.default.createDirectory(
            atPath: scratch.file("state"), withIntermediateDirectories: true)
        let store = try Store(directory: state, bootID: nil)
        _ = try store.apply(upserts: [try circle("one", 1, 2)])
        var first = record([event(1)])
        first.opened = [
            OpenStay(fence: "one", added: 1, began: UTCTime(nanoseconds: 2), dwellTold: false)
        ]
        _ = try store.commit(first)
        #expect(store.takeForeign().isEmpty)
    }

    /// Everything that the daemon writes.
    private func use(_ store: Store, events: ClosedRange<Int>) throws {
        for number in events {
            var next = record([event(Double(number))])
            next.closed = ["one"]
            #expect(try store.commit(next)[0].seq == UInt64(number))
        }
        _ = try store.apply(upserts: [try circle("two", 1, 2)], removing: ["one"])
    }

    @Test("is refused by restore, and named; nothing is changed", arguments: Craft.all)
    func restore(_ craft: Craft) throws {
        _ = try StoreBackup.make(of: state, to: backup)
        _ = try sqlite(craft.sql, "\(backup)/\(craft.file)")
        let before = try Data(contentsOf: URL(filePath: "\(state)/\(craft.file)"))
        let failure = #expect(throws: BackupFailure.self) {
            try StoreBackup.restore(backup, into: state)
        }
        #expect(failure?.reason == "holds what geofenced has not made: \(craft.name)")
        #expect(try Data(contentsOf: URL(filePath: "\(state)/\(craft.file)")) == before)
    }

    @Test("has no effect at the start, and is named", arguments: Craft.all)
    func start(_ craft: Craft) throws {
        _ = try sqlite(craft.sql, "\(state)/\(craft.file)")
        do {
            let store = try Store(directory: state, bootID: nil)
            let foreign = store.takeForeign()
            if craft.fate == .setAside {
                #expect(store.setAside.count == 1)
            } else {
                #expect(store.setAside.isEmpty)
                // A virtual table has others.
                #expect(foreign.first == "\(state)/\(craft.file): \(craft.name)")
                try use(store, events: 2...4)
                #expect(try store.log.events(after: 0, limit: 9).map(\.seq) == [1, 2, 3, 4])
                #expect(try store.entries(ids: ["one", "two"]).count == 1)
            }
        }
        let again = try Store(directory: state, bootID: nil)
        #expect(again.takeForeign().isEmpty == (craft.fate != .left))
        #expect(again.setAside.isEmpty)
        // A backup has only what is ours, and can be restored.
        _ = try StoreBackup.make(of: state, to: backup)
        let other = scratch.file("other")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        #expect(
            try StoreBackup.restore(backup, into: other).fences
                == again.counts().values.reduce(0, +))
    }

    @Test(
        "has no effect in a log of a later version either",
        arguments: Craft.all.filter { $0.file == "events.sqlite" })
    func later(_ craft: Craft) throws {
        _ = try sqlite(craft.sql, "\(state)/\(craft.file)")
        _ = try sqlite("PRAGMA user_version=99", "\(state)/\(craft.file)")
        let store = try Store(directory: state, bootID: nil)
        #expect(store.setAside.count == (craft.fate == .setAside ? 1 : 0))
        if craft.fate == .removed {
            #expect(store.takeForeign() == ["\(state)/\(craft.file): \(craft.name)"])
        }
        if craft.fate != .setAside { try use(store, events: 2...4) }
        #expect(
            try sqlite(
                "SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view') OR name = 'i'",
                "\(state)/\(craft.file)") == "0\n")
    }

    @Test(
        "a crafted log of a later version is refused by restore",
        arguments: Craft.all.filter { $0.file == "events.sqlite" && $0.fate != .left })
    func restoreLater(_ craft: Craft) throws {
        _ = try StoreBackup.make(of: state, to: backup)
        _ = try sqlite(craft.sql, "\(backup)/\(craft.file)")
        _ = try sqlite("PRAGMA user_version=99", "\(backup)/\(craft.file)")
        #expect(throws: BackupFailure.self) { try StoreBackup.restore(backup, into: state) }
    }

    @Test("a function that no schema may call: refused by restore, set aside at the start")
    func unsafe() throws {
        _ = try StoreBackup.make(of: state, to: backup)
        for directory in [state, backup] {
            _ = try sqlite("CREATE INDEX i ON event (json(metadata))", "\(directory)/events.sqlite")
        }
        let failure = #expect(throws: StoreError.self) {
            try StoreBackup.restore(backup, into: state)
        }
        #expect(failure?.message.contains("(i)") == true, "\(failure?.message ?? "")")
        let store = try Store(directory: state, bootID: nil)
        #expect(store.setAside.first?.reason.contains("(i)") == true)
        #expect(try store.commit(record([event(1)]))[0].seq >= 2)
    }

    @Test("in a write-ahead log beside a backup, does not come into the store")
    func log() throws {
        _ = try StoreBackup.make(of: state, to: backup)
        let path = "\(backup)/events.sqlite"
        // The log stays when the last connection is killed.
        let shell = Subprocess([
            "sh", "-c",
            """
            printf '%s\\n' 'PRAGMA journal_mode=WAL;' 'CREATE TRIGGER t AFTER INSERT ON event
            BEGIN DELETE FROM event; END;' '.shell kill -9 $PPID' | sqlite3 '\(path)' >/dev/null
            """,
        ])
        try #require(shell.wait()?.status == 128 + SIGKILL)
        try #require(FileManager.default.fileExists(atPath: path + "-wal"))
        _ = try StoreBackup.restore(backup, into: state)
        #expect(
            try sqlite(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'",
                "\(state)/events.sqlite") == "0\n")
    }

    @Test(
        "columns and words that mean nothing to us condemn no file",
        arguments: [
            "ALTER TABLE event ADD COLUMN later TEXT",
            "ALTER TABLE state ADD COLUMN later INTEGER NOT NULL DEFAULT 7",
            "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, 'title TEXT', 'title TEXU')",
        ])
    func additions(_ sql: String) throws {
        _ = try sqlite(sql, "\(state)/events.sqlite")
        let store = try Store(directory: state, bootID: nil)
        #expect(store.setAside.isEmpty && store.takeForeign().isEmpty)
        try use(store, events: 2...3)
    }
}
