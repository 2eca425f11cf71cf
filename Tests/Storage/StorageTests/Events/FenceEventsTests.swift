import EngineTestKit
import Model
import Testing

@testable import Storage

@Suite("events of some fences")
struct FenceEventsTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("are those of the whole log that are about them, in portions of any size")
    func exact() throws {
        // "é" as one code point and as two: ids are bytes.
        let ids = ["a", "b", "\u{e9}", "e\u{301}", "never", "A"]
        var random = SeededRandom(seed: 4)
        let store = try scratch.open()
        for _ in 0..<20 {
            let events = (0..<random.integer(0..<40)).map { second in
                StorageTests.event(
                    Double(second), fence: random.chance(0.2) ? nil : ids[random.integer(0..<4)])
            }
            _ = try store.commit(record(events))
        }
        let all = try store.log.events(after: 0, limit: .max)
        try #require(all.count > 200)
        for wanted in [["a"], ["b", "a"], ["a", "a"], ["\u{e9}"], ["never"], ids] {
            let keys = wanted.map { Array($0.utf8) }
            for (after, portion) in [(0, 1), (0, 7), (0, 1_000), (100, 16), (1_000, 5)] {
                let expected = all.filter { logged in
                    logged.seq > UInt64(after)
                        && (logged.event.fence.map { keys.contains(Array($0.utf8)) } ?? false)
                }
                var read: [LoggedEvent] = []
                var last = UInt64(after)
                while true {
                    let events = try store.log.events(of: wanted, after: last, limit: portion)
                    #expect(events.count <= portion)
                    guard let end = events.last?.seq else { break }
                    read += events
                    last = end
                }
                #expect(read == expected)
            }
        }
        #expect(try store.log.events(of: ["a"], after: .max, limit: 9).isEmpty)
        #expect(try store.log.events(of: ["a"], after: 0, limit: 0).isEmpty)
        #expect(try store.log.events(of: [], after: 0, limit: 9).isEmpty)
    }

    @Test("one that cannot be read is skipped, without another fence's in its place")
    func unreadable() throws {
        do {
            let store = try scratch.open()
            let fences = ["a", "a", "b", "a", "a"]
            _ = try store.commit(
                record(fences.enumerated().map { event(Double($0), fence: $1) }))
        }
        try sqlite("UPDATE event SET kind = -77 WHERE seq IN (2, 4)", scratch.file("events.sqlite"))
        let store = try scratch.open()
        #expect(try store.log.events(of: ["a"], after: 0, limit: 2).map(\.seq) == [1, 5])
        #expect(try store.log.events(of: ["a"], after: 1, limit: 9).map(\.seq) == [5])
        #expect(store.unreadable == ["event 2", "event 4"])
    }

    @Test("are looked up in the index alone, from the number on")
    func plan() throws {
        _ = try scratch.open().commit(record([event(1)]))
        let plan = try sqlite(
            "EXPLAIN QUERY PLAN \(EventColumns.nextOfFence)", scratch.file("events.sqlite"))
        #expect(
            plan.contains(
                "SEARCH event USING COVERING INDEX event_by_fence (fence=? AND rowid>?)"))
        #expect(!plan.contains("TEMP B-TREE"))
    }
}
