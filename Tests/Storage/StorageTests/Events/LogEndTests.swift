import EngineTestKit
import Foundation
import Law
import Model
import SystemTestKit
import Testing

@testable import Storage

/// Section 5 of the law: numbers never go back, whatever of the log is lost.
@Suite("A log that has lost its end")
struct LogEndTests {
    /// What becomes of the file of numbers.
    enum Numbers: String, CaseIterable {
        case kept, deleted, noise, flipped
    }

    /// A state directory as a power cut leaves it, at two moments.
    private struct Cut {
        var older: [String: Data] = [:]
        var last: [String: Data] = [:]
        /// Numbers of committed events, with the log they are of.
        var given: UInt64 = 0
        var log = ""
    }

    private static let wal = "events.sqlite-wal"

    private func files(_ scratch: Scratch) -> [String: Data] {
        ["events.sqlite", Self.wal, "numbers"].reduce(into: [:]) {
            $0[$1] = FileManager.default.contents(atPath: scratch.file($1))
        }
    }

    private func cut(_ count: Int = 20) throws -> Cut {
        var cut = Cut()
        let scratch = try Scratch()
        let store = try scratch.open()
        cut.log = store.log.id
        for number in 1...count {
            var next = record([event(Double(number))])
            if number % 3 == 0 { next.events.append(event(Double(number), .dwell)) }
            cut.given = try store.commit(next).last?.seq ?? 0
            if number == count / 2 { cut.older = files(scratch) }
        }
        cut.last = files(scratch)
        return cut
    }

    private func restore(_ files: [String: Data]) throws -> Scratch {
        let scratch = try Scratch()
        for (name, data) in files {
            try data.write(to: URL(fileURLWithPath: scratch.file(name)))
        }
        return scratch
    }

    private func damage(_ files: inout [String: Data], _ numbers: Numbers, _ seed: Int) {
        switch numbers {
        case .kept: break
        case .deleted: files["numbers"] = nil
        case .noise: files["numbers"] = Data(repeating: 0x5A, count: files["numbers"]?.count ?? 9)
        case .flipped:
            guard let count = files["numbers"]?.count else { return }
            files["numbers"]?[seed * 31 % count] ^= 1 << (seed % 8)
        }
    }

    /// What is wrong after two starts; nil if nothing is.
    private func flaw(_ cut: Cut, _ files: [String: Data]) throws -> String? {
        let scratch = try restore(files)
        var given = cut.given
        for start in 1...2 {
            let store = try scratch.open()
            let seq = try store.commit(record([event(99)]))[0].seq
            if start == 2, seq != given + 1 { return "start 2: \(seq) after \(given)" }
            guard seq > given || store.log.id != cut.log else { return "number \(seq) twice" }
            given = seq
            let events = try store.log.events(after: 0, limit: .max)
            guard let first = events.first?.seq, first == store.log.oldestSeq else {
                return "it begins with \(events.first?.seq ?? 0), not \(store.log.oldestSeq)"
            }
            for (event, next) in zip(events, events.dropFirst()) {
                let isGap = store.log.lost.isGap(after: event.seq, before: next.seq)
                guard isGap == (next.seq > event.seq + 1) else {
                    return "after \(event.seq) comes \(next.seq), and lost is \(store.log.lost)"
                }
            }
            for event in events where store.log.id(of: event.seq) != cut.log {
                guard event.seq > given - UInt64(start) else {
                    return "\(event.seq) has another log"
                }
            }
        }
        return nil
    }

    @Test(
        "one bit of its write-ahead log is flipped: no number twice, and a gap where some are lost",
        arguments: Numbers.allCases)
    func flipped(_ numbers: Numbers) throws {
        let cut = try cut()
        let size = try #require(cut.last[Self.wal]?.count)
        for seed in 0..<180 / Sample.step {
            var files = cut.last
            files[Self.wal]?[(seed * 7_919 + 13) % size] ^= 1 << (seed % 8)
            damage(&files, numbers, seed)
            let flaw = try flaw(cut, files)
            #expect(flaw == nil, "seed \(seed)")
        }
    }

    @Test("it is cut anywhere: no number twice", arguments: Numbers.allCases)
    func cutShort(_ numbers: Numbers) throws {
        let cut = try cut()
        let size = try #require(cut.last[Self.wal]?.count)
        for seed in 0...40 {
            var files = cut.last
            files[Self.wal] = files[Self.wal]?.prefix(size * seed / 41)
            damage(&files, numbers, seed)
            let flaw = try flaw(cut, files)
            #expect(flaw == nil, "\(seed) of 41")
        }
    }

