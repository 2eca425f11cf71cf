import Glibc
import Model
import SystemTestKit
import Systemd
import Testing
import Time

@testable import FixSources

@MainActor
@Suite("NMEA sources", .serialized)
struct NmeaSourceTests {
    let loop: EventLoop
    let listener = Listener()
    let folder = TemporaryDirectory()

    init() throws { loop = try EventLoop() }

    private func source(
        _ path: String, baud: Int? = nil, pause: TimeSpan = .milliseconds(60)
    ) -> NmeaSource {
        var timing = NmeaSource.Timing()
        timing.pause = pause
        timing.silence = max(.milliseconds(150), pause + pause)
        timing.firstRetry = .milliseconds(10)
        timing.longestRetry = .milliseconds(40)
        return NmeaSource(loop, path: path, baud: baud, listener.handlers, timing: timing)
    }

    private func put(_ text: String, _ descriptor: Int32) {
        let bytes = Array(text.utf8)
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    }

    private func cycle(_ second: Int) -> String {
        let time = "1200\(second < 10 ? "0" : "")\(second)"
        return gga(time) + rmc(time)
    }

    private func times(_ seconds: Range<Int>) -> [UTCTime?] {
        seconds.map { utc("2024-03-02T12:00:00Z") + .seconds(Double($0)) }
    }

    private func pty() throws -> (master: Int32, path: String) {
        let terminal = try #require(PseudoTerminal(), "errno \(errno)")
        return (terminal.leader, terminal.path)
    }

