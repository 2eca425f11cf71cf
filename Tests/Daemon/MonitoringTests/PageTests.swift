import Law
import Model
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

@MainActor
@Suite("A page of the event log")
struct PageTests {
    @Test(
        "is bounded by the bytes of its texts, whichever they are, and read on without a hole",
        arguments: [(60_000, 0, 18), (0, 1_024, 200), (65_536, 1_024, 16)])
    func bounded(_ metadata: Int, _ title: Int, _ expected: Int) throws {
        let bench = MonitoringBench()
        let service = try bench.start([])
        let events = (0..<200).map { number in
            var event = Event(
                kind: .enter, fence: "a", time: .init(nanoseconds: Int64(number)),
                fixTime: .init(nanoseconds: Int64(number)), presence: .inside)
            if metadata > 0 { event.metadata = String(repeating: "m", count: metadata) }
            event.title = String(repeating: "t", count: title)
            return event
        }
        _ = try service.store.commit(
            EventRecord(events: events, opened: [], closed: [], known: 0, positionLost: false))
        #expect(try service.events(after: 0, limit: 1_000).events.count == expected)
        var read: [UInt64] = []
        var next: UInt64 = 0
        while true {
            let page = try service.events(after: next, limit: 1_000)
            guard !page.events.isEmpty else { break }
            read += page.events.map(\.seq)
            next = page.next
        }
        #expect(read == Array(1...200))
        #expect(try service.events(after: 0, limit: 3).events.count == 3)
        #expect(try service.events(after: 0, limit: 1_000, of: ["a"]).events.count == expected)
    }

