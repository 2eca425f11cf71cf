import PostgreSQL
import SystemTestKit
import Testing

@testable import Ingesting

/// Numbers of a log: what was heard of it is its first one, its last one, and the holes between them.
extension DatabaseTests {
    private struct Random {
        var state: UInt64

        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
    }

    /// Of ascending numbers, as a multirange of PostgreSQL.
    private func text(_ numbers: Set<Int>) -> String {
        var ranges: [(Int, Int)] = []
        for number in numbers.sorted() {
            if let last = ranges.last, last.1 == number {
                ranges[ranges.count - 1].1 = number + 1
            } else {
                ranges.append((number, number + 1))
            }
        }
        return "{" + ranges.map { "[\($0),\($1))" }.joined(separator: ",") + "}"
    }

    private func noted(of box: String, _ database: Database) throws -> [String?] {
        let rows = try database.run(
            """
            SELECT first_seq, last_seq, missing, lost FROM fleet.box_log l JOIN fleet.box b ON b.id = l.box
            WHERE b.name = $1
            """, [box])
        return try #require(rows.values.first)
    }

    @Test(
        "whatever comes in whatever order, holes and losses are those of a set of numbers",
        arguments: 1...3 as ClosedRange<UInt64>)
    func sequences(_ seed: UInt64) throws {
        var random = Random(state: seed)
        let boxes = ["b1", "b2", "b3"]
        var heard: [String: Set<Int>] = [:]
        var lost: [String: Set<Int>] = [:]
        var stored: Set<String> = []
        for turn in 0..<60 {
            var rows: [Batch.Row] = []
            var spans: [(box: String, numbers: ClosedRange<Int>, isGap: Bool)] = []
            for _ in 0...random.next(below: 6) {
                let box = boxes[random.next(below: boxes.count)]
                // Mostly the next one; otherwise anything near.
                let isNext = random.next(below: 4) > 0
                let top = spans.last { $0.box == box }?.numbers.upperBound ?? heard[box]?.max() ?? 4
                let previous = isNext ? top : max(0, top - 6 + random.next(below: 10))
                let last = previous + 1 + (isNext ? 0 : random.next(below: 4))
                let isGap = random.next(below: 8) == 0
                rows.append(
                    try row(last, after: previous, isGap ? "gap" : "dwell", minutesAgo: 1, box: box)
                )
                spans.append((box, previous + 1...last, isGap))
                // What a box has lost is an event, too, unless all of it is here.
                if !isGap || !Set(previous + 1...last).isSubset(of: heard[box, default: []]) {
                    stored.insert("\(box) \(last)")
                }
            }
            _ = try database.run(Batch.sql, binary: Batch(rows).parameters)
            if turn % 3 == 0 { _ = try database.run(Batch.sql, binary: Batch(rows).parameters) }
            for box in Set(spans.map(\.box)) {
                let known = heard[box, default: []]
                for span in spans where span.box == box {
                    heard[box, default: []].formUnion(span.numbers)
                    guard span.isGap else { continue }
                    lost[box, default: []].formUnion(Set(span.numbers).subtracting(known))
                }
                let all = heard[box, default: []]
                let first = try #require(all.min())
                let last = try #require(all.max())
                #expect(
                    try noted(of: box, database) == [
                        "\(first)", "\(last)", text(Set(first...last).subtracting(all)),
                        text(lost[box, default: []]),
                    ], "turn \(turn)")
            }
        }
        let rows = try database.run(
            "SELECT DISTINCT b.name || ' ' || e.seq FROM fleet.event e JOIN fleet.box b ON b.id = e.box"
        )
        #expect(Set(rows.values.compactMap { $0.first ?? nil }) == stored)
    }

    @Test("a box whose log has lost its end tells a gap: of what the office has it is none")
    func gapOfKnown() throws {
        func tell(_ rows: (Int, Int, String)...) throws {
            let rows = try rows.map { try row($0, after: $1, $2) }
            _ = try database.run(Batch.sql, binary: Batch(rows).parameters)
        }
        for seq in 1...14 { try tell((seq, seq - 1, "dwell")) }
        // Filtered by the box, so that it has no row.
        try tell((15, 14, "skip"))
        // The box has 1 to 10, and knows that it gave 15.
        try tell((9, 8, "dwell"), (10, 9, "dwell"), (15, 10, "gap"), (16, 15, "dwell"))
        #expect(try noted(of: "b1", database) == ["1", "16", "{}", "{}"])
        // It knows of more than was sent.
        try tell((18, 14, "gap"), (19, 18, "dwell"))
        #expect(try noted(of: "b1", database) == ["1", "19", "{}", "{[17,19)}"])
        let gaps = try database.run("SELECT seq FROM fleet.event WHERE kind = 'gap'").values
        #expect(gaps == [["18"]])
    }

    @Test("the greatest numbers are numbers like others")
    func greatest() throws {
        let most = Int.max - 1
        for (seq, previous) in [(1, 0), (most, most - 1), (most, most - 1), (5, 4), (most, 5)] {
            let event = try row(seq, after: previous, "dwell")
            _ = try database.run(Batch.sql, binary: Batch([event]).parameters)
            guard previous == 4 else { continue }
            #expect(try noted(of: "b1", database) == ["1", "\(most)", "{[2,5),[6,\(most))}", "{}"])
            #expect(
                try database.run("SELECT ranges FROM fleet.lacking()").values
                    == [["[[2, 4], [6, \(most - 1)]]"]])
        }
        #expect(try noted(of: "b1", database) == ["1", "\(most)", "{[2,5)}", "{}"])
        #expect(try database.run("SELECT count(DISTINCT seq) FROM fleet.event").values == [["3"]])
    }
}