    @Test(
        "a serial line: raw, at the requested speed, opened again when it was gone",
        .needs(.terminals))
    func terminal() throws {
        let (master, slave) = try pty()
        // A stable name, as in /dev/serial/by-id.
        let path = folder.file("gps")
        #expect(symlink(slave, path) == 0)
        let nmea = source(path, baud: 4800)
        nmea.start()
        #expect(listener.states == [.connecting(path)])
        var line = termios()
        #expect(tcgetattr(master, &line) == 0)
        #expect(line.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0)
        #expect(cfgetispeed(&line) == speed_t(B4800))
        put(cycle(0) + cycle(1), master)
        #expect(try loop.run { listener.reports.count == 2 })
        #expect(listener.states == [.connecting(path), .connected(path)])
        close(master)
        #expect(try loop.run { listener.waited(because: "the device has gone") })
        #expect(try loop.run { listener.waited(because: "No such file or directory") })
        // Plugged in again.
        let (again, next) = try pty()
        unlink(path)
        #expect(symlink(next, path) == 0)
        #expect(
            try loop.run { tcgetattr(again, &line) == 0 && cfgetispeed(&line) == speed_t(B4800) })
        put(cycle(2), again)
        #expect(try loop.run { listener.reports.count == 3 })
        #expect(listener.states.last == .connected(path))
        #expect(listener.reports.map(\.time) == times(0..<3))
        nmea.stop()
        close(again)
    }

    @Test("an unsupported speed is reported, not replaced by another", .needs(.terminals))
    func badSpeed() throws {
        let (master, slave) = try pty()
        let nmea = source(slave, baud: 4801)
        nmea.start()
        #expect(listener.waited(because: "no serial line has 4801 baud"))
        nmea.stop()
        close(master)
    }

    @Test("unreadable data is no connection, and differs from silence", .needs(.terminals))
    func unreadable() throws {
        let (master, slave) = try pty()
        let nmea = source(slave)
        nmea.start()
        #expect(try loop.run { listener.states.last == .silent })
        // As on a line at the wrong speed.
        put(String(repeating: "x$GPGG\u{1}\u{2}*00\r\n", count: 30), master)
        #expect(try loop.run { listener.states.last == .unreadable })
        #expect(listener.states == [.connecting(slave), .silent, .unreadable])
        put(cycle(0) + cycle(1), master)
        #expect(try loop.run { listener.reports.count == 2 })
        #expect(listener.states.dropFirst(3).first == .connected(slave))
        // And once more in silence, which is detected again.
        #expect(try loop.run { listener.states.last == .silent })
        nmea.stop()
        close(master)
    }

    @Test(
        "a known cycle is given with its last sentence, an unknown one after a pause",
        .needs(.terminals))
    func prompt() throws {
        let (master, slave) = try pty()
        let nmea = source(slave, pause: .seconds(2))
        nmea.start()
        for second in 0..<5 {
            put(cycle(second), master)
            #expect(try loop.run { listener.reports.count == second + 1 })
        }
        let before = EventLoop.uptime
        put(cycle(5), master)
        #expect(try loop.run { listener.reports.count == 6 })
        #expect(EventLoop.uptime - before < .seconds(2), "it waited for the pause")
        #expect(listener.reports.map(\.time) == times(0..<6))
        #expect(listener.reports.allSatisfy { $0.error == 18 && $0.speed != nil })
        nmea.stop()
        close(master)
    }

    @Test("a named pipe outlives its writers")
    func fifo() throws {
        let path = folder.file("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let nmea = source(path)
        nmea.start()
        for second in 0..<3 {
            let writer = open(path, O_WRONLY | O_CLOEXEC)
            put(cycle(second), writer)
            close(writer)
            #expect(try loop.run { listener.reports.count == second + 1 })
            #expect(try loop.run { listener.states.last == .connected(path) })
        }
        #expect(listener.reports.map(\.time) == times(0..<3))
        let quiet = loop.iteration
        #expect(try loop.run { listener.states.last == .silent })
        #expect(loop.iteration - quiet < 60, "a pipe without a writer keeps the loop busy")
        nmea.stop()
    }

    @Test("a file, and a device without end or without readiness, are read and then over")
    func file() throws {
        let path = folder.write((0..<50).map(cycle).joined(), to: "log.nmea")
        let nmea = source(path)
        nmea.start()
        #expect(try loop.run { listener.states.last == .ended(nil) })
        #expect(listener.reports.map(\.time) == times(0..<50))
        nmea.stop()
    }

    @Test("an endless source does not block the loop")
    func endless() throws {
        let nmea = source("/dev/zero")
        var hasFired = false
        let timer = try TimerSource(loop, accuracy: .zero) { hasFired = true }
        nmea.start()
        timer.arm(at: EventLoop.uptime + .milliseconds(1))
        #expect(try loop.run { hasFired })
        nmea.stop()
    }

    @Test("standard input: read as it comes, and finished at its end")
    func standardInput() throws {
        let keep = dup(0)
        defer {
            dup2(keep, 0)
            close(keep)
        }
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        dup2(ends[0], 0)
        close(ends[0])
        let nmea = source("-")
        nmea.start()
        put(cycle(0) + cycle(1), ends[1])
        #expect(try loop.run { listener.reports.count == 2 })
        #expect(listener.states.last == .connected("standard input"))
        close(ends[1])
        #expect(try loop.run { listener.states.last == .ended(nil) })
        nmea.stop()
    }

    @Test("a source that cannot be opened is retried")
    func missing() throws {
        let path = folder.file("none")
        let nmea = source(path)
        nmea.start()
        #expect(listener.waited(because: "No such file or directory"))
        folder.write(cycle(0), to: "none")
        #expect(try loop.run { listener.states.last == .ended(nil) })
        #expect(listener.reports.count == 1)
        nmea.stop()
    }

    @Test("stopped from within its own handler it is silent at once")
    func stops() throws {
        let path = folder.write((0..<9).map(cycle).joined(), to: "log.nmea")
        let nmea = source(path)
        listener.onReport = { nmea.stop() }
        nmea.start()
        #expect(try loop.run { listener.bursts == 1 })
        #expect(try !loop.run(seconds: 0.1) { listener.bursts > 1 })
        #expect(listener.states.last == .connected(path))
    }
}
