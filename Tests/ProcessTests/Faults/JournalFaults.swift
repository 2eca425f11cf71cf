import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    /// A journald that is stopped, killed and started again while events come thick and fast.
    @MainActor
    @Suite("faults: the journal", .needs(.mounts))
    struct JournalFaults {
        enum Fault: String, CaseIterable, CustomTestStringConvertible {
            case stopped = "stopped for the whole drive and continued"
            case killed = "stopped, killed with all that waits, and started again"

            var testDescription: String { rawValue }
        }

        @Test(
            "more crossings than its socket holds: tracking goes on, and each is journalled",
            arguments: FaultScope.isWhole ? Fault.allCases : [.killed])
        func away(_ fault: Fault) throws {
            let drive = try RecordedDrive.steady()
            let journal = try PrivateJournal()
            let bench = try DaemonBench()
            let fences = bench.directory.write(
                drive.denseFences(places: 40), to: "fences.d/dense.csv")
            // The wait for the journal is no loss of the position.
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
            // In order and once: the socket keeps what a journald leaves.
            #expect(journalled.starts(with: announced))
            #expect(waitUntil { bench.property("State") == "\"running\"" })
            #expect(try bench.stop().status == 0)
        }
    }
}
