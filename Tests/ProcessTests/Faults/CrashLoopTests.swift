import EngineTestKit
import Foundation
import Geodesy
import Law
import Monitoring
import Storage
import SystemTestKit
import Testing
import Time

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

        @Test("however often it crashes with nothing in hand, no fence is left out")
        func fences() throws {
            bench.writeFences("id,latitude,longitude,radius\nz,1,2,50\n", to: "b.csv")
            for _ in 0..<5 { try die("watchdog KILL") }
            try bench.startAndWait()
            #expect(bench.said("crashed 5 times before a fix was judged").count == 1)
            #expect(bench.said("in hand").isEmpty, "\(bench.errors)")
            #expect(bench.property("FenceCount") == "\(RecordedDrive.fenceCount + 1)")
            #expect(asides == ["run/memory.set-aside"])
        }

        @Test("a file that is in hand at two crashes is left out until it changes; no other is")
        func file() throws {
            bench.source = "gpsd://127.0.0.1:1"
            try bench.startAndWait()
            #expect(try bench.stop().status == 0)
            bench.writeFences(large, to: "z.csv")
            for _ in 0..<2 {
                bench.start()
                try crash(with: "z.csv", in: Slot.file)
            }
            try bench.startAndWait()
            #expect(
                bench.said("crashed 2 times with file z.csv in hand: begins without it").count == 1,
                "\(bench.errors)")
            #expect(bench.property("FenceCount") == "\(RecordedDrive.fenceCount)")
            #expect(bench.property("Degraded")?.contains("\"crash-loop\"") == true)
            #expect(asides.isEmpty)
            // An orderly stop, and it stays so until the file is another.
            #expect(try bench.stop().status == 0)
            try bench.startAndWait()
            #expect(bench.property("FenceCount") == "\(RecordedDrive.fenceCount)")
            #expect(bench.property("Degraded")?.contains("\"crash-loop\"") == true)
            bench.writeFences("id,latitude,longitude,radius\nz,1,2,60\n", to: "z.csv")
            #expect(bench.waits(forFences: RecordedDrive.fenceCount + 1), "\(bench.errors)")
            #expect(
                waitUntil { bench.property("Degraded")?.contains("crash-loop") == false },
                "\(bench.errors)")
        }

        @Test("a call that is in hand at two crashes is refused, until an orderly stop")
        func call() throws {
            bench.source = "gpsd://127.0.0.1:1"
            let file = bench.directory.file("large.csv")
            bench.directory.write(large, to: "large.csv")
            let address = try #require(bench.bus?.address)
            for _ in 0..<2 {
                try bench.startAndWait()
                let tool = Subprocess([
                    builtProgram("geofencectl"), "--bus", address, "import", file,
                ])
                try crash(with: "ImportFencesFrom the bus", in: Slot.call)
                #expect(try #require(tool.wait(seconds: 60)).status != 0)
            }
            try bench.startAndWait()
            #expect(
                bench.said(
                    "crashed 2 times with call ImportFencesFrom the bus in hand: begins without it"
                )
                .count == 1, "\(bench.errors)")
            let refused = try bench.tool("import", file)
            #expect(refused.status != 0 && refused.errors.contains("left out"), "\(refused)")
            #expect(bench.property("FenceCount") == "\(RecordedDrive.fenceCount)")
            #expect(asides.isEmpty)
            #expect(try bench.stop().status == 0)
            try bench.startAndWait()
            #expect(bench.property("Degraded")?.contains("crash-loop") == false)
            bench.directory.write("id,latitude,longitude,radius\nz,1,2,60\n", to: "large.csv")
            #expect(try bench.tool("import", file).status == 0)
        }

        @Test("a fence that is in hand at two crashes is left out until it changes; no other is")
        func fence() throws {
            bench.source = "gpsd://127.0.0.1:1"
            // Far away: it is decoded when somebody asks for it.
            let ring = (0..<60_000).map { index -> String in
                let angle = Double(index % 59_999) / 59_999 * 2 * .pi
                return "[\(-60 + cos(angle)),\(-30 + sin(angle))]"
            }
            let vast = { (title: String) in
                #"{"type":"Feature","id":"vast","properties":{"title":"\#(title)"},"#
                    + #""geometry":{"type":"Polygon","coordinates":[["#
                    + ring.joined(separator: ",") + "]]}}"
            }
            bench.directory.write(vast("large"), to: "vast.geojson")
            let address = try #require(bench.bus?.address)
            try bench.startAndWait()
            let imported = try bench.tool("import", bench.directory.file("vast.geojson"))
            #expect(imported.status == 0, "\(imported.errors)")
            for turn in 0..<2 {
                if turn > 0 { try bench.startAndWait() }
                try crash(with: "vast", in: Slot.fence) {
                    Subprocess([builtProgram("geofencectl"), "--bus", address, "show", "vast"])
                }
            }
            try bench.startAndWait()
            #expect(
                bench.said("crashed 2 times with fence vast in hand: begins without it")
                    .count == 1, "\(bench.errors)")
            #expect(try bench.tool("show", "vast").status != 0)
            #expect(bench.property("FenceCount") == "\(RecordedDrive.fenceCount + 1)")
            #expect(bench.property("Degraded")?.contains("\"crash-loop\"") == true)
            #expect(asides.isEmpty)
            bench.directory.write(vast("smaller"), to: "vast.geojson")
            #expect(try bench.tool("import", bench.directory.file("vast.geojson")).status == 0)
            #expect(try bench.tool("show", "vast").status == 0)
            #expect(
                waitUntil { bench.property("Degraded")?.contains("crash-loop") == false },
                "\(bench.errors)")
        }

        @Test("a route that is in hand at two crashes is left out, and no hazard with it")
        func route() throws {
            let place = Coordinate(latitude: 48, longitude: 11)
            bench.source = "gpsd://127.0.0.1:1"
            // Looking at them takes a while.
            do {
                let service = try MonitoringService(
                    settings: MonitoringSettings(),
                    store: try Store(directory: bench.state, bootID: nil), bootID: nil,
                    checkpoint: nil
                ) { _, _ in }
                _ = try service.apply(
                    upserts: (0..<20).map {
                        try RouteAttack.hazard("h\($0)", ends: 60, sections: 60, at: place)
                    }, removing: [], at: .boot)
            }
            let line = RouteAttack.route(passes: 500, at: place).map(Route.rounded)
            let mark = Route.mark(of: line)
            let file = bench.directory.write(
                #"{"type":"LineString","coordinates":["#
                    + line.map { "[\($0.longitude),\($0.latitude)]" }.joined(separator: ",")
                    + "]}", to: "route.geojson")
            let address = try #require(bench.bus?.address)
            let count = RecordedDrive.fenceCount + 20
            for turn in 0..<2 {
                try bench.startAndWait()
                if turn == 0 { #expect(bench.waits(forFences: count), "\(bench.errors)") }
                try crash(with: mark, in: Slot.route) {
                    Subprocess([
                        builtProgram("geofencectl"), "--bus", address, "route", "set", file,
                    ])
                }
            }
            try bench.startAndWait()
            #expect(
                bench.said("crashed 2 times with route \(mark) in hand: begins without it").count
                    == 1,
                "\(bench.errors)")
            #expect(bench.property("FenceCount") == "\(count)")
            #expect(bench.property("Degraded")?.contains("\"crash-loop\"") == true)
            let again = try bench.tool("route", "set", file)
            #expect(again.status != 0 && again.errors.contains("left out"), "\(again)")
            // Everybody else sets his.
            bench.directory.write(
                #"{"type":"LineString","coordinates":[[12,48],[12.1,48]]}"#, to: "other.geojson")
            let other = try bench.tool("route", "set", bench.directory.file("other.geojson"))
            #expect(other.status == 0, "\(other)")
            #expect(asides.isEmpty)
        }

        /// Where ``InHand`` keeps the name of each kind in its page.
        private enum Slot {
            static let call = 1
            static let file = 2
            static let fence = 3
            static let route = 4
            static let count = 5
        }

        /// Ends it as a crash does, in the middle of that work: stopped, looked at, and killed if it
        /// has that in hand. `cause` is run again and again until then.
        private func crash(
            with name: String, in slot: Int, _ cause: () -> Subprocess? = { nil }
        ) throws {
            let daemon = try #require(bench.daemon)
            // What the process before had in hand was taken.
            try #require(waitUntil(seconds: 60) { inHand(slot) != name })
            var client = cause()
            let isHit = waitUntil(seconds: 120) {
                if client?.hasEnded == true { client = cause() }
                daemon.signal(SIGSTOP)
                guard waitUntil(seconds: 10, { isStopped(daemon) }),
                    inHand(slot) == name
                else {
                    daemon.signal(SIGCONT)
                    return false
                }
                daemon.signal(SIGKILL)
                return true
            }
            try #require(isHit, "\(bench.errors)")
            _ = daemon.wait()
            ended("core-dump SEGV")
            _ = client?.wait(seconds: 60)
        }

        private func isStopped(_ process: Subprocess) -> Bool {
            let text = try? String(contentsOfFile: "/proc/\(process.pid)/stat", encoding: .utf8)
            return text?.split(separator: ")").last?.hasPrefix(" T") == true
        }

        private func inHand(_ slot: Int) -> String? {
            let path = bench.directory.file("run/in-hand")
            guard let page = FileManager.default.contents(atPath: path),
                page.count == Slot.count * 1_024
            else { return nil }
            let place = slot * 1_024
            let count = Int(page[place]) | Int(page[place + 1]) << 8
            return String(decoding: page[place + 2..<place + 2 + count], as: UTF8.self)
        }

        /// Enough for seconds of reading.
        private var large: String {
            (0..<40_000).reduce(into: "id,latitude,longitude,radius\n") {
                $0 += "n\($1),\(-40 - Double($1) / 10_000),20,50\n"
            }
        }

        /// Every file of the state or of the runtime directory that was set aside.
        private var asides: [String] {
            ["run", "state"].flatMap { name in
                let names = try? FileManager.default.contentsOfDirectory(
                    atPath: bench.directory.file(name))
                return (names ?? []).filter { $0.contains("aside") || $0.contains("unusable") }.map
                { "\(name)/\($0)" }
            }
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
