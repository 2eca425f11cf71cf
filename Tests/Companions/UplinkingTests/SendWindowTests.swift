import Testing
import Time

@testable import Uplinking

@Suite("What is under way to a destination")
struct SendWindowTests {
    private let start = Uptime.boot + .seconds(1000)

    private func body(_ number: UInt64) -> [UInt8] { Array("{\"seq\":\(number)}".utf8) }

    private func window(_ numbers: ClosedRange<UInt64>, after position: UInt64) -> SendWindow {
        var window = SendWindow(position: position)
        for number in numbers { window.add(number, body(number)) }
        return window
    }

    @Test("one event is sent as an object, several as an array in order")
    func batches() throws {
        var window = window(5...5, after: 4)
        let single = try #require(window.next(at: start))
        #expect(String(decoding: single.payload, as: UTF8.self) == #"{"seq":5}"#)
        window.sent(single, id: 1, at: start)
        window.add(6, body(6))
        window.add(7, body(7))
        let several = try #require(window.next(at: start))
        #expect(several.numbers == [6, 7])
        #expect(String(decoding: several.payload, as: UTF8.self) == #"[{"seq":6},{"seq":7}]"#)
    }

    @Test("the position moves only past what has been acknowledged without a hole")
    func position() throws {
        var window = window(1...4, after: 0)
        window.sent(try #require(window.next(at: start)), id: 1, at: start)
        window.acknowledge([2...3])
        #expect(window.advance() == nil)
        window.acknowledge([1...1])
        #expect(window.advance() == 3)
        #expect(window.position == 3)
        #expect(window.waiting == 1)
    }

    @Test("an acknowledgement of what was never sent changes nothing")
    func forged() {
        var window = window(1...4, after: 0)
        window.acknowledge([0...UInt64.max])
        #expect(window.advance() == nil)
        #expect(window.waiting == 4)
    }

    @Test("without an acknowledgement it is sent again after 30 s, then 60 s, up to 10 min")
    func patience() throws {
        var window = window(1...1, after: 0)
        var now = start
        for seconds in [30.0, 60, 120, 240, 480, 600, 600] {
            let batch = try #require(window.next(at: now))
            window.sent(batch, id: 1, at: now)
            now = now + .seconds(seconds)
            #expect(window.due == now)
            #expect(window.next(at: now - .seconds(1)) == nil)
        }
    }

    @Test("after a new connection everything that was under way is sent again, in order")
    func reconnection() throws {
        var window = window(1...3, after: 0)
        window.sent(try #require(window.next(at: start)), id: 1, at: start)
        window.acknowledge([2...2])
        #expect(window.next(at: start) == nil)
        window.begin()
        #expect(window.next(at: start)?.numbers == [1, 3])
    }

    @Test("a sign of life of the office shortens the long waits of an outage, and no other")
    func restart() throws {
        var window = window(1...1, after: 0)
        var now = start
        for _ in 1...5 {
            window.sent(try #require(window.next(at: now)), id: 1, at: now)
            now = try #require(window.due)
        }
        window.sent(try #require(window.next(at: now)), id: 1, at: now)
        #expect(window.due == now + .seconds(600))
        window.add(2, body(2))
        let later = now + .seconds(100)
        window.sent(.init(numbers: [2], bodies: [body(2)]), id: 2, at: later)
        window.restart(at: later)
        #expect(window.next(at: later)?.numbers == [1])
        #expect(window.next(at: later + .seconds(29))?.numbers == [1])
        #expect(window.next(at: later + .seconds(30))?.numbers == [1, 2])
    }

    @Test("when the office is back what it has lost goes at once, except what may be under way")
    func back() throws {
        var window = window(1...2, after: 0)
        window.sent(.init(numbers: [1], bodies: [body(1)]), id: 1, at: start)
        let later = start + .seconds(8)
        window.sent(.init(numbers: [2], bodies: [body(2)]), id: 2, at: later)
        #expect(window.due == start + .seconds(30))
        window.restart(at: later, isBack: true)
        #expect(window.next(at: later)?.numbers == [1])
        #expect(window.next(at: later + .seconds(4))?.numbers == [1])
        #expect(window.next(at: later + .seconds(5))?.numbers == [1, 2])
    }

    @Test("a status is told again by its age, and when what waits has doubled or halved")
    func status() {
        var status = PublishedStatus("draining", waiting: 100, at: start)
        func isDue(_ state: String, _ waiting: Int, at now: Uptime) -> Bool {
            status.look(state, waiting: waiting, at: now)
        }
        #expect(status.next == start + .seconds(60))
        let later = start + .seconds(60)
        #expect(!isDue("draining", 199, at: later))
        #expect(!isDue("draining", 51, at: later))
        #expect(status.next == later + .seconds(60))
        #expect(isDue("draining", 200, at: later))
        #expect(isDue("draining", 50, at: later))
        #expect(isDue("idle", 100, at: later))
        #expect(isDue("draining", 100, at: start + .seconds(900)))
        status = PublishedStatus("idle", waiting: 0, at: start)
        #expect(status.next == start + .seconds(900))
        #expect(!isDue("idle", 0, at: later))
        #expect(isDue("idle", 1, at: later))
        status.isOld = true
        #expect(!status.isTrue(of: "idle") && isDue("idle", 0, at: later))
    }

    @Test("what the broker refuses waits for a minute, what nobody hears for half of one")
    func refusals() throws {
        var refused = window(1...1, after: 0)
        refused.sent(try #require(refused.next(at: start)), id: 7, at: start)
        refused.refused(7, at: start)
        #expect(refused.due == start + .seconds(60))
        var unheard = window(1...1, after: 0)
        unheard.sent(try #require(unheard.next(at: start)), id: 7, at: start)
        unheard.unheard(7, at: start)
        #expect(unheard.due == start + .seconds(30))
        #expect(unheard.advance() == nil, "it counts as not delivered")
    }

    @Test("events of others are settled with the next event that is acknowledged, and not before")
    func skipped() throws {
        var window = SendWindow(position: 10)
        for number in UInt64(11)...500 { window.add(number, nil) }
        #expect(window.advance() == nil)
        #expect(window.skipped == 490)
        #expect(window.room == SendWindow.limit - 1, "they take one place together")
        window.add(501, body(501))
        window.sent(try #require(window.next(at: start)), id: 1, at: start)
        window.acknowledge([501...501])
        #expect(window.advance() == 501)
    }

    @Test("many events of others can be marked, and are then sent and settled")
    func marked() throws {
        var window = SendWindow(position: 10)
        for number in UInt64(11)...2000 { window.add(number, nil) }
        window.mark(body(2000))
        let batch = try #require(window.next(at: start))
        #expect(batch.numbers == [2000])
        window.sent(batch, id: 1, at: start)
        window.arrived(1)
        #expect(window.advance() == 2000)
    }

    @Test("large events go in several batches, and one that is too large alone")
    func sizes() {
        var window = SendWindow(position: 0)
        window.add(1, [UInt8](repeating: 0x20, count: 100 << 10))
        window.add(2, [UInt8](repeating: 0x20, count: 100 << 10))
        window.add(3, [UInt8](repeating: 0x20, count: 300 << 10))
        var sizes: [[UInt64]] = []
        while let batch = window.next(at: start) {
            sizes.append(batch.numbers)
            window.sent(batch, id: 1, at: start)
        }
        #expect(sizes == [[1], [2], [3]])
    }
}
