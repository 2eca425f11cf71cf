import Glibc
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite(.serialized)
struct LoopTests {
    let loop: EventLoop

    init() throws { loop = try EventLoop() }

    @Test("a timer fires once, not before its deadline and within its accuracy")
    func timer() throws {
        var fired: [Uptime] = []
        let timer = try TimerSource(loop) { fired.append(EventLoop.uptime) }
        defer { withExtendedLifetime(timer) {} }
        let deadline = EventLoop.uptime + TimeSpan(nanoseconds: 30_000_001)
        timer.arm(at: deadline)
        #expect(try loop.run { !fired.isEmpty })
        #expect(try fired.count == 1 && !loop.runOnce(timeout: .milliseconds(30)))
        let late = try #require(fired.first) - deadline
        #expect(late >= .zero, "early by \(-late)")
        #expect(late < .milliseconds(200), "late by \(late): sd-event's default accuracy is 250 ms")
    }

    @Test("timers fire in the order of their deadlines, not in the order they were set")
    func timerOrder() throws {
        var order: [Int] = []
        let start = EventLoop.uptime
        let timers = try (0..<3).map { index in
            try TimerSource(loop, accuracy: .microseconds(1)) { order.append(index) }
        }
        for (timer, delay) in zip(timers, [30, 10, 20] as [Int64]) {
            timer.arm(at: start + .milliseconds(delay))
        }
        #expect(try loop.run { order.count == 3 })
        #expect(order == [1, 2, 0])
        withExtendedLifetime(timers) {}
    }

    @Test("a re-armed timer fires at the new deadline only, a disarmed one never")
    func rearm() throws {
        var fired: [Uptime] = []
        let timer = try TimerSource(loop) { fired.append(EventLoop.uptime) }
        defer { withExtendedLifetime(timer) {} }
        let never = try TimerSource(loop) { Issue.record("a disarmed timer fired") }
        defer { withExtendedLifetime(never) {} }
        let start = EventLoop.uptime
        timer.arm(at: start + .milliseconds(5))
        timer.arm(at: start + .milliseconds(40))
        never.arm(at: start + .milliseconds(10))
        never.disarm()
        #expect(try loop.run { !fired.isEmpty })
        #expect(try #require(fired.first) >= start + .milliseconds(40))
        timer.arm(at: start)
        #expect(try loop.run { fired.count == 2 })
        #expect(!timer.isEnabled)
    }

    @Test(
        "any deadline can be requested",
        arguments: [Int64.min, -1, 0, 1, Int64.max - 1, Int64.max])
    func extremeDeadlines(deadline: Int64) throws {
        var fired = false
        let timer = try TimerSource(loop) { fired = true }
        defer { withExtendedLifetime(timer) {} }
        timer.arm(at: Uptime(nanoseconds: deadline))
        try loop.runOnce(timeout: .milliseconds(1))
        #expect(fired == (deadline <= 1))
    }

    @Test("a handler may drop its own source, and is not called again")
    func dropInHandler() throws {
        let pipe = try Pipe()
        pipe.write("x")
        var calls = 0
        var source: IOSource?
        source = try IOSource(loop, descriptor: pipe.reading, events: .readable) { _ in
            calls += 1
            source = nil
        }
        #expect(source != nil)
        #expect(try loop.run { calls == 1 })
        #expect(try !loop.runOnce(timeout: .milliseconds(5)))
        #expect(calls == 1)
    }

    @Test("a dropped source releases its handler")
    func releases() throws {
        final class Witness {}
        weak var alive: Witness?
        do {
            let witness = Witness()
            alive = witness
            let timer = try TimerSource(loop) { _ = witness }
            timer.arm(at: EventLoop.uptime + .seconds(1))
            #expect(alive != nil)
            withExtendedLifetime(timer) {}
        }
        #expect(alive == nil)
    }

    @Test("readability is reported until everything is read, and then the hang-up")
    func io() throws {
        let pipe = try Pipe()
        var seen: [IOEvents] = []
        let source = try IOSource(loop, descriptor: pipe.reading, events: .readable) { events in
            seen.append(events)
            if seen.count == 2 { pipe.drain() }
        }
        pipe.write("hello")
        #expect(try loop.run { seen.count == 2 })
        #expect(try !loop.runOnce(timeout: .milliseconds(5)))
        #expect(seen == [.readable, .readable])
        source.isEnabled = false
        pipe.write("more")
        #expect(try !loop.runOnce(timeout: .milliseconds(5)))
        pipe.drain()
        source.isEnabled = true
        pipe.closeWriting()
        #expect(try loop.run { seen.count == 3 })
        #expect(seen.last == .hangUp)
    }

    @Test("of two ready descriptors the one with the lower priority number goes first")
    func priorities() throws {
        let pipes = [try Pipe(), try Pipe(), try Pipe()]
        var order: [Int] = []
        var sources: [IOSource] = []
        for (index, priority) in zip(0..., [0, 10, -10] as [Int64]) {
            let pipe = pipes[index]
            pipe.write("x")
            sources.append(
                try IOSource(
                    loop, descriptor: pipe.reading, events: .readable, priority: priority
                ) { _ in
                    order.append(index)
                    pipe.drain()
                })
        }
        #expect(try loop.run { order.count == 3 })
        #expect(order == [2, 0, 1])
        withExtendedLifetime(sources) {}
    }

