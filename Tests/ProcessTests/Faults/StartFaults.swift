import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    /// Fixes wait in the kept connection while the daemon is down, and what is watched has to be put
    /// together first: half of the fences are of a file, half came over the bus, and so did a low bridge, of
    /// which the driver is told while the daemon is down.
    @MainActor
    @Suite("faults: starts with fixes waiting")
    struct StartFaults {
        enum Start: String, CaseIterable, Sendable {
            case restarted, killed
            /// The catalogue is one of a later version.
            case rolledBack
            case withoutCatalogue
            /// Nothing says what there was, but for the log.
            case withoutCatalogueAndManifest
            /// What came over the bus cannot be put back.
            case withoutCatalogueAndCopies
            /// As at a first boot, with what gpsd has said since.
            case emptied
        }

        @Test("what waited is judged with every fence that can be had", arguments: Start.allCases)
        func waiting(_ kind: Start) throws {
            let bench = try DaemonBench()
            let gpsd = try GpsdStandIn()
            bench.source = gpsd.uri
            func fences(_ numbers: some Sequence<Int>) -> String {
                EastwardDrive.fences(numbers, every: 90, radius: 35)
            }
            bench.directory.write(fences(stride(from: 1, to: 12, by: 2)), to: "fences.d/a.csv")
            let imported = bench.directory.write(
                fences(stride(from: 2, to: 12, by: 2)), to: "b.csv")
            let all = bench.directory.write(fences(1...11), to: "all.csv")
            let manager = try ManagerStandIn(bench)
            try bench.startAndWait()
            try gpsd.accept()
            try #require(try bench.tool("import", imported).status == 0, "\(bench.errors)")
            let bridge = bench.directory.write(
                EastwardDrive.bridge(at: 1_500), to: "bridge.geojson")
            let set = try bench.tool("vehicle", "set", "--height", "4.2")
            try #require(set.status == 0, "\(set.errors)")
            let added = try bench.tool("import", "--origin", "roads/test", bridge)
            try #require(added.status == 0, "\(added.errors)")
            let copies = "\(bench.state)/copies"
            try #require(
                waitUntil(seconds: 60) {
                    let names = try? FileManager.default.contentsOfDirectory(atPath: copies)
                    return names?.filter { !$0.hasSuffix(".new") }.count == 2
                }, "\(bench.errors)")

            let drive = EastwardDrive(gpsd, every: 0.1)
            drive.go(to: 3)
            if kind == .restarted {
                manager.terminateAndStart()
            } else {
                manager.stop()
                drive.go(to: 9)
                try damage(bench, kind)
                manager.killAndStart()
            }
            drive.go(to: 12)
            try drive.waitsUntilJudged(by: bench)
            let events = try bench.events()
            let oracle = try drive.replay(all, options: [bridge, "--vehicle-height", "4.2"])
            func of(_ file: Int, from first: Int = 1, _ events: [LoggedLine]) -> [String] {
                events.filter { event in
                    event.fence.flatMap(Int.init).map { $0 % 2 == file && $0 >= first } ?? false
                }.map(\.unnumbered)
            }
            guard kind != .emptied else {
                // It was inside of the first one.
                #expect(of(1, from: 2, events) == of(1, from: 2, oracle))
                #expect(of(1, from: 2, events).count >= 2 && of(0, events).isEmpty)
                return
            }
            guard kind == .withoutCatalogueAndCopies else {
                expectSame(events, oracle)
                #expect(events.count >= 7, "\(events)")
                #expect(events.contains { $0.fence == "bridge" }, "\(events)")
                #expect(bench.said("degraded").isEmpty, "\(bench.errors)")
                return
            }
            #expect(of(1, events) == of(1, oracle))
            let others = of(0, events)
            #expect(of(0, oracle).starts(with: others), "\(others)")
            #expect(bench.said("degraded (fences-lost)").count == 1, "\(bench.errors)")
        }

        private func damage(_ bench: DaemonBench, _ kind: Start) throws {
            var gone = ["catalogue.sqlite", "catalogue.sqlite-wal", "catalogue.sqlite-shm"]
            switch kind {
            case .restarted, .killed: return
            case .rolledBack:
                let script =
                    "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version=99')"
                let ending = try #require(
                    Subprocess(
                        ["/usr/bin/python3", "-c", script, "\(bench.state)/catalogue.sqlite"]
                    ).wait())
                try #require(ending.status == 0, "\(ending.errors)")
                return
            case .withoutCatalogue: break
            case .withoutCatalogueAndManifest: gone += ["manifest", "manifest.second"]
            case .withoutCatalogueAndCopies: gone.append("copies")
            case .emptied:
                for directory in [bench.state, bench.directory.file("run")] {
                    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
                        try FileManager.default.removeItem(atPath: "\(directory)/\(name)")
                    }
                }
                return
            }
            for name in gone {
                try? FileManager.default.removeItem(atPath: "\(bench.state)/\(name)")
            }
        }
    }
}
