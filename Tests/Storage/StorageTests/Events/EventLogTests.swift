import EngineTestKit
import Foundation
import Geodesy
import Law
import Model
import Storage
import Testing
import Time

/// One event of a fence at a second.
func event(_ second: Double, _ kind: EventKind = .enter, fence: String? = "a") -> Event {
    let time = UTCTime(nanoseconds: 0) + .seconds(second)
    return Event(kind: kind, fence: fence, time: time, fixTime: time, presence: nil)
}

func record(_ events: [Event], known: Generation = 0) -> EventRecord {
    EventRecord(events: events, opened: [], closed: [], known: known, positionLost: false)
}

@Suite("event log")
struct EventLogTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func open(_ retention: Retention = Retention()) throws -> Store {
        try Store(
            directory: scratch.path, bootID: "0123456789abcdef0123456789abcdef",
            retention: retention)
    }

    @Test("every field of every kind and reason comes back from the disk")
    func fields() throws {
        var events: [Event] = []
        for kind in EventKind.allCases { events.append(event(1.5, kind, fence: nil)) }
        for reason in EventReason.allCases {
            events.append(
                Event(
                    kind: .exit, fence: "ä", title: "T", time: UTCTime(nanoseconds: -5),
                    fixTime: UTCTime(nanoseconds: .max), presence: .outside, inferred: true,
                    reason: reason, distance: -12.4, error: 5, speed: 22.1, course: 87,
                    coordinate: Coordinate(latitude: 1.1, longitude: -2.2),
                    stay: .seconds(3), announced: false, metadata: #"{"a":1}"#))
        }
        let logged = try open().commit(record(events))
        #expect(logged.map(\.event) == events)
        #expect(logged.map(\.seq) == Array(1...UInt64(events.count)))
        #expect(try open().log.events(after: 0, limit: 100) == logged)
        #expect(try open().log.events(after: 3, limit: 2) == Array(logged[3..<5]))
        #expect(try open().log.events(after: .max, limit: 2).isEmpty)
    }

    @Test("stays, known generation and lost position are those of the last commit")
    func stays() throws {
        let store = try open()
        let a = OpenStay(
            fence: "a", added: 3, began: UTCTime(nanoseconds: 7), dwellTold: false)
        var b = a
        b.fence = "b"
        b.stage = .advisory
        _ = try store.commit(
            EventRecord(
                events: [event(1)], opened: [a, b], closed: [], known: 5, positionLost: true))
        b.dwellTold = true
        b.stage = .urgent
        _ = try store.commit(
            EventRecord(
                events: [], opened: [b], closed: ["a", "nobody"], known: 4, positionLost: true))
        let reopened = try open()
        #expect(try reopened.log.openStays() == [b])
        #expect(reopened.log.known == 5)
        #expect(reopened.log.positionLost)
        #expect(reopened.log.lastSeq == 1)
        #expect(reopened.generation == 5, "a generation that was known is not given again")
    }

    @Test("last position and engine state come back, with the boot they belong to")
    func kept() throws {
        let store = try open()
        #expect(try store.log.lastPosition() == nil)
        #expect(try store.log.checkpoint() == nil)
        let position = LastPosition(
            coordinate: Coordinate(latitude: 1, longitude: 2),
            time: UTCTime(nanoseconds: 9))
        try store.log.save(position)
        _ = try store.log.commit(record([event(1)]), checkpoint: [1, 2, 3])
        #expect(try open().log.lastPosition() == position)
        let boot = "0123456789abcdef0123456789abcdef"
        #expect(try open().log.checkpoint() == StoredCheckpoint(bootID: boot, bytes: [1, 2, 3]))
        try store.flush(checkpoint: [4, 5])
        #expect(try open().log.checkpoint() == StoredCheckpoint(bootID: boot, bytes: [4, 5]))
    }

    @Test("the position of each sink comes back, also of one further ahead")
    func positions() throws {
        let store = try open()
        for number in 1...9 { _ = try store.commit(record([event(Double(number))])) }
        let some = SinkPositions(least: 3, further: ["bus": 8, "console": 3])
        #expect(some["bus"] == 8 && some["console"] == 3 && some["journal"] == 3)
        store.log.markAnnounced(some)
        store.log.markAnnounced(SinkPositions(least: 3, further: ["bus": 10]))
        #expect(store.log.announced == some, "nobody has announced what is not there")
        #expect(try open().log.announced == SinkPositions())
        _ = try store.commit(record([event(10)]))
        #expect(try open().log.announced == some)
        store.log.markAnnounced(SinkPositions(least: 9, further: ["bus": 10]))
        try store.flush()
        #expect(try open().log.announced == SinkPositions(least: 9, further: ["bus": 10]))
        store.log.markAnnounced(SinkPositions(least: 10))
        try store.flush()
        #expect(try open().log.announced == SinkPositions(least: 10))
    }

    @Test("an engine state older than the stays beside it is discarded", arguments: [1, 2])
    func forgotten(processes: Int) throws {
        var store = try open()
        _ = try store.log.commit(record([event(1)]), checkpoint: [1, 2, 3])
        if processes == 2 { store = try open() }
        _ = try store.commit(record([event(2)]))
        #expect(try open().log.checkpoint() == nil)
    }

    @Test("the log keeps its count, and says where it begins")
    func count() throws {
        let store = try open(Retention(count: 200, age: .seconds(1e9), always: 100))
        for number in 1...1_000 {
            let seq = try store.commit(record([event(Double(number))]))[0].seq
            store.log.markAnnounced(SinkPositions(least: seq))
        }
        let kept = try store.log.events(after: 0, limit: 5_000)
        #expect((200...263).contains(kept.count))
        #expect(kept.last?.seq == 1_000)
        #expect(kept.first?.seq == store.log.oldestSeq)
        #expect(try open().log.oldestSeq == store.log.oldestSeq)
    }

    @Test(
        "a reader is told before events are cut that it has not read",
        arguments: [
            // A log that has not reached its limits.
            (0, 1...899, false), (0, 1...900, true), (500, 1...1_399, false),
            (900, 1...900, false),
            // One that has: what was cut, what will be, and what will not yet.
            (99, 101...1_100, true), (100, 101...1_100, true), (200, 101...1_100, true),
            (201, 101...1_100, false), (1_100, 101...1_100, false),
            // One that begins late because its file was lost.
            (1_000, 1_001...1_050, false), (999, 1_001...1_050, true),
        ] as [(UInt64, ClosedRange<UInt64>, Bool)])
    func cutting(_ read: UInt64, _ kept: ClosedRange<UInt64>, _ isCutting: Bool) {
        let retention = Retention(count: 1_000, age: .seconds(1e9), always: 1_000)
        #expect(
            retention.isCutting(after: read, of: kept.lowerBound, to: kept.upperBound)
                == isCutting)
    }

    @Test("events older than the maximum age are removed, except the most recent ones")
    func age() throws {
        let store = try open(Retention(count: 10_000, age: .seconds(3_600), always: 100))
        store.log.markAnnounced(SinkPositions(least: 0))
        for number in 0..<500 {
            let seq = try store.commit(record([event(Double(number))]))[0].seq
            store.log.markAnnounced(SinkPositions(least: seq))
        }
        #expect(store.log.oldestSeq == 1)
        for number in 0..<10 {
            _ = try store.commit(record([event(1e9 + Double(number))]))
        }
        let kept = try store.log.events(after: 0, limit: 5_000)
        #expect((100...163).contains(kept.count))
    }

    @Test("unannounced events stay until the log is twice its count")
    func unannounced() throws {
        let store = try open(Retention(count: 200, age: .seconds(1e9), always: 100))
        for number in 1...390 { _ = try store.commit(record([event(Double(number))])) }
        #expect(store.log.oldestSeq == 1)
        for number in 1...610 { _ = try store.commit(record([event(Double(number))])) }
        #expect(try (400...463).contains(store.log.events(after: 0, limit: 5_000).count))
    }

    @Test("metadata of the maximum size: the file stays within its size")
    func size() throws {
        let store = try open(Retention(count: 100_000, age: .seconds(1e9), size: 2 << 20))
        var large = event(1)
        large.metadata = "{\"a\":\"\(String(repeating: "x", count: 60_000))\"}"
        for number in 1...150 {
            let seq = try store.commit(record([large, event(2)]))[0].seq
            if number > 50 { store.log.markAnnounced(SinkPositions(least: seq)) }
            // Unannounced events stay until there is twice as much.
            if number == 50 { #expect(store.log.oldestSeq < 40) }
        }
        let kept = try store.log.events(after: 0, limit: 5_000)
        #expect(kept.first?.seq == store.log.oldestSeq)
        #expect(kept.last?.seq == 300)
        #expect((40...80).contains(kept.count), "\(kept.count)")
        var status = stat()
        stat(scratch.file("events.sqlite"), &status)
        #expect(status.st_size < 5 << 20, "\(status.st_size)")
        // Small ones have room again.
        for _ in 1...300 {
            let seq = try store.commit(record([event(1)]))[0].seq
            store.log.markAnnounced(SinkPositions(least: seq))
        }
        #expect(try store.log.events(after: 0, limit: 5_000).count > 250)
    }

    @Test("events of any size never exceed the size in pages, and the last ones are kept")
    func pages() throws {
        let store = try open(Retention(count: 100_000, age: .seconds(1e9), size: 1 << 20))
        var random = SeededRandom(seed: 11)
        for number in 1...400 {
            let isLarge = number % 100 > 60
            let events = (0..<random.integer(1..<5)).map { _ in
                let id = String(repeating: "f", count: random.integer(0..<200))
                var one = event(Double(number), fence: "\(random.integer(0..<50))\(id)")
                one.metadata = String(repeating: "x", count: isLarge ? 15_000 : 20)
                return one
            }
            var record = record(events)
            record.opened = events.map {
                OpenStay(
                    fence: $0.fence ?? "", added: 1, began: UTCTime(nanoseconds: 1),
                    dwellTold: false)
            }
            store.log.markAnnounced(SinkPositions(least: try store.commit(record).last?.seq ?? 0))
            guard number % 10 == 0 else { continue }
            let answer = try sqlite(
                "PRAGMA page_count; PRAGMA freelist_count; PRAGMA page_size",
                scratch.file("events.sqlite"))
            let counts = answer.split(separator: "\n").compactMap { Int($0) }
            try #require(counts.count == 3)
            #expect((counts[0] - counts[1]) * counts[2] <= 1 << 20, "after \(number)")
        }
        #expect(store.log.oldestSeq > 1)
    }

    @Test("rows deleted by another program are gone, and the rest stays within its count")
    func deletedMeanwhile() throws {
        let store = try open(Retention(count: 200, age: .seconds(1e9), always: 100))
        for number in 1...150 { _ = try store.commit(record([event(Double(number))])) }
        try sqlite("DELETE FROM event WHERE seq <= 100", scratch.file("events.sqlite"))
        for number in 1...600 {
            store.log.markAnnounced(
                SinkPositions(least: try store.commit(record([event(Double(number))]))[0].seq))
        }
        let kept = try store.log.events(after: 0, limit: 5_000)
        #expect((200...263).contains(kept.count))
        #expect(kept.first?.seq == store.log.oldestSeq)
    }

    @Test("a number is never used twice, not even when the log was emptied")
    func emptied() throws {
        _ = try open().commit(record((1...5).map { event(Double($0)) }))
        try sqlite("DELETE FROM event", scratch.file("events.sqlite"))
        let store = try open()
        #expect(store.log.lastSeq == 5 && store.log.oldestSeq == 6)
        #expect(try store.commit(record([event(6)]))[0].seq == 6)
    }

    @Test("announced is written with the next commit, or at the stop")
    func announced() throws {
        let store = try open()
        _ = try store.commit(record([event(1), event(2)]))
        store.log.markAnnounced(SinkPositions(least: 2))
        store.log.markAnnounced(SinkPositions(least: 1))
        store.log.markAnnounced(SinkPositions(least: 9))
        #expect(store.log.announced.least == 2)
        #expect(try open().log.announced.least == 0)
        try store.flush()
        #expect(try open().log.announced.least == 2)
        _ = try store.commit(record([event(3)]))
        store.log.markAnnounced(SinkPositions(least: 3))
        _ = try store.commit(record([event(4)]))
        #expect(try open().log.announced.least == 3)
    }

    @Test(
        "a log that is restored where it is not, or lost with its numbers, has another name; else its own"
    )
    func identity() throws {
        let state = try Scratch()
        func logID(of directory: Scratch) throws -> String {
            let store = try directory.open()
            _ = try store.commit(record([event(1)]))
            try store.keepSecond()
            return store.log.id
        }
        let id = try logID(of: state)
        let copy = state.file("copy")
        _ = try StoreBackup.make(of: state.path, to: copy)
        _ = try StoreBackup.restore(copy, into: state.path)
        #expect(try logID(of: state) == id)
        let elsewhere = try Scratch()
        _ = try StoreBackup.restore(copy, into: elsewhere.path)
        let other = try logID(of: elsewhere)
        #expect(other != id && other.utf8.count == 32)
        try FileManager.default.removeItem(atPath: state.file("events.sqlite"))
        #expect(try logID(of: state) == id)
        for name in ["events.sqlite", "numbers"] {
            try FileManager.default.removeItem(atPath: state.file(name))
        }
        let fresh = try logID(of: state)
        #expect(![id, other, ""].contains(fresh))
    }

    @Test(
        "events of a backup that was restored elsewhere keep their log; later ones are of another")
    func restoredElsewhere() throws {
        func commit(_ store: Store, _ numbers: ClosedRange<Int>) throws {
            for number in numbers { _ = try store.commit(record([event(Double(number))])) }
        }
        func logs(_ store: Store, _ numbers: ClosedRange<UInt64>) -> [String] {
            numbers.map { store.log.id(of: $0) }
        }
        let first = try Scratch()
        let old: String
        do {
            let store = try Store(directory: first.path, bootID: nil)
            old = store.log.id
            try commit(store, 1...3)
        }
        let copy = first.file("copy")
        _ = try StoreBackup.make(of: first.path, to: copy)
        var ids = [old]
        // On an empty disk, and on one whose numbers are greater.
        for count in [0, 5] {
            let second = try Scratch()
            if count > 0 {
                try commit(try Store(directory: second.path, bootID: nil), 1...count)
            }
            _ = try StoreBackup.restore(copy, into: second.path)
            let store = try Store(directory: second.path, bootID: nil)
            let next = UInt64(max(3, count)) + 1
            #expect(store.log.lastSeq == next - 1)
            try commit(store, 6...6)
            #expect(logs(store, 1...3) == [old, old, old])
            #expect(logs(store, 4...next) == Array(repeating: store.log.id, count: Int(next) - 3))
            ids.append(store.log.id)
            // A backup of that has both.
            let third = try Scratch()
            let again = second.file("copy")
            _ = try StoreBackup.make(of: second.path, to: again)
            _ = try StoreBackup.restore(again, into: third.path)
            let last = try Store(directory: third.path, bootID: nil)
            #expect(logs(last, 1...3) == [old, old, old])
            #expect(last.log.id(of: next) == store.log.id)
            #expect(last.log.id(of: next + 1) == last.log.id && last.log.id != store.log.id)
        }
        #expect(Set(ids).count == 3)
    }

    @Test("the memory store commits as the file does")
    func memory() throws {
        let store = try open()
        let memory = MemoryFenceStore()
        memory.bootID = "0123456789abcdef0123456789abcdef"
        var random = SeededRandom(seed: 5)
        for second in 0..<200 {
            let ids = ["a", "b", "c", "d"].filter { _ in random.chance(0.3) }
            let opened = ids.filter { _ in random.chance(0.5) }
            let record = EventRecord(
                events: ids.map { event(Double(second), fence: $0) },
                opened: opened.map {
                    OpenStay(
                        fence: $0, added: 1, began: UTCTime(nanoseconds: Int64(second)),
                        dwellTold: random.chance(0.5))
                },
                closed: ids.filter { !opened.contains($0) },
                known: UInt64(random.integer(0..<100)), positionLost: random.chance(0.5))
            #expect(try store.commit(record) == memory.commit(record))
            let stays = memory.openStays.sorted { $0.fence < $1.fence }
            #expect(try store.log.openStays() == stays, "\(random)")
            #expect(
                store.log.known == memory.known && store.log.positionLost == memory.positionLost)
        }
        #expect(try store.log.events(after: 0, limit: 1_000) == memory.log)
        struct Full: Error {}
        memory.commitFailure = Full()
        #expect(throws: Full.self) { try memory.commit(record([event(1)])) }
        #expect(memory.log.count == Int(store.log.lastSeq))
    }
}
