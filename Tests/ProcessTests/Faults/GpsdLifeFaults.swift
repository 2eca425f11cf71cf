import EngineTestKit
import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    /// gpsd and receivers that come, go, hang or are replaced by something else. The events are
    /// compared with a replay of exactly what gpsd has sent.
    @MainActor
    @Suite("faults: gpsd and receiver")
    struct GpsdLifeFaults {
        @Test("gpsd killed and started again, four times, twice with eight seconds lost each time")
        func restarted() throws {
            let trace = try Trace.drive()
            let receiver = try Receiver()
            let gpsd = try Gpsd(receiver: receiver)
            let bench = try DaemonBench()
            try bench.installFences(of: trace)
            bench.source = gpsd.uri
            try bench.startAndWait()
            var recording = ""
            var done = 0
            let points = [60, 119, 176, 261, trace.epochs.count]
            for (number, point) in points.enumerated() {
                try gpsd.start()
                try #require(
                    waitUntil(seconds: 60) {
                        bench.said("fixes come from gpsd").count == number + 1
                    }, "\(bench.errors)")
                // Later than the daemon: it receives exactly what the daemon does.
                try gpsd.record()
                // The receiver's data is lost while gpsd is away.
                if number % 2 == 1 { done += 4 }
                try receiver.send(trace.epochs[done..<point])
                let expected = point - done - 2
                try #require(waitUntil(seconds: 60) { gpsd.fixes >= expected })
                try #require(bench.waits(forFixAt: gpsd.lastFix), "\(bench.errors)")
                done = point
                recording += gpsd.recording
                gpsd.kill()
                receiver.hangUp()
                #expect(waitUntil { bench.property("Degraded") == "1 \"source\"" })
            }
            let events = try bench.events()
            expectSame(events, try replay(recording, trace.fences))
            #expect(events.map(\.crossing) == (try trace.golden().map(\.crossing)))
            expectGapless(events)
            #expect(try bench.stop().status == 0)
        }

        @Test(
            "gpsd stopped for 7 s of a drive and continued: the stale of its burst count nothing")
        func stopped() throws {
            let receiver = try Receiver()
            let gpsd = try Gpsd(receiver: receiver)
            let bench = try DaemonBench()
            // At 60 m/s: before the stop, in its stale part, in its fresh part, after it.
            let place = { (metres: Double) in 48 + metres / 111_200 }
            var fences = "id,latitude,longitude,radius\n"
            for (id, metres) in [("a", 80), ("b", 255), ("c", 470), ("d", 710)] {
                fences += "\(id),\(place(Double(metres))),11,50\n"
            }
            let file = bench.directory.write(fences, to: "fences.d/a.csv")
            bench.source = gpsd.uri
            try gpsd.start()
            try bench.startAndWait()
            try #require(waitUntil { !bench.said("fixes come from gpsd").isEmpty })
            try gpsd.record()

            let start = Date().timeIntervalSince1970
            var now: Double { Date().timeIntervalSince1970 - start }
            func drive(to end: Double) throws {
                while now < end {
                    let metres = 60 * now
                    try receiver.send([epoch(latitude: place(metres), speed: 60)])
                    usleep(240_000)
                }
            }
            try drive(to: 3.3)
            try #require(waitUntil { bench.waits(forFixAt: gpsd.lastFix) })
            let before = gpsd.recording
            gpsd.process?.signal(SIGSTOP)
            try drive(to: 10.5)
            gpsd.process?.signal(SIGCONT)
            try drive(to: 14.5)
            try #require(bench.waits(forFixAt: gpsd.lastFix), "\(bench.errors)")

            let refused = try #require(try bench.json("status").first?["refused"])
            let stale = Int(try #require(refused["stale"]?.integer))
            #expect(stale >= 4, "\(refused)")
            // The first of the burst are stale; they do not count.
            var left = stale
            let heard = gpsd.recording.dropFirst(before.count).split(whereSeparator: \.isNewline)
                .filter { line in
                    guard left > 0, line.contains("\"lat\":") else { return true }
                    left -= 1
                    return false
                }
            let oracle = try replay(before + heard.joined(separator: "\n"), file)
            let events = try bench.events()
            expectSame(events, oracle)
            #expect(
                events.map(\.crossing)
                    == ["a", "b", "c", "d"].flatMap { ["enter \($0)", "exit \($0)"] })
            expectGapless(events)
        }

        @Test("a gpsd that hangs without closing: position lost, degraded, regained, and goes on")
        func hangs() throws {
            let base = try DriveBench(upTo: FaultScope.isWhole ? .max : 1700)
            let (drive, bench, gpsd) = (base.drive, base.bench, base.gpsd)
            bench.directory.write("[Fix]\nLostSec=1s\n", to: "geofenced.conf")
            try bench.startAndWait()
            try gpsd.accept()
            var silences = 0
            try gpsd.say(drive.lines) { number in
                guard number % 1000 == 600 else { return }
                silences += 1
                try #require(
                    waitUntil(seconds: 30) {
                        bench.property("PositionState") == "\"lost\""
                            && bench.property("Degraded") == "1 \"source\""
                    }, "\(bench.errors)")
            }
            try #require(bench.waits(forFixAt: drive.end), "\(bench.errors)")
            let events = try bench.events()
            #expect(silences == (FaultScope.isWhole ? 3 : 2))
            let states = events.filter { $0.kind.hasPrefix("position") }.map(\.kind)
            #expect(
                states == (0..<silences).flatMap { _ in ["position-lost", "position-regained"] })
            let crossings = events.filter { !$0.kind.hasPrefix("position") }
            #expect(crossings.map(\.unnumbered) == (try drive.oracle().map(\.unnumbered)))
            expectGapless(events)
            // In the log once a minute.
            #expect(bench.said("the source says nothing").count == 1)
        }

        @Test("another program on gpsd's port, then gpsd itself: every event is reported")
        func taken() throws {
            let base = try DriveBench(upTo: 1200)
            let (drive, bench, server) = (base.drive, base.bench, base.gpsd)
            bench.directory.write("[Fix]\nLostSec=1s\n", to: "geofenced.conf")
            try bench.startAndWait()
            // Closes at once.
            close(try server.comer())
            #expect(waitUntil { bench.property("Degraded") == "1 \"source\"" })
            // Speaks HTTP, and then stays silent.
            try server.accept(greets: false)
            server.say("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n")
            usleep(1_500_000)
            #expect(bench.property("Degraded") == "1 \"source\"")
            server.hangUp()
            try server.accept()
            #expect(
                waitUntil { bench.said("fixes come from gpsd").count == 1 }, "\(bench.errors)")
            server.say(drive.lines)
            try #require(bench.waits(forFixAt: drive.end), "\(bench.errors)")
            expectSame(try bench.events(), try drive.oracle())
            // Logged once a minute, however often it happens.
            #expect(bench.said("no fixes: ").count == 1, "\(bench.errors)")
        }

        @Test(
            "two receivers on one gpsd, ours unplugged and plugged in again: the events of ours",
            .enabled(if: FaultScope.isWhole, "for make test-faults"), .needs(.terminals))
        func receivers() throws {
            let trace = try Trace.drive()
            let bench = try DaemonBench()
            try bench.installFences(of: trace)
            let (descriptor, port) = try listening()
            close(descriptor)
            chmod(bench.directory.path, 0o755)
            let ours = try Serial(bench.directory.file("ours"))
            let other = try Serial(bench.directory.file("other"))
            let control = bench.directory.file("control")
            let gpsd = Subprocess([
                "gpsd", "-N", "-n", "-F", control, "-S", "\(port)", ours.path, other.path,
            ])
            try #require(waitUntil { gpsd.hasEnded || isListening(port) }, "\(gpsd.errorsSoFar)")
            bench.source = "gpsd://127.0.0.1:\(port)\(ours.path)"
            try bench.startAndWait()
            try #require(waitUntil { !bench.said("fixes come from gpsd").isEmpty })
            let recorder = Subprocess(["stdbuf", "-oL", "gpspipe", "-w", "127.0.0.1:\(port)"])
            try #require(waitUntil { recorder.outputSoFar.contains("\"WATCH\"") })

            func recorded(_ path: String) -> [Substring] {
                recorder.outputSoFar.split(whereSeparator: \.isNewline)
                    .filter { $0.contains("\"TPV\",\"device\":\"\(path)\"") }
            }
            // gpsd needs time to identify the receiver, and reports an epoch with the next.
            func speak(_ serial: Serial, _ epochs: some Collection<String>) -> Bool {
                let before = recorded(serial.path).count
                return waitUntil(seconds: 60) {
                    for epoch in epochs {
                        serial.say(epoch)
                        usleep(20_000)
                    }
                    return recorded(serial.path).count > before
                }
            }
            // What udev does when a receiver comes and goes.
            func tell(_ what: String) {
                let run = Subprocess(
                    ["gpsdctl", what, ours.path], environment: ["GPSD_SOCKET": control])
                #expect(run.wait()?.status == 0)
            }
            #expect(speak(other, trace.epochs[1...2]))
            #expect(speak(ours, trace.epochs[1...2]))
            for number in 3..<trace.epochs.count {
                if number == 110 || number == 230 {
                    ours.unplug()
                    tell("remove")
                    #expect(
                        waitUntil(seconds: 60) { bench.property("Degraded") == "1 \"source\"" },
                        "\(bench.errors)")
                    try ours.plug()
                    tell("add")
                    #expect(speak(ours, trace.epochs[number - 2..<number]))
                }
                ours.say(trace.epochs[number])
                // Twenty kilometres to the north, and half as fast.
                other.say(
                    trace.epochs[number / 2].replacingOccurrences(of: ",3914.", with: ",3924."))
                usleep(8000)
            }
            // The last epoch is reported with the one after it.
            var (last, same) = (-1, 0)
            try #require(
                waitUntil(seconds: 60) {
                    usleep(20_000)
                    let count = recorded(ours.path).count
                    same = count == last ? same + 1 : 0
                    last = count
                    return same == 15
                })
            let whole = RecordedDrive(lines: recorded(ours.path).map(String.init))
            try #require(bench.waits(forFixAt: whole.end), "\(bench.errors)")
            let events = try bench.events()
            expectSame(events, try whole.oracle(trace.fences))
            #expect(events.map(\.crossing) == (try trace.golden().map(\.crossing)))
            expectGapless(events)
            #expect(bench.said("the receiver has gone: \(ours.path)").count == 1)
        }

        @Test(
            "a receiver that sends ten fixes a second, along two fences at 20 m/s",
            .enabled(if: FaultScope.isWhole, "for make test-faults"))
        func tenHertz() throws {
            let receiver = try Receiver()
            let gpsd = try Gpsd(receiver: receiver)
            let bench = try DaemonBench()
            var fences = "id,latitude,longitude,radius,dwell\n"
            for number in 1...2 { fences += "\(number),\(48 + Double(number) * 0.002),11,60,3\n" }
            let file = bench.directory.write(fences, to: "fences.d/a.csv")
            bench.source = gpsd.uri
            try gpsd.start()
            try bench.startAndWait()
            try #require(waitUntil { !bench.said("fixes come from gpsd").isEmpty })
            try gpsd.record()
            let start = Date().timeIntervalSince1970.rounded()
            let epochs = (0..<320).map { tenth in
                let seconds = Double(tenth) / 10
                return epoch(
                    latitude: 48 + seconds * 20 / 111_200, at: start + seconds, speed: 20)
            }
            try receiver.send(epochs)
            try #require(waitUntil(seconds: 60) { gpsd.fixes >= epochs.count - 2 })
            try #require(bench.waits(forFixAt: gpsd.lastFix), "\(bench.errors)")
            let events = try bench.events()
            expectSame(events, try replay(gpsd.recording, file))
            #expect(
                events.map(\.crossing)
                    == (1...2).flatMap { ["enter \($0)", "dwell \($0)", "exit \($0)"] })
            expectGapless(events)
        }
    }
}

/// A serial receiver with a stable path, as by udev; the test decides what it sends.
private final class Serial {
    let path: String
    private var terminal: Int32 = -1

    init(_ path: String) throws {
        self.path = path
        try plug()
    }

    deinit { unplug() }

    func plug() throws {
        let line = try #require(PseudoTerminal(flags: O_NONBLOCK), "errno \(errno)")
        terminal = line.leader
        let name = line.path
        // gpsd drops its privileges once it runs.
        chmod(name, 0o666)
        unlink(path)
        try #require(symlink(name, path) == 0)
    }

    /// The line is dead, and its name removed.
    func unplug() {
        unlink(path)
        close(terminal)
        terminal = -1
    }

    func say(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(terminal, $0.baseAddress, $0.count) }
    }
}
