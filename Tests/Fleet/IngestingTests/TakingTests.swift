import JSON
import Testing

@testable import Ingesting

@Suite("What is taken from a box")
struct TakingTests {
    private static let good = """
        {"v":2,"log":"5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71","prev":4709,"event":{"seq":4711,\
        "kind":"exit","fence":"wh/WDF01","title":"A \\"b\\"","time":"2026-11-22T06:41:07.250Z",\
        "stay_s":1512.4,"inferred":false,"reason":"certain","new":[1]}}
        """

    private func elements(_ text: String) -> [Payload.Element] {
        Payload.elements(of: Array(text.utf8))
    }

    @Test("an event becomes columns, and what has no column its details")
    func event() throws {
        let event = try #require(elements(Self.good).first).get()
        #expect(event.seq == 4711)
        #expect(event.previous == 4709)
        #expect(event.stay == 1512.4)
        #expect(event.details == #"{"reason":"certain","new":[1]}"#)
    }

    @Test(
        "poison is refused, with its number where that can be read, so that it does not come again",
        arguments: [
            ("", false), ("[]", false), ("7", false), ("{\"v\":1}", false),
            (good.replacing("\"v\":2", "\"v\":3"), true),
            (good.replacing("4711", "0"), false), (good.replacing("4711", "1e30"), false),
            (good.replacing("4709", "4711"), true), (good.replacing("4709", "-1"), true),
            (good.replacing("5f0c", "5F0C"), false), (good.replacing("5f0c", "'); "), false),
            (good.replacing("wh/", "\\u0000"), true), (good.replacing("certain", "\\u0000"), true),
            (good.replacing("2026-11-22T06", "yesterday"), true),
            (good.replacing("1512.4", "-1"), true), (good.replacing("1512.4", "1e300"), true),
            // Int64.max: the end of a range is the next number, which must not overflow.
            (good.replacing("4711", "9223372036854775807"), false),
            // It would not fit into an index of the database.
            (good.replacing("wh/", String(repeating: "x", count: 2000)), true),
            (good.replacing("[1]", String(repeating: "[", count: 40)), false),
            (good.replacing("[1]", "\"\(String(repeating: "x", count: 140_000))\""), true),
        ])
    func poison(_ text: String, _ isKnown: Bool) throws {
        let element = try #require(elements(text).first)
        guard case .failure(let problem) = element else {
            Issue.record("it was taken: \(element)")
            return
        }
        #expect((problem.identity != nil) == isKnown, "\(problem.reason)")
    }

    @Test("one bad event of several does not refuse the others")
    func mixed() {
        let elements = elements("[\(Self.good),{},\(Self.good)]")
        let isGood = elements.map { if case .success = $0 { true } else { false } }
        #expect(isGood == [true, false, true])
    }

    @Test(
        "only topics of boxes are read",
        arguments: [
            ("gf/1/acme/box1/event", true), ("gf/1/acme/box1/status", true),
            ("gf/1/acme/box1/position", true),
            ("gf/1/acme/box1/down", false), ("gf/2/acme/box1/event", false),
            ("gf/1/acme//event", false), ("gf/1/ac me/box1/event", false),
            ("gf/1/acme/box1/event/x", false), ("gf/1/\u{E4}/b/event", false),
        ])
    func topics(_ topic: String, _ isRead: Bool) {
        #expect((BoxTopic(topic) != nil) == isRead)
    }

    @Test(
        "a position is a time and a place on the earth; of the rest, what can be is kept",
        arguments: [
            (#""time":"2026-11-22T06:41:07.250Z","latitude":49.5,"longitude":8.5"#, true),
            (
                #""time":"2026-11-22T06:41:07Z","latitude":-90,"longitude":180,"speed_mps":"x","#
                    + #""course_deg":361,"error_m":-1"#, true
            ),
            (#""time":"2026-11-22T06:41:07Z","latitude":90.1,"longitude":8"#, false),
            (#""time":"2026-11-22T06:41:07Z","latitude":49,"longitude":1e999"#, false),
            (#""time":"2026-11-22T06:41:07Z","latitude":"49","longitude":8"#, false),
            (#""time":"yesterday","latitude":49,"longitude":8"#, false),
            (#""latitude":49,"longitude":8"#, false),
        ])
    func positions(_ members: String, _ isGood: Bool) throws {
        let box = try #require(BoxTopic("gf/1/acme/b/position"))
        var queue = PositionQueue()
        let text = #"{"v":2,"position":{\#(members)}}"#
        #expect((queue.add(Array(text.utf8), from: box) == nil) == isGood)
        #expect((queue.next() != nil) == isGood)
        // Beyond the budget nothing is read.
        let long = #"{"position":{\#(members),"x":"\#(String(repeating: "x", count: 1024))"}}"#
        #expect(queue.add(Array(long.utf8), from: box) != nil)
    }

    @Test("of the positions of a box the last one is stored")
    func lastPosition() throws {
        var queue = PositionQueue()
        for (box, latitude) in [("a", 1), ("b", 2), ("a", 3)] {
            let text =
                #"{"position":{"time":"2026-11-22T06:41:07Z","latitude":\#(latitude),"longitude":8}}"#
            let topic = try #require(BoxTopic("gf/1/acme/\(box)/position"))
            #expect(queue.add(Array(text.utf8), from: topic) == nil)
        }
        let portion = queue.next()
        let arrays = try #require(portion)
        #expect(queue.next() == nil)
        let (boxes, latitudes) = (arrays[1] ?? "", arrays[3] ?? "")
        #expect(
            [boxes, latitudes] == [#"{"a","b"}"#, #"{"3.0","2.0"}"#]
                || [boxes, latitudes] == [#"{"b","a"}"#, #"{"2.0","3.0"}"#])
        #expect(arrays[5] == "{NULL,NULL}")
    }

    @Test("a batch is acknowledged by box, log and broker, in ranges")
    func acknowledgements() throws {
        var rows: [Batch.Row] = []
        let box = try #require(BoxTopic("gf/1/acme/b/event"))
        for number in [3, 1, 2, 7, 7] {
            let text = Self.good.replacing("4711", "\(number)").replacing("4709", "0")
            rows.append(
                .init(broker: 0, topic: box, event: try #require(elements(text).first).get()))
        }
        rows.append(Batch.Row(broker: 1, topic: box, event: rows[0].event))
        let messages = Batch(rows).acknowledgements
        #expect(messages.map(\.broker) == [0, 1])
        #expect(messages.map(\.topic) == Array(repeating: "gf/1/acme/b/down/ack", count: 2))
        #expect(
            String(decoding: messages[0].payload, as: UTF8.self)
                == #"{"log":"5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71","ranges":[[1,3],[7,7]]}"#)
    }
}

extension String {
    /// Without Foundation and regular expressions.
    fileprivate func replacing(_ old: String, _ new: String) -> String {
        split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
}
