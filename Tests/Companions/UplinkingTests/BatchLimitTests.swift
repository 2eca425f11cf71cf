import JSON
import Model
import Testing
import Time

@testable import Uplinking

@Suite("Events at a destination that takes only so much at once")
struct BatchLimitTests {
    private let now = Uptime.boot + .seconds(1000)

    /// An event whose JSON has that many bytes, at least 300.
    private func body(_ number: UInt64, size: Int, format: EventFormat) throws -> [UInt8] {
        func make(_ filling: Int) throws -> [UInt8] {
            let time = UTCTime(secondsSince1970: 1_795_329_667)
            var event = Event(
                kind: .exit, fence: "wh/1", title: "", time: time, fixTime: time, presence: nil)
            event.metadata = #"{"Text":"\#(String(repeating: "x", count: filling))"}"#
            var filter = UplinkFilter()
            filter.allowed = ["Text"]
            return try #require(
                format.body(
                    of: LoggedEvent(seq: number, event: event, bootID: nil),
                    log: "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71", previous: number - 1, filter))
        }
        let least = try make(0).count
        return try make(max(0, size - least))
    }

    /// What the destination has in the end, by number, and in how many requests.
    private func deliver(_ bodies: [[UInt8]], limit: Int, _ format: EventFormat, isSaid: Bool)
        -> (taken: [UInt64: [UInt8]], requests: Int, left: [UInt64])
    {
        var window = SendWindow(position: 0)
        for (index, body) in bodies.enumerated() { window.add(UInt64(index + 1), body) }
        var found = BatchLimit()
        if isSaid { found.lower(to: limit) }
        var taken: [UInt64: [UInt8]] = [:]
        var left: [UInt64] = []
        var requests = 0
        while let batch = window.next(at: now, bytes: found.bytes), requests < 1000 {
            if found.isExceeded(by: batch) {
                let number = batch.numbers[0]
                let shorter = window.body(of: number).flatMap { format.shorter($0) }
                window.replace(number, shorter)
                if shorter == nil { left.append(number) }
                continue
            }
            requests += 1
            window.sent(batch, id: 1, at: now)
            if batch.payload.count > limit {
                found.refuse(batch)
                window.release(1)
            } else {
                for (number, body) in zip(batch.numbers, batch.bodies) { taken[number] = body }
                window.arrived(1)
            }
        }
        #expect(window.waiting == 0)
        _ = window.advance()
        #expect(window.position == UInt64(bodies.count), "nothing is in the way of the others")
        return (taken, requests, left)
    }

    @Test(
        "every event that fits arrives whole; what does not is shortened, and none is in the way",
        arguments: [400, 900, 5000, 70_000], [true, false])
    func sizes(_ limit: Int, _ isSaid: Bool) throws {
        let box = BoxName(tenant: "acme", box: "box1")
        for format in [EventFormat.fleet, .cloudEvents(box)] {
            var random = SystemRandomNumberGenerator()
            var sizes = (0..<60).map { _ in Int.random(in: 1...2 * limit, using: &random) }
            sizes += [limit - 1, limit, limit + 1, 2 * limit]
            let bodies = try sizes.enumerated().map { index, size in
                try body(UInt64(index + 1), size: size, format: format)
            }
            let (taken, requests, left) = deliver(bodies, limit: limit, format, isSaid: isSaid)
            #expect(requests < 64 + 64 + 20 + 2 * 64)
            for (index, body) in bodies.enumerated() {
                let number = UInt64(index + 1)
                guard body.count > limit else {
                    #expect(taken[number] == body, "\(sizes)")
                    continue
                }
                guard let shorter = taken[number] else {
                    #expect(left.contains(number))
                    continue
                }
                let json = try JSONValue(parsing: shorter)
                let data = json["data"] ?? json
                let event = data["event"]
                #expect((event?["seq"] ?? data["gap"])?.integer == Int64(number))
                let isCut =
                    event?["cut"]?.array?.contains("metadata") == true
                    && event?["metadata"] == nil
                #expect(isCut || data["gap"] != nil)
            }
        }
    }

    @Test("a broken connection makes batches smaller, and never costs a short event its title")
    func suspicion() throws {
        var limit = BatchLimit()
        var window = SendWindow(position: 0)
        for number in 1...64 { window.add(UInt64(number), Array(repeating: 0x20, count: 1000)) }
        for _ in 1...9 {
            let batch = try #require(window.next(at: now, bytes: limit.bytes))
            #expect(!limit.isExceeded(by: batch))
            limit.suspect(batch, after: 9)
        }
        let single = SendWindow.Batch(numbers: [1], bodies: [Array(repeating: 0x20, count: 4000)])
        for ends in 1...9 { limit.suspect(single, after: ends) }
        #expect(!limit.isExceeded(by: single))
        let large = SendWindow.Batch(numbers: [2], bodies: [Array(repeating: 0x20, count: 9000)])
        limit.suspect(large, after: 7)
        #expect(!limit.isExceeded(by: large))
        limit.suspect(large, after: 8)
        #expect(limit.isExceeded(by: large))
    }
}