    @Test(
        "a consumer is told of a gap with the first event after it that it wants, until it has it")
    func gap() throws {
        let bench = MonitoringBench()
        let events = (1...300).map { number in
            Event(
                kind: .enter, fence: number % 100 == 0 ? "rare" : "a",
                time: .init(nanoseconds: Int64(number)),
                fixTime: .init(nanoseconds: Int64(number)), presence: .inside)
        }
        _ = try bench.start([]).store.commit(
            EventRecord(events: events, opened: [], closed: [], known: 0, positionLost: false))
        let deleted = "DELETE FROM event WHERE seq < 120"
        let file = bench.directory.file("events.sqlite")
        #expect(Subprocess(["sqlite3", file, deleted]).wait()?.status == 0)
        let service = try bench.start([])
        let consumer = Consumer(name: "x", uid: 0, acknowledged: 10, options: "")
        try service.register(consumer)
        let cursor = ConsumerCursor(consumer, in: service) { $0.fence == "rare" }
        // Looked for, and then brought, and that has failed.
        for _ in 0..<2 {
            for _ in 0..<2 {
                let next = try #require(try cursor.next(limit: 16))
                #expect(next.events.map(\.seq) == [200] && next.gap)
            }
            cursor.bring(try #require(try cursor.next(limit: 16)).events)
            cursor.rewind()
        }
        cursor.bring(try #require(try cursor.next(limit: 16)).events)
        var next = try #require(try cursor.next(limit: 16))
        #expect(next.events.map(\.seq) == [300] && !next.gap)
        #expect(try cursor.acknowledge(200))
        next = try #require(try cursor.next(limit: 16))
        #expect(next.events.map(\.seq) == [300] && !next.gap)
    }

    @Test("of some fences ends with the log, unless more of theirs follow")
    func fences() throws {
        let bench = MonitoringBench()
        let service = try bench.start([])
        let events = (0..<200).map { number in
            Event(
                kind: .enter, fence: number % 20 == 3 ? "rare" : "a",
                time: .init(nanoseconds: Int64(number)),
                fixTime: .init(nanoseconds: Int64(number)), presence: .inside)
        }
        _ = try service.store.commit(
            EventRecord(events: events, opened: [], closed: [], known: 0, positionLost: false))
        var page = try service.events(after: 0, limit: 4, of: ["rare"])
        #expect(page.events.map(\.seq) == [4, 24, 44, 64])
        #expect(page.next == 64 && !page.gap)
        page = try service.events(after: page.next, limit: 1_000, of: ["rare"])
        #expect(page.events.map(\.seq) == [84, 104, 124, 144, 164, 184])
        #expect(page.next == 200)
        page = try service.events(after: page.next, limit: 1_000, of: ["rare"])
        #expect(page.events.isEmpty && page.next == 200 && !page.gap)
        #expect(try service.events(after: 201, limit: 9, of: ["rare"]).gap)
    }

    /// 30 events, of which a power cut has taken the last ten; every tenth is of a fence "rare".
    private func withoutEnd(
        _ body: @MainActor (MonitoringService, _ add: (Int) throws -> Void) throws -> Void
    ) throws {
        let bench = MonitoringBench()
        func add(_ count: Int, to service: MonitoringService) throws {
            for _ in 0..<count {
                let number = Int64(service.lastSeq + 1)
                let event = Event(
                    kind: .enter, fence: number % 10 == 0 ? "rare" : "a",
                    time: .init(nanoseconds: number), fixTime: .init(nanoseconds: number),
                    presence: .inside)
                _ = try service.store.commit(
                    EventRecord(
                        events: [event], opened: [], closed: [], known: 0, positionLost: false))
            }
        }
        do { try add(30, to: bench.start([])) }
        let lost = "DELETE FROM event WHERE seq > 20; UPDATE state SET last = 20"
        let file = bench.directory.file("events.sqlite")
        #expect(Subprocess(["sqlite3", file, lost]).wait()?.status == 0)
        let service = try bench.start([], bootID: "fedcba9876543210fedcba9876543210")
        // What is told of it has the next number.
        #expect(service.lastSeq == 31)
        try body(service) { try add($0, to: service) }
    }

    @Test("ends before numbers that are lost, and the next one says once that there is a gap")
    func lost() throws {
        try withoutEnd { service, add in
            var page = try service.events(after: 0, limit: 1_000)
            #expect(page.events.map(\.seq) == Array(1...20) && page.next == 20 && !page.gap)
            page = try service.events(after: 20, limit: 1_000)
            #expect(page.events.map(\.seq) == [31] && page.next == 31 && page.gap)
            page = try service.events(after: 31, limit: 1_000)
            #expect(page.events.isEmpty && page.next == 31 && !page.gap)
            try add(15)
            page = try service.events(after: 15, limit: 1_000)
            #expect(page.events.map(\.seq) == Array(16...20) && page.next == 20 && !page.gap)
            for seq in [20, 25, 29] as [UInt64] {
                page = try service.events(after: seq, limit: 3)
                #expect(page.events.map(\.seq) == [31, 32, 33] && page.gap, "\(seq)")
            }
            page = try service.events(after: 30, limit: 1_000)
            #expect(page.events.map(\.seq) == Array(31...46) && !page.gap)
            page = try service.events(after: 0, limit: 1_000, of: ["rare"])
            #expect(page.events.map(\.seq) == [10, 20] && page.next == 20 && !page.gap)
            page = try service.events(after: 20, limit: 1_000, of: ["rare"])
            #expect(page.events.map(\.seq) == [40] && page.next == 46 && page.gap)
            page = try service.events(after: 20, limit: 1_000, of: ["nobody"])
            #expect(page.events.isEmpty && page.next == 46 && page.gap)
            #expect(try service.backlog(after: 10).count == 26)
        }
    }

    @Test(
        "a consumer is told once of numbers that are lost, with the first event after them",
        arguments: [false, true])
    func lostForConsumer(wantsRare: Bool) throws {
        try withoutEnd { service, add in
            let consumer = Consumer(name: "x", uid: 0, acknowledged: 15, options: "")
            try service.register(consumer)
            @MainActor func cursor() throws -> ConsumerCursor {
                let stored = try service.consumers()
                return ConsumerCursor(try #require(stored.first), in: service) {
                    !wantsRare || $0.fence == "rare"
                }
            }
            var reading = try cursor()
            let next = try #require(try reading.next(limit: 64))
            #expect(next.events.map(\.seq) == (wantsRare ? [20] : Array(16...20)) && !next.gap)
            reading.bring(next.events)
            if wantsRare { #expect(try reading.next(limit: 64) == nil) }
            #expect(try reading.acknowledge(20))
            // Nothing that it wants: what it was not told yet, it is told after a restart.
            try add(8)
            if wantsRare { #expect(try reading.next(limit: 64) == nil) }
            for _ in 0..<2 {
                reading = try cursor()
                #expect(reading.consumer.acknowledged == 20)
                if wantsRare { #expect(try reading.next(limit: 64) == nil) }
            }
            try add(1)
            for _ in 0..<2 {
                let next = try #require(try reading.next(limit: 64))
                #expect(next.events.map(\.seq) == (wantsRare ? [40] : Array(31...40)) && next.gap)
                reading.bring(next.events)
                reading.rewind()
            }
            reading.bring(try #require(try reading.next(limit: 64)).events)
            #expect(try reading.acknowledge(40))
            try add(10)
            #expect(try reading.next(limit: 64)?.gap == false)
        }
    }
}