    @Test("a bad descriptor is an error with the operation and the errno")
    func badDescriptor() {
        let error = #expect(throws: SystemError.self) {
            _ = try IOSource(loop, descriptor: -7, events: .readable) { _ in }
        }
        #expect(error == SystemError(operation: "watching descriptor -7", errno: EBADF))
        #expect(error?.description == "watching descriptor -7: Bad file descriptor")
    }

    @Test("a signal is taken from the loop", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signals(number: Int32) throws {
        var caught = 0
        let source = try SignalSource(loop, number) { caught += 1 }
        // To this thread: the other threads of a test process do not block it.
        pthread_kill(pthread_self(), number)
        #expect(caught == 0)
        #expect(try loop.run { caught == 1 })
        withExtendedLifetime(source) {}
    }

    @Test("deferred work runs once on the next turn, however often it is requested")
    func deferred() throws {
        var runs = 0
        let work = try DeferredSource(loop) { runs += 1 }
        defer { withExtendedLifetime(work) {} }
        #expect(try !loop.runOnce(timeout: .zero))
        work.trigger()
        work.trigger()
        #expect(runs == 0)
        try loop.run { runs > 0 }
        #expect(try !loop.runOnce(timeout: .milliseconds(5)))
        #expect(runs == 1)
        work.trigger()
        #expect(try loop.run { runs == 2 })
    }

    @Test("post work follows dispatched sources, and never wakes the loop")
    func post() throws {
        var order: [String] = []
        let post = try PostSource(loop) { order.append("post") }
        let work = try DeferredSource(loop) { order.append("work") }
        defer { withExtendedLifetime(work) {} }
        #expect(try !loop.runOnce(timeout: .milliseconds(5)))
        work.trigger()
        #expect(try loop.run { order.count == 2 })
        #expect(order == ["work", "post"])
        withExtendedLifetime(post) {}
    }

    @Test("exit ends run() with its code after the handler")
    func exit() throws {
        let deadline = try TimerSource(loop) {
            loop.exit(code: 3)
        }
        deadline.arm(at: EventLoop.uptime)
        #expect(try loop.run() == 3)
        withExtendedLifetime(deadline) {}
    }

    @Test("an idle loop does not turn")
    func idle() throws {
        let timer = try TimerSource(loop) {}
        defer { withExtendedLifetime(timer) {} }
        timer.arm(at: EventLoop.uptime + .seconds(3600))
        let bus = PrivateBus()
        let connection = try bus.connect(loop)
        try loop.run(seconds: 0.1) { false }
        let before = loop.iteration
        let start = EventLoop.uptime
        // One wait of 300 ms: dispatching anything would end it early.
        #expect(try !loop.runOnce(timeout: .milliseconds(300)))
        #expect(loop.iteration <= before + 1)
        #expect(EventLoop.uptime - start >= .milliseconds(290))
        withExtendedLifetime(connection) {}
    }

    @Test("a burst of changes in a directory is one call, its end another")
    func inotify() throws {
        let directory = TemporaryDirectory()
        let inner = directory.file("fences.d")
        mkdir(inner, 0o755)
        var changes: [DirectoryWatch.Change] = []
        let watch = try DirectoryWatch(loop, path: inner, settle: .milliseconds(40)) {
            changes.append($0)
        }
        for index in 0..<50 { directory.write("{}", to: "fences.d/\(index).geojson") }
        #expect(try loop.run { !changes.isEmpty })
        try loop.run(seconds: 0.1) { false }
        #expect(changes == [.entries])
        rename(directory.file("fences.d/0.geojson"), directory.file("fences.d/a.geojson"))
        #expect(try loop.run { changes.count == 2 })
        for index in 1..<50 { unlink(directory.file("fences.d/\(index).geojson")) }
        unlink(directory.file("fences.d/a.geojson"))
        rmdir(inner)
        #expect(try loop.run { changes.last == .gone })
        withExtendedLifetime(watch) {}
    }

    @Test("a directory that is not there, or is a file, is an error")
    func inotifyErrors() {
        let directory = TemporaryDirectory()
        directory.write("", to: "file")
        for (name, code) in [("missing", ENOENT), ("file", ENOTDIR)] {
            let error = #expect(throws: SystemError.self) {
                _ = try DirectoryWatch(loop, path: directory.file(name)) { _ in }
            }
            #expect(error?.errno == code)
        }
    }
}

/// A pipe whose ends are closed with it.
private final class Pipe {
    let reading: Int32
    private var writing: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SystemError(operation: "pipe", errno: errno) }
        (reading, writing) = (ends[0], ends[1])
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(reading)
        closeWriting()
    }

    func write(_ text: String) { _ = Glibc.write(writing, text, text.utf8.count) }

    func drain() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(reading, &buffer, buffer.count) > 0 {}
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }
}
