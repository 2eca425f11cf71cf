import Foundation
import Law
import Model
import SystemTestKit
import Testing
import Time

@testable import Storage

@Suite("drivers in the log")
struct DriverLogTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func time(_ second: Int64) -> UTCTime { UTCTime(nanoseconds: second * 1_000_000_000) }

    /// As the monitoring service does it.
    @discardableResult
    private func commit(_ second: Double, _ store: Store) throws -> LoggedEvent {
        try store.commit(record([event(second)]).driven(by: store.log.driver?.number))[0]
    }

    private func drivers(_ store: Store) throws -> [String?] {
        try store.log.events(after: 0, limit: 99).map(\.driver)
    }

    @Test("an event has the driver of when it was recorded, in the next process too")
    func kept() throws {
        do {
            let store = try scratch.open()
            #expect(store.log.driver == nil)
            #expect(try commit(1, store).driver == nil)
            try store.log.setDriver("ada", at: time(2))
            #expect(try commit(2, store).driver == "ada")
        }
        do {
            let store = try scratch.open()
            #expect(store.log.driver?.id == "ada" && store.log.driver?.since == time(2))
            try commit(3, store)
            try store.log.setDriver("bob", at: time(4))
            try commit(4, store)
            try store.log.setDriver(nil, at: time(5))
            try commit(5, store)
            try store.log.setDriver("ada", at: time(6))
            #expect(store.log.driver?.firstSet == time(2) && store.log.driver?.since == time(6))
            let logged = try commit(6, store)
            #expect(try store.log.events(after: 5, limit: 1) == [logged])
        }
        let store = try scratch.open()
        #expect(try drivers(store) == [nil, "ada", "ada", "bob", nil, "ada"])
        #expect(try store.log.events(of: ["a"], after: 3, limit: 1).map(\.driver) == ["bob"])
        #expect(try store.log.lastChange(of: "a")?.driver == "ada")
    }

    @Test("who has said so is kept; what an older program has written is a call")
    func source() throws {
        for source in DriverSource.allCases {
            try scratch.open().log.setDriver("ada \(source)", by: source, at: time(1))
            #expect(try scratch.open().log.driver?.source == source)
        }
        let path = scratch.file("events.sqlite")
        let older = Subprocess([
            "sqlite3", path,
            "INSERT OR REPLACE INTO driving (only_row, driver, since) SELECT 1, driver, since FROM driving",
        ])
        #expect(older.wait()?.status == 0)
        #expect(try scratch.open().log.driver?.source == .call)
    }

    @Test("setting the same driver again changes nothing")
    func again() throws {
        let store = try scratch.open()
        try store.log.setDriver("ada", at: time(1))
        let before = store.log.driver
        try store.log.setDriver("ada", at: time(2))
        #expect(store.log.driver == before)
    }

    @Test("a forgotten driver is in no event, and in no file of the store")
    func forgotten() throws {
        // Several pages of rows.
        let names = (0..<60).map { "driver-\($0)-\(String(repeating: "x", count: 40))" }
        let bytes = Array("driver-33-".utf8)
        func found() throws -> [String] {
            try scratch.names.filter { name in
                let data = try Data(contentsOf: URL(fileURLWithPath: scratch.file(name)))
                return data.range(of: Data(bytes)) != nil
            }
        }
        let store = try scratch.open()
        for (second, name) in names.enumerated() {
            try store.log.setDriver(name, at: time(Int64(second)))
            try commit(Double(second), store)
        }
        #expect(try !found().isEmpty)
        #expect(try store.log.forgetDriver(names[33]))
        #expect(try found() == [])
        #expect(try store.log.forgetDriver(names[33]) == false)
        var expected: [String?] = names
        expected[33] = nil
        #expect(try drivers(store) == expected)
        // Another of that id is somebody else.
        try store.log.setDriver(names[33], at: time(100))
        #expect(try drivers(store) == expected)
        #expect(try scratch.open().setAside.isEmpty)
    }

    @Test("of the present driver nothing is left, neither in events that wait")
    func present() throws {
        let store = try scratch.open()
        try store.log.setDriver("ada", at: time(1))
        try commit(1, store)
        let waiting = record([event(2)]).driven(by: store.log.driver?.number)
        #expect(try store.log.forgetDriver("ada"))
        #expect(store.log.driver == nil)
        try store.log.setDriver("bob", at: time(2))
        #expect(try store.commit(try #require(EventRecord(bytes: waiting.bytes)))[0].driver == nil)
        #expect(try drivers(store) == [nil, nil])
        #expect(try scratch.open().log.driver?.id == "bob")
    }

    @Test("an event that has waited keeps its driver")
    func waited() throws {
        let store = try scratch.open()
        try store.log.setDriver("ada", at: time(1))
        let waiting = record([event(1)]).driven(by: store.log.driver?.number)
        try store.log.setDriver("bob", at: time(2), waiting: 1)
        let both = waiting.followed(by: record([event(2)]).driven(by: store.log.driver?.number))
        let read = try #require(EventRecord(bytes: both.bytes))
        #expect(try store.commit(read).map(\.driver) == ["ada", "bob"])
    }

    @Test("a driver of whom the log has no event any more is not kept")
    func trimmed() throws {
        let store = try Store(
            directory: scratch.path, bootID: nil,
            retention: Retention(count: 100, age: .seconds(1), always: 100))
        try store.log.setDriver("ada", at: time(0))
        try commit(0, store)
        try store.log.setDriver("bob", at: time(1))
        let rows = {
            try sqlite("SELECT id FROM driver ORDER BY id", scratch.file("events.sqlite"))
        }
        #expect(try rows() == "ada\nbob\n")
        for second in 1...400 {
            try commit(Double(second), store)
            store.log.markAnnounced(SinkPositions(least: store.log.lastSeq))
        }
        #expect(store.log.oldestSeq > 2)
        #expect(try rows() == "bob\n")
    }

    @Test("a log that replaces a damaged one has the present driver, and events have him")
    func replaced() throws {
        let store = try scratch.open()
        try store.log.setDriver("ada", at: time(1))
        try commit(1, store)
        scratch.remove("events.sqlite")
        try commit(2, store)
        #expect(try drivers(store) == ["ada"])
        #expect(try scratch.open().log.driver?.id == "ada")
    }

    @Test("a restored copy has the drivers of its events, and whoever drives now")
    func restored() throws {
        let backup = scratch.file("backup")
        do {
            let store = try scratch.open()
            try store.log.setDriver("ada", at: time(1))
            try commit(1, store)
            _ = try StoreBackup.make(of: scratch.path, to: backup)
            try store.log.setDriver("bob", at: time(2))
            try commit(2, store)
        }
        _ = try StoreBackup.restore(backup, into: scratch.path)
        let store = try scratch.open()
        #expect(store.log.driver?.id == "bob" && store.log.driver?.since == time(2))
        try commit(3, store)
        #expect(try drivers(store) == ["ada", "bob"])
    }

    @Test("where the log cannot be written nobody is set or forgotten, and that is said")
    func unwritable() throws {
        do { try scratch.open().log.setDriver("ada", at: time(1)) }
        let other = try Store(directory: scratch.file("none"), bootID: nil)
        #expect(throws: StoreError.self) { try other.log.setDriver("ada", at: time(1)) }
        #expect(throws: StoreError.self) { try other.log.forgetDriver("ada") }
        #expect(other.log.driver == nil)
    }

    private func rows() throws -> Int {
        let count = Subprocess([
            "sqlite3", scratch.file("events.sqlite"), "SELECT count(*) FROM driver",
        ])
        return try #require(
            (count.wait()?.output).flatMap {
                Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
            })
    }

    @Test("of whoever has no event nothing is kept, in no file, once another is set")
    func unused() throws {
        let store = try scratch.open()
        for number in 0..<50 {
            try store.log.setDriver("passenger-\(number)", at: time(Int64(number)))
        }
        try store.log.setDriver("ada", at: time(100))
        try commit(101, store)
        try store.log.setDriver(nil, at: time(102))
        #expect(try rows() == 1)
        #expect(try drivers(store) == ["ada"])
        // Whoever drove before stays, though no event came this time.
        try store.log.setDriver("ada", at: time(103))
        try store.log.setDriver("bob", at: time(104))
        #expect(try rows() == 2)
        _ = try store.log.forgetDriver("bob")
        for name in ["events.sqlite", "events.sqlite-wal"] {
            let bytes = FileManager.default.contents(atPath: scratch.file(name)) ?? Data()
            #expect(bytes.range(of: Data("passenger".utf8)) == nil, "\(name)")
        }
    }

    @Test("a log has no more than 1000 drivers; a known one is set again, another once one is gone")
    func most() throws {
        let store = try scratch.open()
        for number in 0..<1_000 {
            try store.log.setDriver("d\(number)", at: time(Int64(number)))
            try commit(Double(number), store)
        }
        #expect(throws: TooManyDrivers(most: 1_000)) {
            try store.log.setDriver("one more", at: time(2_000))
        }
        #expect(store.log.driver?.id == "d999")
        try store.log.setDriver("d5", at: time(2_001))
        #expect(store.log.driver?.id == "d5")
        #expect(try store.log.forgetDriver("d7"))
        try store.log.setDriver("one more", at: time(2_002))
        #expect(store.log.driver?.id == "one more")
    }

    @Test("what an older version has kept too many of goes in portions, with what is recorded")
    func portions() throws {
        let store = try Store(
            directory: scratch.path, bootID: nil, retention: Retention(count: 20, always: 1))
        for second in 1...30 { try commit(Double(second), store) }
        let insert = Subprocess([
            "sqlite3", scratch.file("events.sqlite"),
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO driver (number, id, first_set, last_seq) SELECT 100000 + i, 'd' || i, 0, 1 FROM n
            """,
        ])
        #expect(insert.wait()?.status == 0)
        var counts: [Int] = []
        for second in 31...600 where counts.last != 0 {
            try commit(Double(second), store)
            counts.append(try rows())
        }
        let steps = zip([5_000] + counts, counts).map { $0 - $1 }
        #expect(counts.last == 0 && steps.allSatisfy { $0 <= 2_000 }, "\(counts)")
    }
}
