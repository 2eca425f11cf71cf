import EngineTestKit
import Foundation
import SystemTestKit
import Testing

extension DaemonTests {
    /// Crashes at every start. The service manager reports how a process ended: the unit records
    /// it, and here the test does.
    @MainActor
    @Suite("a loop of crashes")
    struct CrashLoopTests {
        private let base: DriveBench
        private var drive: RecordedDrive { base.drive }
        private var bench: DaemonBench { base.bench }
        private var gpsd: GpsdStandIn { base.gpsd }

        init() throws {
            base = try DriveBench(upTo: 1200)
        }

        private func ended(_ how: String) {
            bench.directory.write(how + "\n", to: "run/ended")
        }

        /// Starts it and ends it at once, before it has judged anything.
        private func die(_ how: String) throws {
            // On a port without a listener: otherwise the dead process's connection would be
            // accepted next.
            bench.source = "gpsd://127.0.0.1:1"
            try bench.startAndWait()
            bench.kill()
            ended(how)
            bench.source = gpsd.uri
        }

        @Test(
            "killed from outside repeatedly before it has done anything: the same events",
            arguments: ["signal KILL", "signal TERM", "exit-code 1", ""])
        func outside(_ how: String) throws {
            try bench.startAndWait()
            try gpsd.accept()
            gpsd.say(drive.lines[..<600])
            try base.waitForFix(before: 600)
            bench.kill()
            ended(how)
            gpsd.hangUp()
            for _ in 0..<6 { try die(how) }
            try bench.startAndWait()
            #expect(bench.said("begins without").isEmpty, "\(bench.errors)")
            try gpsd.accept()
            gpsd.say(drive.lines[600...])
            try base.waitForFix(before: drive.lines.count)
            expectSame(try bench.events(), try drive.oracle())
        }

        @Test(
            "a checkpoint that crashes it is set aside the fourth time, and a fix ends the matter")
        func checkpoint() throws {
            try bench.startAndWait()
            try gpsd.accept()
            gpsd.say(drive.lines[..<600])
            try base.waitForFix(before: 600)
            bench.kill()
            gpsd.hangUp()
            let memory = bench.directory.file("run/memory")
            // Half of it is lost; writing it whole again exceeds the process's limit: SIGXFSZ.
            #expect(truncate(memory, 300_000) == 0)
            let crash = { [bench] in
                bench.wrapper = ["prlimit", "--fsize=400000:400000"]
                bench.start()
                let ending = try #require(bench.daemon?.wait(seconds: 60))
                #expect(ending.status == 128 + SIGXFSZ, "\(ending)")
                bench.wrapper = []
            }
            for _ in 0..<3 {
                try crash()
                ended("core-dump XFSZ")
            }
            try bench.startAndWait()
            #expect(
                bench.said("crashed 3 times before a fix was judged: begins without \(memory), ")
                    .count == 1, "\(bench.errors)")
            #expect(FileManager.default.fileExists(atPath: memory + ".set-aside"))
            #expect(bench.property("Degraded")?.contains("\"crash-loop\"") == true)
            try gpsd.accept()
            gpsd.say(drive.lines[600...])
            try base.waitForFix(before: drive.lines.count)
            #expect(waitUntil { bench.property("Degraded") == "0" }, "\(bench.errors)")
            #expect(alternate(try bench.events()))
            bench.kill()
            ended("core-dump SEGV")
            // A start that had succeeded: the next failure is the first again.
            try bench.startAndWait()
            #expect(bench.said("begins without").isEmpty, "\(bench.errors)")
        }

        @Test("then the most recently changed fence file, then all fences; each logged once")
        func fences() throws {
            bench.writeFences("id,latitude,longitude,radius\nz,1,2,50\n", to: "b.csv")
            for _ in 0..<4 { try die("watchdog KILL") }
            try bench.startAndWait()
            let directory = bench.directory.file("fences.d")
            #expect(
                bench.said(
                    "crashed 4 times before a fix was judged: begins without b.csv of "
                        + directory
                ).count == 1, "\(bench.errors)")
            #expect(bench.property("FenceCount") == "\(RecordedDrive.fenceCount)")
            bench.kill()
            ended("oom-kill KILL")
            _ = try gpsd.comer()
            try bench.startAndWait()
            #expect(
                bench.said(
                    "crashed 5 times before a fix was judged: begins without a.geojson of "
                )
                .count == 1, "\(bench.errors)")
            #expect(bench.said("catalogue.sqlite: crashed 5 times with it; set aside").count == 1)
            #expect(bench.property("FenceCount") == "0")
            #expect(bench.property("Degraded")?.contains("\"crash-loop\"") == true)
            // Still watched: a repaired file is read, the other one not.
            bench.writeFences("id,latitude,longitude,radius\nz,1,2,60\n", to: "b.csv")
            #expect(bench.waits(forFences: 1), "\(bench.errors)")
            try gpsd.accept()
            gpsd.say(drive.lines[..<100])
            try base.waitForFix(before: 100)
            // An orderly stop, and it stays so; except for a file that changed.
            #expect(try bench.stop().status == 0)
            try bench.startAndWait()
            #expect(bench.property("FenceCount") == "1", "\(bench.errors)")
            let file = bench.directory.file("fences.d/a.geojson")
            bench.writeFences(try String(contentsOfFile: file, encoding: .utf8), to: "a.geojson")
            #expect(bench.waits(forFences: RecordedDrive.fenceCount + 1), "\(bench.errors)")
            #expect(
                waitUntil {
                    bench.property("Degraded")?.contains("crash-loop") == false
                }, "\(bench.errors)")
        }

        /// Openings and exits of each fence.
        private func alternate(_ events: [LoggedLine]) -> Bool {
            var inside: Set<String> = []
            return events.allSatisfy { event in
                guard let fence = event.fence, event.kind != "dwell" else { return true }
                return event.kind == "exit"
                    ? inside.remove(fence) != nil : inside.insert(fence).inserted
            }
        }
    }
}
