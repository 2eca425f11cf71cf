import Glibc
import SystemTestKit
import Systemd
import Testing

/// A descriptor that is served past sd-event: sd-event must not notice, nor miss anything.
@MainActor
@Suite(.serialized)
struct QuickSourceTests {
    let loop: EventLoop
    let pipe: Pipe

    init() throws {
        loop = try EventLoop()
        pipe = try Pipe()
    }

    /// Reads what there is, and then does `body`.
    private func source(_ body: @escaping @MainActor (String) -> Void) throws -> QuickSource {
        try QuickSource(loop, descriptor: pipe.reading) { [pipe] in body(pipe.read()) }
    }

    @Test("it is called for what comes, with the time of the wake-up, and for the end")
    func reading() throws {
        var heard: [String] = []
        var woken: [Int64] = []
        let source = try source {
            heard.append($0)
            woken.append(loop.wakeUptime)
        }
        #expect(try !loop.runOnce(timeout: 20_000_000))
        let before = EventLoop.uptime
        pipe.write("a")
        #expect(try loop.runOnce(timeout: 1_000_000_000))
        pipe.write("b")
        #expect(try loop.runOnce(timeout: 1_000_000_000))
        #expect(heard == ["a", "b"])
        #expect(woken.allSatisfy { $0 >= before && $0 <= EventLoop.uptime })
        pipe.closeWriting()
        #expect(try loop.runOnce(timeout: 1_000_000_000))
        #expect(heard == ["a", "b", ""])
        source.stop()
        #expect(try !loop.runOnce(timeout: 20_000_000))
    }

    @Test("what its handler arms, puts off and asks the bus is done")
    func touches() throws {
        let bus = PrivateBus()
        let connection = try bus.connect(loop)
        var done: [String] = []
        let timer = try TimerSource(loop) { done.append("timer") }
        let deferred = try DeferredSource(loop) { done.append("deferred") }
        var dropped: TimerSource? = try TimerSource(loop) { done.append("dropped") }
        dropped?.arm(at: EventLoop.uptime + 50_000_000)
        let source = try source { _ in
            dropped = nil
            timer.arm(at: EventLoop.uptime + 30_000_000)
            deferred.trigger()
            _ = try? connection.call(.bus, "GetId") { _ in done.append("answer") }
        }
        // What is done in it is done within one run(), which sleeps without end.
        let watchdog = try TimerSource(loop) { loop.exit(code: 9) }
        watchdog.arm(at: EventLoop.uptime + 10_000_000_000)
        let ending = try TimerSource(loop) { loop.exit(code: 3) }
        ending.arm(at: EventLoop.uptime + 200_000_000)
        pipe.write("a")
        #expect(try loop.run() == 3)
        #expect(done.sorted() == ["answer", "deferred", "timer"])
        withExtendedLifetime((timer, deferred, source, watchdog, ending)) {}
    }

    @Test("it may end the loop, from a turn in which nothing else is due")
    func exit() throws {
        let source = try source { _ in loop.exit(code: 5) }
        pipe.write("a")
        #expect(try loop.run() == 5)
        source.stop()
    }

    @Test("it may be stopped by its own handler, and another take the same descriptor")
    func stopInHandler() throws {
        var calls = 0
        var source: QuickSource?
        source = try QuickSource(loop, descriptor: pipe.reading) {
            calls += 1
            source?.stop()
            source = nil
        }
        pipe.write("a")
        #expect(try loop.runOnce(timeout: 1_000_000_000))
        #expect(try !loop.runOnce(timeout: 20_000_000))
        #expect(calls == 1 && source == nil)
        var heard = ""
        let other = try self.source { heard = $0 }
        #expect(try loop.runOnce(timeout: 1_000_000_000))
        #expect(heard == "a")
        other.stop()
    }

    @Test("work after each turn is done after its turns too")
    func posts() throws {
        var looks = 0
        let post = try PostSource(loop) { looks += 1 }
        let source = try source { _ in }
        for turn in 1...3 {
            pipe.write("a")
            #expect(try loop.run { looks == turn })
        }
        post.isEnabled = false
        pipe.write("a")
        #expect(try loop.runOnce(timeout: 1_000_000_000))
        #expect(try !loop.runOnce(timeout: 20_000_000))
        #expect(looks == 3)
        source.stop()
    }

    @Test("neither keeps the other waiting, however much there is to do")
    func fairness() throws {
        var served = 0
        var deferrals = 0
        var again: DeferredSource?
        again = try DeferredSource(loop) {
            deferrals += 1
            again?.trigger()
        }
        again?.trigger()
        // Never read: always ready.
        let source = try QuickSource(loop, descriptor: pipe.reading) { served += 1 }
        pipe.write("a")
        #expect(try loop.run { served > 100 && deferrals > 100 })
        again = nil
        let before = served
        var fired = false
        let timer = try TimerSource(loop) { fired = true }
        timer.arm(at: EventLoop.uptime + 20_000_000)
        #expect(try loop.run { fired && served > before + 100 })
        source.stop()
    }

    @Test("a turn of it alone leaves sd-event asleep")
    func asleep() throws {
        var left = 1000
        let source = try source { _ in
            left -= 1
            if left > 0 { pipe.write("a") } else { loop.exit() }
        }
        let before = loop.iteration
        pipe.write("a")
        #expect(try loop.run() == 0)
        #expect(loop.iteration - before < 1040)
        source.stop()
    }

    @Test("without room for it there is an error, and no source")
    func error() throws {
        #expect(throws: SystemError.self) { _ = try QuickSource(loop, descriptor: -1) {} }
        #expect(throws: SystemError.self) {
            _ = try QuickSource(loop, descriptor: try #require(regularFile())) {}
        }
        #expect(try !loop.runOnce(timeout: 1_000_000))
    }

    private func regularFile() -> Int32? {
        let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        return file >= 0 ? file : nil
    }
}
