import FixSources
import Glibc
import JSON
import Model
import SystemTestKit
import Testing
import Time

extension DaemonTests {
    @MainActor
    @Suite("along a recorded drive")
    struct DriveTests {
        @Test(
            "crossings are printed, journalled, signalled and logged as in a replay",
            .needs(.mounts))
        func told() throws {
            let journal = try PrivateJournal()
            let drive = try LiveDrive()
            let bench = drive.bench
            bench.wrapper = journal.wrapper
            try bench.startAndWait()
            let bus = try #require(bench.bus)
            let monitor = try #require(BusMonitor(bus, DaemonBench.transitions))
            try drive.drive()

            let events = try bench.events()
            try drive.expectWhole(events)
            #expect(events.map(\.crossing) == (try drive.trace.golden().map(\.crossing)))

            // One fence has notify_on_exit off.
            let told = events.filter(\.isAnnounced)
            #expect(told.count == events.count - 1)
            let seqs = told.compactMap { $0.seq }
            let printed = bench.output.split(separator: "\n")
            #expect(printed.count == told.count)
            for (line, event) in zip(printed, told) {
                #expect(line.hasPrefix(event.time))
                #expect(line.contains("\(event.kind) "))
                if let fence = event.fence { #expect(line.contains(fence)) }
            }

            var journalled: [JSONValue] = []
            try #require(
                waitUntil {
                    journalled = (try? journal.entries("SYSLOG_IDENTIFIER=geofenced")) ?? []
                    journalled.removeAll { $0["GEOFENCE_SEQ"] == nil }
                    return journalled.count >= told.count
                })
            #expect(journalled.compactMap { $0["GEOFENCE_SEQ"]?.string } == seqs.map(String.init))
            for (entry, event) in zip(journalled, told) {
                #expect(entry["GEOFENCE_EVENT"]?.string == event.kind)
                #expect(entry["GEOFENCE_ID"]?.string == event.fence)
                #expect(entry["GEOFENCE_TIME"]?.string == event.time)
                #expect(entry["PRIORITY"]?.string == "5")
                #expect(entry["MESSAGE_ID"]?.string?.count == 32)
                #expect(entry["GEOFENCE_LATITUDE"] == nil)
            }

            #expect(waitUntil { monitor.lines.count >= told.count })
            let lines = monitor.lines.joined(separator: "\n")
            let signals = lines.jsonObjects.map { $0["payload"]?["data"] }
            #expect(signals.compactMap { $0?[0]?.integer } == seqs)
            #expect(signals.compactMap { $0?[1]?.string } == told.map { $0.fence ?? "" })
            #expect(!lines.contains("latitude"))
            #expect(try bench.stop().status == 0)
        }

        @Test("gpsfake in front: the same crossings", .needs(.terminals))
        func gpsfake() throws {
            let trace = try Trace.drive()
            let bench = try DaemonBench()
            try bench.installFences(of: trace)
            // gpsfake does not wait: the vehicle stands at the start for some time.
            let start = try #require(UTCTime(iso8601: "2005-09-26T01:03:28Z"))
            let parked = (1...500).reversed().map {
                epoch(
                    latitude: 39.2414567, longitude: -179.9510667,
                    at: Double(start.nanoseconds / 1_000_000_000 - $0))
            }
            let log = bench.directory.write(
                (parked + trace.epochs.dropFirst()).joined(), to: "drive.nmea")
            let (descriptor, port) = try listening()
            close(descriptor)
            bench.source = "gpsd://127.0.0.1:\(port)"
            let gpsfake = Subprocess([
                "gpsfake", "-q", "-1", "-t", "-c", "0.005", "-P", "\(port)", log,
            ])
            try #require(waitUntil(seconds: 20) { isListening(port) })
            try bench.startAndWait()
            let golden = try trace.golden()
            try #require(
                waitUntil(seconds: 30) {
                    (bench.property("LastSeq").flatMap { Int($0) } ?? 0) >= golden.count
                }, "\(bench.output) \(bench.errors) \(gpsfake.errorsSoFar)")
            #expect(try bench.events().map(\.crossing) == golden.map(\.crossing))
            #expect(bench.said("fixes come from gpsd").count == 1)
        }

        @Test(
            "killed repeatedly in the middle, it gives the same events as without",
            arguments: [true, false])
        func killed(whenQuiet isQuiet: Bool) throws {
            let drive = try LiveDrive()
            let (trace, bench) = (drive.trace, drive.bench)
            try bench.startAndWait()
            // On the way out of the first fence, in one with a dwell, in five of them at once, with
            // a settle begun, and near the end; and where nothing happens.
            for point in [4, 40, 75, 118, 150, 176, 215, 260, 300, 330] {
                try drive.drive(to: point)
                // Two fixes on the way, or lost with the process.
                if !isQuiet { try drive.speak(to: point + 2) }
                bench.kill()
                try bench.startAndWait()
            }
            try drive.drive()
            let events = try bench.events()
            if isQuiet { try drive.expectWhole(events) }
            #expect(events.map(\.crossing) == (try trace.golden().map(\.crossing)))
            expectGapless(events)
            #expect(events.allSatisfy { $0.reason != "restart" })
        }

        @Test("after a power cut presence is exact, alternation is kept and nothing comes twice")
        func powerCut() throws {
            let drive = try LiveDrive()
            let (trace, bench) = (drive.trace, drive.bench)
            try bench.startAndWait()
            for point in [118, 176] {
                try drive.drive(to: point)
                bench.kill()
                // Both are lost: the runtime directory, and the checkpoint of this boot.
                unlink(bench.directory.file("run/memory"))
                try forgetBoot(bench.directory.file("state/events.sqlite"))
                try bench.startAndWait()
            }
            try drive.drive()
            let events = try bench.events()
            expectGapless(events)
            var inside: Set<String> = []
            for event in events where ["enter", "initial", "exit"].contains(event.kind) {
                let fence = try #require(event.fence)
                if event.kind == "exit" {
                    #expect(inside.remove(fence) != nil, "\(events)")
                } else {
                    #expect(inside.insert(fence).inserted, "\(events)")
                }
            }
            #expect(
                Set(events.map(\.crossing)).isSuperset(of: try trace.golden().map(\.crossing)))
        }
    }
}

extension String {
    /// Each whole line as JSON; lines that are not objects are skipped.
    fileprivate var jsonObjects: [JSONValue] {
        split(separator: "\n").compactMap { try? JSONValue(parsing: String($0)) }
            .filter { $0["payload"] != nil }
    }
}

/// Turns the engine's checkpoint into one of an earlier boot, as after a power cut.
private func forgetBoot(_ database: String) throws {
    let statement = "UPDATE snapshot SET boot = '00000000000000000000000000000000'"
    let ending = try #require(Subprocess(["sqlite3", database, statement]).wait())
    try #require(ending.status == 0, "\(ending.errors)")
}
