import EngineTestKit
import Foundation
import Model
import Storage
import Testing

@Suite("numbers of events that no log counts to")
struct GreatestNumberTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Five events, of which nothing was set aside and each is there; and three times, what comes next.
    private func isRight(_ kept: [UInt64] = [1, 2, 3, 4, 5]) throws -> Bool {
        for round in 1...3 as ClosedRange<UInt64> {
            let store = try scratch.open()
            let seqs = try store.commit(record([event(Double(round))])).map(\.seq)
            guard store.setAside.isEmpty, seqs == [5 + round] else { return false }
        }
        let store = try scratch.open()
        return try store.setAside.isEmpty
            && store.log.events(after: 0, limit: 10).map(\.seq) == kept + [6, 7, 8]
    }

    private func fill() throws {
        let store = try scratch.open()
        for number in 1...5 { _ = try store.commit(record([event(Double(number))])) }
        try store.flush()
    }

    @Test(
        "in one row: that alone is left out",
        arguments: [
            "9223372036854775807", "1 << 62", "1 << 60", "(1 << 60) - 1", "1 << 54",
            "(1 << 53) + 1",
            "-1",
        ], [2, 5])
    func row(_ number: String, _ of: UInt64) throws {
        try fill()
        _ = try sqlite(
            "UPDATE event SET seq = \(number) WHERE seq = \(of)", scratch.file("events.sqlite"))
        #expect(try isRight([1, 2, 3, 4, 5].filter { $0 != of }))
    }

    @Test(
        "in what is counted: it is derived anew",
        arguments: [
            "last = 1 << 60", "last = (1 << 60) - 1", "last = 1 << 55",
            "last = 1 << 60, announced = 1 << 60",
            "known = 1 << 60", "last = 1 << 60, known = 1 << 60",
        ])
    func state(_ damage: String) throws {
        try fill()
        _ = try sqlite(
            """
            INSERT INTO stay (fence, added, began, dwell_told) VALUES ('x', 1 << 61, 0, 0);
            UPDATE state SET \(damage)
            """, scratch.file("events.sqlite"))
        #expect(try isRight())
    }

    @Test(
        "beside the log: they say nothing",
        arguments: [1 << 60, (1 << 60) - 1, (1 << 53) + 1, .max] as [UInt64])
    func beside(_ number: UInt64) throws {
        try fill()
        do {
            let store = try scratch.open()
            store.log.settleEnd(after: EventLog.Position(last: number, waiting: 0))
            #expect(store.log.lastSeq == 5)
        }
        #expect(try isRight())
        // A log that was lost begins again.
        let digits = String(String(repeating: "0", count: 20) + "\(number)").suffix(20)
        try Data("\(digits) \(digits)\n".utf8).write(
            to: URL(fileURLWithPath: scratch.file("numbers")))
        scratch.remove("events.sqlite")
        for round in 1...3 as ClosedRange<UInt64> {
            let store = try scratch.open()
            #expect(try store.commit(record([event(1)])).map(\.seq) == [round])
            #expect(store.setAside.isEmpty)
        }
    }

    @Test("the greatest one that comes from outside is counted on from")
    func greatest() throws {
        try fill()
        for round in 1...3 as ClosedRange<UInt64> {
            let store = try scratch.open()
            if round == 1 {
                store.log.settleEnd(after: EventLog.Position(last: 1 << 53, waiting: 0))
            }
            #expect(try store.commit(record([event(1)])).map(\.seq) == [1 << 53 + round])
            #expect(store.setAside.isEmpty)
        }
    }
}