    enum Loss: String, CaseIterable {
        case older, noise, deleted, emptied, halved
    }

    @Test(
        "an older one, noise or nothing in its place: no number twice", arguments: Loss.allCases,
        Numbers.allCases)
    func replaced(_ loss: Loss, _ numbers: Numbers) throws {
        let cut = try cut()
        for seed in 0..<8 {
            var files = cut.last
            for name in ["events.sqlite", Self.wal] {
                let size = files[name]?.count ?? 0
                switch loss {
                case .older: files[name] = cut.older[name]
                case .noise: files[name] = Data(repeating: 0x5A, count: size)
                case .deleted: files[name] = nil
                case .emptied: files[name] = Data()
                case .halved: files[name] = files[name]?.prefix(size / 2)
                }
            }
            damage(&files, numbers, seed)
            let flaw = try flaw(cut, files)
            #expect(flaw == nil, "seed \(seed)")
        }
    }

    @Test(
        "a log of which nothing is left goes on above its last number: in another log, for one witness alone may be an older one"
    )
    func anotherLog() throws {
        let cut = try cut()
        let scratch = try restore(["numbers": try #require(cut.last["numbers"])])
        let store = try scratch.open()
        #expect(try store.commit(record([event(1)]))[0].seq == cut.given + 1)
        #expect(store.log.id != cut.log)
        #expect(store.log.lost.spans == [1...cut.given])
        // The events it had are of the log that it was.
        #expect(store.log.id(of: cut.given) == cut.log)
        #expect(try scratch.open().log.id == store.log.id)
    }

    @Test(
        "without the file of numbers it goes on in another log, and its events stay those of the old"
    )
    func unproven() throws {
        let cut = try cut()
        var files = cut.last
        files["numbers"] = nil
        let scratch = try restore(files)
        for _ in 0..<2 {
            let store = try scratch.open()
            let seq = try store.commit(record([event(1)]))[0].seq
            #expect(seq == store.log.lastSeq && store.log.lost.spans.isEmpty)
            #expect(store.log.id != cut.log && store.log.id(of: seq) == store.log.id)
            #expect(store.log.id(of: cut.given) == cut.log)
            let id = store.log.id
            #expect(try scratch.open().log.id == id)
        }
    }

    @Test("a power cut within a commit: its numbers are a gap, told once, and the log is whole")
    func withinCommit() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        _ = try store.commit(record([event(1), event(2)]))
        let before = files(scratch)
        _ = try store.commit(record([event(3), event(4)]))
        let cut = try restore(
            before.merging(["numbers": files(scratch)["numbers"] ?? Data()]) { $1 })
        let again = try cut.open()
        #expect(try again.commit(record([event(5)]))[0].seq == 5)
        #expect(again.log.lost.spans == [3...4] && again.log.id == store.log.id)
        #expect(try cut.open().log.lost.spans == [3...4])
    }

    @Test("killed within a commit: what waits gets its numbers, and nothing is skipped")
    func waiting() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        _ = try store.commit(record([event(1), event(2)]))
        let before = files(scratch)
        _ = try store.commit(record([event(3), event(4)]))
        let killed = try restore(
            before.merging(["numbers": files(scratch)["numbers"] ?? Data()]) { $1 })
        let again = try killed.open()
        again.log.settleEnd(after: EventLog.Position(last: 2, waiting: 2))
        #expect(again.log.lastSeq == 2)
        #expect(try again.commit(record([event(3), event(4)])).map(\.seq) == [3, 4])
        #expect(again.log.lost.spans.isEmpty)
        // What the runtime directory says was committed is lost where it is not there.
        let other = try restore(before)
        let less = try other.open()
        less.log.settleEnd(after: EventLog.Position(last: 4, waiting: 0))
        #expect(try less.commit(record([event(5)]))[0].seq == 5)
        #expect(less.log.lost.spans == [3...4])
    }

    /// As a program writes that has the first line alone.
    private func writeOlder(_ number: UInt64, _ scratch: Scratch) throws {
        let plain = "\(number)"
        let text = String(repeating: "0", count: 20 - plain.count) + plain
        let handle = try #require(FileHandle(forUpdatingAtPath: scratch.file("numbers")))
        handle.write(Data("\(text) \(text)\n".utf8))
        try handle.close()
    }

