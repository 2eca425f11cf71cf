import Foundation
import Glibc
import SystemTestKit
import Testing

extension DaemonTests {
    /// The process itself hangs, or has no memory left. The test plays the service manager.
    @MainActor
    @Suite("faults: the process")
    struct ProcessFaults {
        private let base: DriveBench
        private var drive: RecordedDrive { base.drive }
        private var bench: DaemonBench { base.bench }
        private var gpsd: GpsdStandIn { base.gpsd }

        init() throws {
            base = try DriveBench()
        }

        @Test("a hung loop sends no keep-alive; killed and restarted, it continues as without")
        func hung() throws {
            let interval = 2.0
            let watchdog = try WatchdogListener(bench.directory.file("notify"))
            bench.environment["NOTIFY_SOCKET"] = bench.directory.file("notify")
            bench.environment["WATCHDOG_USEC"] = "\(Int(interval * 1_000_000))"
            try bench.startAndWait()
            try gpsd.accept()
            let middle = drive.lines.count / 2
            gpsd.say(drive.lines[..<middle])
            try base.waitForFix(before: middle)
            try #require(waitUntil(seconds: 60) { watchdog.times.count >= 2 })
            #expect(watchdog.longestPause < interval)
            bench.daemon?.signal(SIGSTOP)
            usleep(100_000)
            let before = watchdog.times.count
            usleep(useconds_t(interval * 1_000_000))
            #expect(watchdog.times.count == before)
            // WatchdogSignal=SIGABRT, then SIGKILL if it has no effect: systemd.service(5).
            bench.daemon?.signal(SIGABRT)
            bench.kill()
            gpsd.hangUp()
            try bench.startAndWait()
            try gpsd.accept()
            gpsd.say(drive.lines[middle...])
            try base.waitForFix(before: drive.lines.count)
            expectSame(try bench.events(), try drive.oracle())
        }

        @Test(
            "no memory left, repeatedly: it refuses or dies, and no event is lost or duplicated",
            .enabled(
                if: !isMemorySanitized,
                "for builds without the sanitizer, which has memory of its own"))
        func memoryEnds() throws {
            let file = bench.directory.write(
                "id,latitude,longitude,radius\n"
                    + (0..<5000).map { "far-\($0),10,\(Double($0) / 100),50\n" }.joined(),
                to: "far.csv")
            try bench.startAndWait()
            try gpsd.accept()
            var deaths = 0
            var done = 0
            let slacks = FaultScope.isWhole ? [0, 100, 500, 1000, 2000, 4000, 8000] : [0, 2000]
            for (number, slack) in slacks.enumerated() {
                let point = drive.lines.count * (number + 1) / 8
                gpsd.say(drive.lines[done..<point])
                done = point
                try base.waitForFix(before: point)
                let daemon = try #require(bench.daemon)
                let limit = (try memory(of: daemon, "VmSize") + slack) * 1024
                let run = Subprocess([
                    "prlimit", "--pid", "\(daemon.pid)", "--as=\(limit):\(limit)",
                ])
                try #require(run.wait()?.status == 0, "\(run.errorsSoFar)")
                // A call that needs much memory, and a few of every kind.
                _ = try? bench.tool("import", file)
                _ = try? bench.tool("events")
                if bench.hasEnded {
                    deaths += 1
                } else {
                    bench.kill()
                }
                gpsd.hangUp()
                try bench.startAndWait()
                try gpsd.accept()
            }
            gpsd.say(drive.lines[done...])
            try base.waitForFix(before: drive.lines.count)
            print("memory: \(deaths) deaths")
            expectSame(try bench.events(), try drive.oracle())
            #expect(bench.said("set aside").isEmpty, "\(bench.errors)")
            #expect(bench.property("State") == "\"running\"")
        }
    }
}
