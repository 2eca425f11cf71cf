import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    /// A journald that is stopped, killed and restarted while many events occur.
    @MainActor
    @Suite("faults: the journal", .needs(.mounts))
    struct JournalFaults {
        enum Fault: String, CaseIterable, CustomTestStringConvertible {
            case stopped = "stopped for the whole drive and continued"
            case killed = "stopped, killed with all that waits, and started again"

            var testDescription: String { rawValue }
        }

        @Test(
            "more crossings than its socket holds: monitoring continues, and each is journalled",
            arguments: FaultScope.isWhole ? Fault.allCases : [.killed])
        func away(_ fault: Fault) throws {
            let drive = try RecordedDrive.steady()
            let journal = try PrivateJournal()
            let bench = try DaemonBench()
            let fences = bench.directory.write(
                drive.denseFences(places: 40), to: "fences.d/dense.csv")
            // Waiting for the journal does not lose the position.
            bench.directory.write("[Fix]\nLostSec=1h\n", to: "geofenced.conf")
            let gpsd = try GpsdStandIn()
            bench.source = gpsd.uri
            bench.wrapper = journal.wrapper
            try bench.startAndWait()
            try gpsd.accept()
            // journald stopped between two entries, not in one.
            usleep(200_000)
            journal.signal(SIGSTOP)
            gpsd.say(drive.lines)
            try #require(bench.waits(forFixAt: drive.end), "\(bench.errors)")
            let events = try bench.events()
            expectSame(events, try drive.oracle(fences))
            #expect(events.count > 800, "\(events.count)")
            #expect(
                waitUntil(seconds: 30) { bench.property("Degraded")?.contains("journal") == true })
            #expect(bench.said("degraded (journal): ").count == 1)
            switch fault {
            case .stopped: journal.signal(SIGCONT)
            case .killed:
                journal.signal(SIGKILL)
                try #require(waitUntil { journal.starts == 2 })
            }
            var journalled: [String] = []
            let announced = events.filter(\.isAnnounced).compactMap { $0.seq.map { "\($0)" } }
            #expect(
                waitUntil(seconds: 60) {
                    usleep(200_000)
                    journalled = ((try? journal.entries("SYSLOG_IDENTIFIER=geofenced")) ?? [])
                        .compactMap { $0["GEOFENCE_SEQ"]?.string }
                    return journalled.count >= announced.count
                }, "\(journalled.count) of \(announced.count)")
            // In order and once: the socket keeps entries that a journald has not read.
            #expect(journalled.starts(with: announced))
            #expect(waitUntil { bench.property("State") == "\"running\"" })
            #expect(try bench.stop().status == 0)
        }

        @Test(
            "killed while the journal is stopped: the bus repeats nothing, the journal misses nothing"
        )
        func killed() throws {
            let drive = try RecordedDrive.steady()
            let journal = try PrivateJournal()
            let bench = try DaemonBench()
            try FileManager.default.copyItem(
                atPath: RecordedDrive.fences, toPath: bench.directory.file("fences.d/drive.geojson")
            )
            let bus = try #require(bench.bus)
            let monitor = try #require(BusMonitor(bus, DaemonBench.transitions))
            let gpsd = try GpsdStandIn()
            bench.source = gpsd.uri
            bench.wrapper = journal.wrapper
            try bench.startAndWait()
            try gpsd.accept()
            journal.signal(SIGSTOP)
            try journal.fill()
            let middle = drive.lines.count * 2 / 3
            gpsd.say(drive.lines[..<middle])
            try #require(bench.waits(forFixAt: drive.time(before: middle)), "\(bench.errors)")
            let before = try bench.events().filter(\.isAnnounced).compactMap(\.seq)
            #expect(before.count > 5)
            #expect(waitUntil(seconds: 30) { monitor.numbers == before }, "\(monitor.numbers)")
            bench.kill()
            gpsd.hangUp()
            journal.signal(SIGCONT)
            try bench.startAndWait()
            try gpsd.accept()
            gpsd.say(drive.lines[middle...])
            try #require(bench.waits(forFixAt: drive.end), "\(bench.errors)")
            let events = try bench.events()
            expectSame(events, try drive.oracle())
            let announced = events.filter(\.isAnnounced).compactMap(\.seq)
            #expect(announced.count > before.count)
            #expect(waitUntil(seconds: 30) { monitor.numbers.last == announced.last })
            #expect(monitor.numbers == announced, "the bus, without duplicates")
            var journalled: [Int64] = []
            #expect(
                waitUntil(seconds: 60) {
                    journalled = ((try? journal.entries("SYSLOG_IDENTIFIER=geofenced")) ?? [])
                        .compactMap { $0["GEOFENCE_SEQ"]?.string.flatMap { Int64($0) } }
                    return journalled.last == announced.last
                })
            #expect(journalled == announced, "the journal, which was stopped")
        }
    }
}

extension PrivateJournal {
    /// Sends to a stopped journald until its socket takes no more.
    fileprivate func fill() throws {
        let run = Subprocess(
            wrapper + [
                "python3", "-c",
                """
                import socket
                s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                s.setblocking(False)
                try:
                    while True: s.sendto(b"MESSAGE=filler\\n", "/run/systemd/journal/socket")
                except BlockingIOError: pass
                """,
            ])
        try #require(run.wait()?.status == 0, "\(run.errorsSoFar)")
    }
}
