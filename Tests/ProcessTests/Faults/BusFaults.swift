import Foundation
import Glibc
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    /// A bus that comes and goes, and programs on it that do not read, do not answer or call
    /// endlessly.
    @MainActor
    @Suite("faults: the bus and its clients")
    struct BusFaults {
        private let drive: RecordedDrive
        private let bench: DaemonBench
        private let bus: PrivateBus
        private let gpsd: GpsdStandIn

        init() throws {
            drive = try RecordedDrive()
            bench = try DaemonBench()
            bus = try #require(bench.bus)
            gpsd = try GpsdStandIn()
            bench.source = gpsd.uri
        }

        @Test("no bus at the start, and killed four times along a drive: every event is signalled")
        func restarted() throws {
            try FileManager.default.copyItem(
                atPath: RecordedDrive.fences, toPath: bench.directory.file("fences.d/a.geojson"))
            let oracle = try drive.oracle()
            let told = oracle.filter(\.isAnnounced)
            bus.kill()
            bench.start()
            try gpsd.accept()
            var monitors: [BusMonitor] = []
            for part in 1...5 {
                let from = drive.lines.count * (part - 1) / 5
                let to = drive.lines.count * part / 5
                // Half of each part without a bus, half with one.
                let half = (from + to) / 2
                gpsd.say(drive.lines[from..<half])
                try #require(waitUntil { bench.said("no bus: ").count >= 1 }, "\(bench.errors)")
                // A client that listens from the first moment receives the waiting events.
                bench.daemon?.signal(SIGSTOP)
                bus.start()
                monitors.append(try #require(BusMonitor(bus, DaemonBench.transitions)))
                bench.daemon?.signal(SIGCONT)
                try #require(
                    waitUntil(seconds: 60) { bench.property("Version") != nil }, "\(bench.errors)")
                gpsd.say(drive.lines[half..<to])
                try #require(
                    bench.waits(
                        forFixAt: RecordedDrive(lines: Array(drive.lines[..<to])).end))
                if part == 5 { break }
                bus.kill()
            }
            expectSame(try bench.events(), oracle)
            var heard: [Int64] = []
            #expect(
                waitUntil(seconds: 30) {
                    heard = monitors.flatMap(\.numbers)
                    return Set(heard).count >= told.count
                })
            // At least once; duplicates were on the way when the bus died.
            #expect(Set(heard) == Set(told.compactMap(\.seq)))
            #expect(heard.count - told.count <= 8, "\(heard)")
            #expect(waitUntil { bench.property("State") == "\"running\"" })
        }

        @Test("receivers that stop and a consumer that never acknowledges, along a dense drive")
        func deaf() throws {
            let drive = try RecordedDrive.steady()
            let fences = bench.directory.write(
                drive.denseFences(places: FaultScope.isWhole ? 200 : 25), to: "fences.d/dense.csv")
            try bench.startAndWait()
            try gpsd.accept()
            let unicast = try client("subscribe"), broadcast = try client("listen")
            let lazy = try client("consume"), awake = try client("subscribe")
            unicast.signal(SIGSTOP)
            broadcast.signal(SIGSTOP)
            let before = try memory(of: #require(bench.daemon))
            gpsd.say(drive.lines)
            try #require(bench.waits(forFixAt: drive.end), "\(bench.errors)")
            let judged = Date()
            let events = try bench.events()
            let seqs = events.filter(\.isAnnounced).compactMap(\.seq)
            // They delay no other client.
            #expect(waitUntil(seconds: 60) { awake.numbers.count >= seqs.count })
            print(
                "deaf: \(seqs.count) events, heard \(Date().timeIntervalSince(judged)) s after the last"
            )
            #expect(awake.numbers.starts(with: seqs))
            expectSame(events, try drive.oracle(fences))
            #expect(events.count > 500, "\(events.count)")
            #expect(bench.property("State") == "\"running\"", "\(bench.errors)")
            let after = try memory(of: #require(bench.daemon))
            print("deaf: \(before) → \(after) kB")
            #expect(
                isMemorySanitized || after - before < 16_000,
                "\(before) kB before, \(after) kB after")
            // As many as it may have without an acknowledgement, which is repeated ever more rarely,
            // and not again for every event.
            let brought = lazy.outputSoFar.split(separator: "\n").compactMap { Int($0) }
            #expect(brought.reduce(0, +) <= 3 * 256, "\(brought)")

            #expect(unicast.numbers.isEmpty && broadcast.numbers.isEmpty)
            unicast.signal(SIGCONT)
            broadcast.signal(SIGCONT)
            #expect(waitUntil(seconds: 60) { unicast.numbers.count >= seqs.count })
            #expect(unicast.numbers.starts(with: seqs))
            #expect(waitUntil(seconds: 60) { broadcast.numbers.count >= seqs.count })
            #expect(broadcast.numbers.starts(with: seqs))
        }

        @Test("programs that call endlessly: the events are exact and not late")
        func flooded() throws {
            try FileManager.default.copyItem(
                atPath: RecordedDrive.fences, toPath: bench.directory.file("fences.d/a.geojson"))
            try bench.startAndWait()
            try gpsd.accept()
            let oracle = try drive.oracle()
            let before = try memory(of: #require(bench.daemon))
            let floods = try ["get", "evaluate", "apply", "register"].map { try client($0) }
            #expect(waitUntil(seconds: 60) { floods.allSatisfy { $0.answers >= 2 } })
            // Event by event: the time from the fix that proves it to the line that reports it.
            var latest = 0.0
            var next = 0
            var provers = Dictionary(
                grouping: oracle.filter(\.isAnnounced), by: { $0.fixTime.prefix(19) })
            for (number, line) in drive.lines.enumerated() {
                gpsd.say(line)
                let following = number + 1 < drive.lines.count ? drive.lines[number + 1] : ""
                guard let time = line.fixTime, time != following.fixTime,
                    let proven = provers.removeValue(forKey: time)
                else { continue }
                next += proven.count
                let asked = Date()
                try #require(
                    waitUntil(seconds: 60) { bench.output.count(where: \.isNewline) >= next })
                latest = max(latest, Date().timeIntervalSince(asked))
            }
            try #require(bench.waits(forFixAt: drive.end), "\(bench.errors)")
            // Each caller is still answered, in its turn.
            #expect(waitUntil(seconds: 60) { floods.allSatisfy { $0.answers >= 3 } })
            let answers = floods.map(\.answers)
            floods.forEach { $0.signal(SIGKILL) }
            expectSame(try bench.events(), oracle)
            let after = try memory(of: #require(bench.daemon))
            print("flood: \(answers) answers, latest event \(latest) s, \(before) → \(after) kB")
            #expect(latest < 5, "\(latest) s")
            #expect(bench.property("State") == "\"running\"", "\(bench.errors)")
            #expect(try bench.stop().status == 0)
        }

        @Test(
            "raw messages of other and trusted users: the events are exact, memory is bounded",
            arguments: BusAttack.allCases)
        func attacked(_ attack: BusAttack) throws {
            try FileManager.default.copyItem(
                atPath: RecordedDrive.fences, toPath: bench.directory.file("fences.d/a.geojson"))
            chmod(bus.directory.path, 0o711)
            try bench.startAndWait()
            try gpsd.accept()
            let oracle = try drive.oracle()
            // Root may become another user; others stay themselves, and are trusted.
            let users: [Int?] = geteuid() == 0 ? [1, nil] : [nil]
            let seconds = FaultScope.isWhole ? 60 : 5
            for (number, user) in users.enumerated() {
                let attacker = attack.start(bus.address, for: seconds, as: user)
                try #require(
                    waitUntil(seconds: 60) { attacker.outputSoFar.contains("ready") },
                    "\(attacker.errorsSoFar)")
                let from = drive.lines.count * number / users.count
                let to = drive.lines.count * (number + 1) / users.count
                for line in drive.lines[from..<to] {
                    gpsd.say(line)
                    usleep(UInt32(seconds * 1_000_000 / (to - from)))
                }
                _ = attacker.wait(seconds: 60)
                attacker.signal(SIGKILL)
                try #require(
                    bench.waits(forFixAt: RecordedDrive(lines: Array(drive.lines[..<to])).end),
                    "\(bench.errors)")
            }
            let peak = try memory(of: #require(bench.daemon), "VmHWM")
            print("\(attack): \(peak) kB at most")
            #expect(isMemorySanitized || peak < 64_000, "\(peak) kB")
            expectSame(try bench.events(), oracle)
            #expect(bench.property("State") == "\"running\"", "\(bench.errors)")
            #expect(try bench.stop().status == 0)
        }

        private func client(_ what: String) throws -> Subprocess {
            let script = bench.directory.write(Self.script, to: "client.py")
            let client = Subprocess(["/usr/bin/python3", "-u", script, bus.address, what])
            try #require(
                waitUntil(seconds: 60) { client.outputSoFar.contains("ready") },
                "\(client.errorsSoFar)")
            return client
        }

        private static let script = """
            import sys, dbus, dbus.service, dbus.mainloop.glib
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            address, what = sys.argv[1:]
            bus = dbus.bus.BusConnection(address)
            NAME, PATH = "org.geofenced.Geofence1", "/org/geofenced/Geofence1"
            MANAGER = NAME + ".Manager"
            manager = dbus.Interface(bus.get_object(NAME, PATH, introspect=False), MANAGER)
            empty = dbus.Dictionary({}, signature="sv")
            def told(seq, fence, kind, details): print(int(seq))
            if what == "subscribe":
                path = manager.CreateSubscription(empty)
                bus.add_signal_receiver(told, "Transition", NAME + ".Subscription", path=path)
            elif what == "listen":
                bus.add_signal_receiver(told, "Transition", MANAGER)
                bus.get_name_owner(NAME)
            elif what == "consume":
                class Lazy(dbus.service.Object):
                    @dbus.service.method(NAME + ".Consumer", in_signature="a(tsua{sv})b")
                    def Deliver(self, events, gap): print(len(events))
                name = dbus.service.BusName("org.example.Lazy", bus)
                lazy = Lazy(bus, "/org/example/Lazy")
                manager.RegisterConsumer("org.example.Lazy", empty)
            else:
                number = 0
                far = [dbus.Struct((f"far-{i}", dbus.Dictionary({
                    "latitude": 10 + i * 1e-3, "longitude": 10.0, "radius": 50.0},
                    signature="sv")), signature=None) for i in range(2000)]
                def call():
                    global number
                    number += 1
                    done = dict(reply_handler=again, error_handler=again)
                    if what == "get": manager.GetFence("start", **done)
                    elif what == "evaluate": manager.EvaluateAt(49.02, 12.06, 50.0, **done)
                    elif what == "apply":
                        for fence in far: fence[1]["radius"] = 50.0 + number
                        manager.ApplyFences(
                            dbus.Array(far, signature="(sa{sv})"),
                            dbus.Array([], signature="s"), dbus.UInt64(0), timeout=600, **done)
                    elif number % 2: manager.CreateSubscription(empty, **done)
                    else: manager.RegisterConsumer(f"org.example.C{number}", empty, **done)
                def again(*_):
                    print("answered")
                    call()
                # Eight calls are on their way at any time.
                for _ in range(1 if what == "apply" else 8): call()
            print("ready")
            GLib.MainLoop().run()
            """
    }
}

extension Subprocess {
    /// The numbers it has printed, a line each.
    fileprivate var numbers: [Int64] { outputSoFar.split(separator: "\n").compactMap { Int64($0) } }

    /// The answers it has received.
    fileprivate var answers: Int { outputSoFar.split(separator: "\n").count { $0 == "answered" } }
}

extension String {
    /// The receiver time of a report with a position, to the second.
    fileprivate var fixTime: Substring? {
        guard contains("\"lat\":"), let range = range(of: "\"time\":\"") else { return nil }
        return self[range.upperBound...].prefix(19)
    }
}