    @Test(
        "an older program reads the first line, and what it writes makes no gap",
        arguments: [0, 1, 7])
    func older(_ count: Int) throws {
        let scratch = try Scratch()
        for round in 0..<10 {
            do {
                let store = try scratch.open()
                _ = try store.commit(record([event(1), event(2)]))
                if round % 2 == 0 { try store.flush() }
            }
            let last = try scratch.open().log.lastSeq
            let text = try String(contentsOfFile: scratch.file("numbers"), encoding: .utf8)
            #expect(
                text.prefix(42).split(whereSeparator: \.isWhitespace).map { UInt64($0) } == [
                    last, last,
                ])
            // It reserves a thousand before it needs one, and says the last at an orderly stop.
            guard count > 0 else { continue }
            let path = scratch.file("events.sqlite")
            let next = last + UInt64(count)
            try sqlite(
                """
                INSERT INTO event (seq, kind, title, time, fix_time, inferred, announced, metadata)
                    SELECT value, 1, '', 0, 0, 0, 1, '' FROM generate_series(\(last + 1), \(next));
                UPDATE state SET last = \(next)
                """, path)
            try writeOlder(round % 3 == 0 ? next : last + 1_000, scratch)
        }
        let store = try scratch.open()
        store.log.settleEnd()
        #expect(store.log.lost.spans.isEmpty)
        let seqs = try store.log.events(after: 0, limit: .max).map(\.seq)
        #expect(seqs == Array(1...UInt64(20 + 10 * count)) && store.log.lastSeq == seqs.last)
    }

    @Test("a number in it that nobody has given is not its last one")
    func tooGreat() throws {
        let scratch = try Scratch()
        do { _ = try scratch.open().commit(record([event(1), event(2)])) }
        try sqlite("UPDATE state SET last = last + (1 << 40)", scratch.file("events.sqlite"))
        for number in 3...4 as ClosedRange<UInt64> {
            let store = try scratch.open()
            #expect(try store.commit(record([event(3)]))[0].seq == number)
            #expect(store.log.lost.spans.isEmpty)
        }
    }

    @Test("a consumer that has acknowledged what nobody has given has what it had before, or all")
    func acknowledgedTooMuch() throws {
        let scratch = try Scratch()
        func damage() throws -> UInt64? {
            try sqlite(
                "UPDATE consumer SET acknowledged = acknowledged + (1 << 40)",
                scratch.file("events.sqlite"))
            let store = try scratch.open()
            store.log.settleEnd()
            #expect(try scratch.open().log.consumers() == store.log.consumers())
            return try store.log.consumers().first?.acknowledged
        }
        do {
            let store = try scratch.open()
            _ = try store.commit(record([event(1), event(2)]))
            try store.log.register(Consumer(name: "x.y", uid: 1, acknowledged: 1, options: "{}"))
            try store.keepSecond()
        }
        #expect(try damage() == 1)
        unlink(scratch.file("events.second"))
        #expect(try damage() == 2)
    }

    @Test("replaced while in use by an older one: the id stays, and the gap is told")
    func inUse() throws {
        let cut = try cut()
        let scratch = try restore(cut.last)
        let store = try scratch.open()
        #expect(try store.commit(record([event(1)]))[0].seq == cut.given + 1)
        let other = try restore(cut.older)
        let last = try other.open().log.lastSeq
        for name in ["events.sqlite", Self.wal] {
            unlink(scratch.file(name))
            try? FileManager.default.moveItem(atPath: other.file(name), toPath: scratch.file(name))
        }
        unlink(scratch.file("events.sqlite-shm"))
        #expect(try store.commit(record([event(2)]))[0].seq == cut.given + 2)
        #expect(store.log.id == cut.log && store.log.lost.spans == [last + 1...cut.given + 1])
    }

    @Test("lost spans are at most 64: the oldest become one")
    func merged() {
        var lost = LostNumbers()
        for number in 1...100 as ClosedRange<UInt64> { lost.add(number * 10...number * 10 + 3) }
        #expect(lost.spans.count == 64)
        #expect(lost.spans.first == 10...373 && lost.spans.last == 1_000...1_003)
        lost.add(1_001...1_009)
        #expect(lost.spans.last == 1_000...1_009)
        #expect(lost.isGap(after: 990, before: 1_010) && !lost.isGap(after: 1_009, before: 2_000))
        #expect(lost.next(after: 993) == 1_000 && lost.next(after: 1_000) == nil)
        #expect(lost.count(after: 1_004) == 5 && lost.count(after: 993) == 10)
    }
}
