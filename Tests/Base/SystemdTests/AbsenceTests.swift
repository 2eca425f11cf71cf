import Foundation
import Glibc
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite(.serialized)
struct AbsenceTests {
    let loop: EventLoop

    init() throws { loop = try EventLoop() }

    private struct Absence { var since, heard: Uptime, wasBusy: Bool }

    @Test("only a turn of more than a second is reported, from when the loop woke")
    func busy() throws {
        var absences: [Absence] = []
        let watch = try AbsenceWatch(loop) {
            absences.append(Absence(since: $0, heard: EventLoop.uptime, wasBusy: $1))
        }
        var fired = 0
        var began = Uptime.boot
        var order: [String] = []
        let slow = try TimerSource(loop, accuracy: .microseconds(1)) {
            fired += 1
            began = EventLoop.uptime
            if fired == 3 { usleep(1_100_000) }
        }
        let later = try TimerSource(loop, accuracy: .microseconds(1)) {
            order.append("\(absences.count)")
        }
        for _ in 0..<3 {
            let before = fired
            slow.arm(at: EventLoop.uptime)
            later.arm(at: EventLoop.uptime + .milliseconds(1))
            #expect(try loop.run { fired > before })
            #expect(try loop.run { order.count == fired })
        }
        let absence = try #require(absences.first)
        #expect(absences.count == 1 && absence.wasBusy)
        #expect(absence.since <= began && began - absence.since < .milliseconds(500))
        // Before timers that fell due meanwhile.
        #expect(order == ["0", "0", "1"])
        withExtendedLifetime((watch, slow, later)) {}
    }

    @Test("a process that was stopped is notified before pending input is dispatched")
    func stopped() throws {
        var absences: [Absence] = []
        let watch = try AbsenceWatch(loop) {
            absences.append(Absence(since: $0, heard: EventLoop.uptime, wasBusy: $1))
        }
        var pair: [Int32] = [0, 0]
        #expect(pipe(&pair) == 0)
        defer { for end in pair { close(end) } }
        var seen: Int?
        let source = try IOSource(loop, descriptor: pair[0], events: .readable) { _ in
            seen = absences.count
        }
        let before = EventLoop.uptime
        let (here, writer) = (UInt(pthread_self()), pair[1])
        // The loop waits, and stops waiting when it is continued. To this thread: a process with
        // more threads than the daemon would take the signal in any of them.
        let thread = Thread {
            usleep(1_200_000)
            pthread_kill(pthread_t(here), SIGCONT)
            _ = write(writer, "x", 1)
        }
        thread.start()
        while seen == nil { try #require(try loop.runOnce(timeout: .seconds(30))) }
        #expect(seen == 1)
        let absence = try #require(absences.first)
        #expect(!absence.wasBusy && absence.since >= before)
        #expect(absence.heard - absence.since > .seconds(1))
        source.isEnabled = false
        // It was never away.
        pthread_kill(pthread_self(), SIGCONT)
        _ = try loop.runOnce(timeout: .milliseconds(100))
        #expect(absences.count == 1)
        withExtendedLifetime(watch) {}
    }

    @Test("a process that was stopped while leaving the wait learns of it by asking")
    func asked() throws {
        var absences: [Absence] = []
        let watch = try AbsenceWatch(loop) {
            absences.append(Absence(since: $0, heard: EventLoop.uptime, wasBusy: $1))
        }
        var seen: [Int] = []
        let timer = try TimerSource(loop, accuracy: .microseconds(1)) {
            // The wait has ended; the signal comes after it.
            watch.look()
            seen.append(absences.count)
            pthread_kill(pthread_self(), SIGCONT)
            watch.look()
            watch.look()
            seen.append(absences.count)
        }
        timer.arm(at: EventLoop.uptime + .milliseconds(1100))
        while seen.isEmpty { try #require(try loop.runOnce(timeout: .seconds(30))) }
        #expect(seen == [0, 1])
        // The signal itself is already known.
        _ = try loop.runOnce(timeout: .milliseconds(100))
        #expect(absences.count == 1 && absences.first?.wasBusy == false)
    }

    @Test("the contents of a pipe or a socket are moved, without waiting for an empty one")
    func moving() throws {
        let directory = TemporaryDirectory()
        let file = open(directory.file("spool"), O_RDWR | O_CREAT, 0o600)
        defer { close(file) }
        var ends: [Int32] = [0, 0]
        var pair: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        for (reader, writer) in [(ends[0], ends[1]), (pair[0], pair[1])] {
            #expect(fcntl(reader, F_GETFL) & O_NONBLOCK == 0)
            #expect(moveWithoutWaiting(from: reader, to: file, atMost: 100) == -1)
            #expect(errno == EAGAIN)
            #expect(write(writer, "fences", 6) == 6)
            #expect(moveWithoutWaiting(from: reader, to: file, atMost: 4) == 4)
            #expect(moveWithoutWaiting(from: reader, to: file, atMost: 100) == 2)
            close(writer)
            #expect(moveWithoutWaiting(from: reader, to: file, atMost: 100) == 0)
            close(reader)
        }
        var bytes = [UInt8](repeating: 0, count: 20)
        #expect(pread(file, &bytes, 20, 0) == 12)
        #expect(String(decoding: bytes.prefix(12), as: UTF8.self) == "fencesfences")
    }
}
