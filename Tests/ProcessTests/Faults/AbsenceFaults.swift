import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    /// The daemon is away for longer than its settings tolerate, with the shipped settings, in real
    /// time. The test plays the service manager: it stores descriptors, and kills a hung process.
    /// Under systemd it is the booted scenario `hung`.
    @MainActor
    @Suite("faults: away for a while")
    struct AbsenceFaults {
        enum Absence: String, CaseIterable, Sendable {
            case hungAndKilled, stoppedAndContinued, restarted
        }

        /// 30 m/s to the east, a circle of 40 m every 120 m.
        private static func place(_ metres: Double) -> Double { 11 + metres / 74_628 }

        @Test(
            "every pass is reported, no fix is stale, and the position is not lost",
            arguments: Absence.allCases)
        func away(_ absence: Absence) throws {
            let bench = try DaemonBench()
            let gpsd = try GpsdStandIn()
            bench.source = gpsd.uri
            var fences = "id,latitude,longitude,radius\n"
            for number in 1...30 {
                fences += "\(number),48,\(Self.place(Double(number) * 120)),40\n"
            }
            let file = bench.directory.write(fences, to: "fences.d/a.csv")
            let manager = try Manager(bench)
            try bench.startAndWait()
            try gpsd.accept()

            let start = Date().timeIntervalSince1970
            var said: [String] = []
            func drive(to end: Double) {
                while Date().timeIntervalSince1970 - start < end {
                    let now = Date().timeIntervalSince1970
                    let line =
                        #"{"class":"TPV","device":"/dev/x","mode":3,"time":"\#(iso(now))","#
                        + #""lat":48.0,"lon":\#(Self.place(30 * (now - start))),"eph":6.0,"#
                        + #""speed":30.0,"track":90.0}"#
                    gpsd.say(line)
                    said.append(line)
                    usleep(500_000)
                }
            }
            drive(to: 4)
            switch absence {
            case .hungAndKilled:
                manager.stop()
                drive(to: 15)
                manager.killAndStart()
            case .stoppedAndContinued:
                manager.stop()
                drive(to: 13)
                manager.resume()
            case .restarted:
                manager.terminateAndStart()
            }
            drive(to: 20)
            let end = RecordedDrive(lines: said).end
            try #require(
                bench.waits(forFixAt: end),
                "\(bench.property("LastFixTimestamp") ?? "-") of \(end): \(bench.errors)")
            let events = try bench.events()
            expectSame(events, try replay(said.joined(separator: "\n"), file))
            #expect(events.count >= 8 && events.allSatisfy { ["enter", "exit"].contains($0.kind) })
            let refused = try #require(try bench.json("status").first?["refused"])
            #expect((refused["stale"]?.integer ?? 0) == 0, "\(refused)")
            #expect(bench.said("no fixes").isEmpty, "\(bench.errors)")
        }

        private func iso(_ seconds: Double) -> String {
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            return formatter.string(from: Date(timeIntervalSince1970: seconds))
        }
    }
}

/// In the role of the service manager: starts the daemon with the descriptors that the previous one
/// has stored.
@MainActor
private final class Manager {
    private let bench: DaemonBench

    init(_ bench: DaemonBench) throws {
        self.bench = bench
        let notify = bench.directory.file("notify")
        bench.environment["NOTIFY_SOCKET"] = notify
        bench.wrapper = [
            "/usr/bin/python3", "-u", bench.directory.write(Self.script, to: "manager.py"),
        ]
    }

    func stop() { bench.daemon?.signal(SIGUSR1) }
    func resume() { bench.daemon?.signal(SIGCONT) }
    func killAndStart() { bench.daemon?.signal(SIGUSR2) }
    func terminateAndStart() { bench.daemon?.signal(SIGHUP) }

    private static let script = """
        import array, ctypes, fcntl, os, signal, socket, sys
        notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notify.bind(os.environ["NOTIFY_SOCKET"])
        notify.settimeout(0.05)
        store, child = {}, None

        def start():
            global child
            child = os.fork()
            if child == 0:
                ctypes.CDLL(None).prctl(1, 9)  # It ends with us.
                os.setsid()  # And hears what is said to it alone.
                names = sorted(store)
                for number, name in enumerate(names):
                    os.dup2(store[name], 3 + number)
                if names:
                    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(names)),
                                      LISTEN_FDNAMES=":".join(names))
                os.execv(sys.argv[1], sys.argv[1:])

        def again(how):
            os.kill(child, how)
            os.waitpid(child, 0)
            receive()
            start()

        def receive():
            while True:
                try:
                    text, control, _, _ = notify.recvmsg(4096, socket.CMSG_SPACE(64))
                except TimeoutError:
                    return
                fields = dict(line.split("=", 1) for line in text.decode().splitlines())
                for _, _, data in control:
                    kept = array.array("i", data[:4])[0]
                    # Out of the way of those that are handed over.
                    store[fields["FDNAME"]] = fcntl.fcntl(kept, fcntl.F_DUPFD_CLOEXEC, 20)
                    os.close(kept)
                if "FDSTOREREMOVE" in fields and fields["FDNAME"] in store:
                    os.close(store.pop(fields["FDNAME"]))

        pending = []
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGCONT, signal.SIGHUP, signal.SIGTERM):
            signal.signal(number, lambda number, frame: pending.append(number))
        start()
        while True:
            receive()
            while pending:
                number = pending.pop(0)
                if number == signal.SIGUSR1: os.kill(child, signal.SIGSTOP)
                if number == signal.SIGCONT: os.kill(child, signal.SIGCONT)
                if number == signal.SIGUSR2: again(signal.SIGKILL)
                if number == signal.SIGHUP: again(signal.SIGTERM)
                if number == signal.SIGTERM:
                    os.kill(child, signal.SIGTERM)
                    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
}
