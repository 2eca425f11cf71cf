import Foundation
import Glibc
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    /// Endless reloads and changes of the catalogue. `make test-faults` uses the largest permitted
    /// floods; the events of fences that are not touched are those without the flood.
    @MainActor
    @Suite("faults: reloads and floods of fences")
    struct ReloadFaults {
        private let base: DriveBench
        private var drive: RecordedDrive { base.drive }
        private var bench: DaemonBench { base.bench }
        private var gpsd: GpsdStandIn { base.gpsd }
        private let watchdog: WatchdogListener

        init() throws {
            base = try DriveBench()
            watchdog = try WatchdogListener(base.bench.directory.file("notify"))
            base.bench.environment["NOTIFY_SOCKET"] = base.bench.directory.file("notify")
            base.bench.environment["WATCHDOG_USEC"] = "4000000"
        }

        private func far(_ count: Int, radius: Int = 50) -> String {
            var text = "id,latitude,longitude,radius\n"
            for number in 0..<count {
                let (row, column) = number.quotientAndRemainder(dividingBy: 5000)
                text += "far-\(number),\(10 + row).5,\(Double(column) / 1000),\(radius)\n"
            }
            return text
        }

        @Test("a storm of SIGHUPs, with files that change, go, and are wrong")
        func storm() throws {
            try bench.startAndWait()
            try gpsd.accept()
            var signals = 0
            var memories: [Int] = []
            try gpsd.say(drive.lines) { number in
                if number % 4 == 0 {
                    bench.daemon?.signal(SIGHUP)
                    signals += 1
                }
                if number % 50 == 0 {
                    bench.writeFences(far(1 + number % 300, radius: 50 + number), to: "b.csv")
                }
                if number % 90 == 0 { bench.writeFences("id,radius\nx,nowhere\n", to: "c.csv") }
                if number % 90 == 45 { unlink(bench.directory.file("fences.d/c.csv")) }
                if number % 700 == 699 {
                    try memories.append(memory(of: #require(bench.daemon)))
                }
                usleep(300)
            }
            // The final contents of the files, without a signal.
            bench.writeFences(far(321), to: "b.csv")
            unlink(bench.directory.file("fences.d/c.csv"))
            try #require(bench.waits(forFixAt: drive.end), "\(bench.errors)")
            #expect(
                waitUntil(seconds: 60) {
                    bench.property("FenceCount").flatMap { Int($0) } == 321
                        + RecordedDrive.fenceCount
                }, "\(bench.property("FenceCount") ?? "")")
            expectSame(try bench.events(), try drive.oracle())
            let reloads = bench.said("reloaded; ").count
            let after = try memory(of: #require(bench.daemon))
            print(
                "storm: \(signals) SIGHUPs, \(reloads) reloads, \(memories + [after]) kB, "
                    + "\(watchdog.longestPause) s between two signs of life")
            #expect(reloads >= 5)
            #expect(
                isMemorySanitized || after < memories[0] * 13 / 10, "\(memories), then \(after)")
            #expect(watchdog.longestPause < 4)
            #expect(try bench.stop().status == 0)
        }

        @Test("a flood of fences over the bus while driving, around the vehicle and far away")
        func flood() throws {
            let count = FaultScope.isWhole ? 100_000 : 5_000
            // The drive stands while a change waits for an import.
            bench.directory.write("[Fix]\nLostSec=1h\n", to: "geofenced.conf")
            try bench.startAndWait()
            try gpsd.accept()
            var imports: [Subprocess] = []
            var churns = 0
            let positions = drive.lines.map { line -> (String, String)? in
                guard let report = try? JSONValue(parsing: line),
                    let latitude = report["lat"]?.double, let longitude = report["lon"]?.double
                else { return nil }
                return ("\(latitude)", "\(longitude)")
            }
            try gpsd.say(drive.lines) { number in
                if number % 900 == 100 {
                    // With other radii each time: every fence is a change.
                    let file = bench.directory.write(
                        far(count, radius: 50 + number), to: "far-\(number).csv")
                    imports.append(
                        Subprocess([
                            builtProgram("geofencectl"), "--bus", bench.bus?.address ?? "",
                            "import", file,
                        ]))
                }
                // A file of the administrator's while one from the bus comes in: it is not missed.
                if number % 900 == 110 {
                    bench.writeFences(
                        "id,latitude,longitude,radius\nb-\(number),1,2,50\n", to: "b.csv")
                }
                // Added around the vehicle, and removed when it has been inside for a moment. A
                // change waits for an import: for one that takes long the vehicle does not.
                let waits =
                    (FaultScope.isWhole || isMemorySanitized)
                    && imports.contains { !$0.hasEnded }
                if number % 300 == 50, !waits, let (latitude, longitude) = positions[number] {
                    // Data still in the socket is not the vehicle's position yet.
                    #expect(bench.waits(forFixAt: drive.time(before: number)))
                    let place = "\(latitude),\(longitude),150"
                    let run = try bench.tool("add", "around", "--circle", place)
                    #expect(run.status == 0, "\(run.errors)")
                }
                if number % 300 == 80, !waits, try bench.tool("remove", "around").status == 0 {
                    churns += 1
                }
            }
            try #require(bench.waits(forFixAt: drive.end), "\(bench.errors)")
            let events = try bench.events()
            #expect(bench.property("State") == "\"running\"", "\(bench.errors)")
            for run in imports {
                let ending = try #require(run.wait(seconds: 300))
                #expect(ending.status == 0, "\(ending.errors)")
            }
            expectGapless(events)
            let untouched = events.filter { $0.fence != "around" }
            let found = untouched.map(\.unnumbered)
            let expected = try drive.oracle().map(\.unnumbered)
            #expect(found == expected, "\(found.difference(from: expected))")
            let around = events.filter { $0.fence == "around" }
            // Enters and exits alternate; a fence removed around the vehicle gives an exit.
            #expect(around.count >= 2 * churns * 3 / 4, "\(around.count), \(churns)")
            for (number, event) in around.enumerated() {
                #expect(event.kind == (number % 2 == 0 ? "initial" : "exit"), "\(around)")
            }
            #expect(around.contains { $0.reason == "fence-removed" })
            print(
                "flood: \(imports.count) × \(count) fences, \(churns) around the vehicle, "
                    + "\(watchdog.longestPause) s between two signs of life")
            #expect(watchdog.longestPause < 4)
            #expect(
                bench.waits(forFences: count + RecordedDrive.fenceCount + 1),
                "\(bench.property("FenceCount") ?? "no answer") \(bench.errors)")
            let last = (0..<drive.lines.count).last { $0 % 900 == 110 } ?? 0
            #expect(try bench.tool("show", "b-\(last)").status == 0)
        }

        @Test("more fences in fences.d than usual, at the start and at reloads while driving")
        func manyInFiles() throws {
            let count = FaultScope.isWhole ? 200_000 : 10_000
            bench.writeFences(far(count), to: "far.csv")
            let begun = Date()
            try bench.startAndWait()
            let start = Date().timeIntervalSince(begun)
            let signs = watchdog.times.count
            try gpsd.accept()
            gpsd.say(drive.lines) { number in
                if number % 900 == 100 { bench.daemon?.signal(SIGHUP) }
                if number % 900 == 400 { bench.writeFences(far(count - number), to: "far.csv") }
            }
            try #require(bench.waits(forFixAt: drive.end), "\(bench.errors)")
            expectSame(try bench.events(), try drive.oracle())
            let pause = watchdog.longestPause(from: signs)
            print("files: \(count) fences, start in \(start) s, then \(pause) s without a sign")
            #expect(pause < 4)
        }

        @Test("the catalogue is full: batches, imports and files are refused, nothing else changes")
        func full() throws {
            bench.directory.write("[Bus]\nMaxFences=100\n", to: "geofenced.conf")
            try bench.startAndWait()
            try gpsd.accept()
            let file = bench.directory.write(far(101), to: "far.csv")
            try gpsd.say(drive.lines) { number in
                guard number % 900 == 100 else { return }
                let run = try bench.tool("import", file)
                #expect(run.status == 1)
                #expect(run.errors.contains("more than 100 fences"), "\(run.errors)")
                bench.writeFences(far(101), to: "b.csv")
                bench.daemon?.signal(SIGHUP)
            }
            try #require(bench.waits(forFixAt: drive.end), "\(bench.errors)")
            #expect(waitUntil { !bench.said("more than 100 fences; ").isEmpty }, "\(bench.errors)")
            #expect(bench.property("FenceCount") == "\(RecordedDrive.fenceCount)")
            expectSame(try bench.events(), try drive.oracle())
        }
    }
}
