import EngineTestKit
import Foundation
import SystemTestKit
import Testing

extension DaemonTests {
    /// The files of a drive, damaged in various ways: the daemon starts, monitors the fences from
    /// files, and uses no number twice.
    @MainActor
    @Suite("when a database is ruined")
    struct DamageTests {
        private let drive: PipedDrive
        private let whole: String
        private let memory: Data
        private var bench: DaemonBench { drive.bench }

        init() throws {
            drive = try PipedDrive(try Trace.drive())
            try #require(try drive.live() == .stopped)
            whole = drive.bench.directory.file("whole")
            try FileManager.default.copyItem(atPath: drive.bench.state, toPath: whole)
            memory = try Data(contentsOf: URL(filePath: drive.bench.directory.file("run/memory")))
        }

        private func restore() throws {
            try FileManager.default.removeItem(atPath: bench.state)
            try FileManager.default.copyItem(atPath: whole, toPath: bench.state)
            try memory.write(to: URL(filePath: bench.directory.file("run/memory")))
        }

        private func size(of name: String) throws -> Int {
            try #require(FileManager.default.contents(atPath: "\(whole)/\(name)")).count
        }

        /// Starts, removes fences, one of them with the vehicle inside, and checks the log.
        private func expectGoesOn(_ comment: Comment, setAside name: String?) throws {
            try drive.start()
            try #require(
                waitUntil(seconds: 60) { bench.hasEnded || bench.property("FenceCount") == "9" },
                "\(comment) \(bench.errors)")
            try #require(!bench.hasEnded, "\(comment) \(bench.errors)")
            if let name {
                #expect(bench.said("\(name): ").count == 1, "\(comment) \(bench.errors)")
                #expect(access("\(bench.state)/\(name).unusable-1", F_OK) == 0, comment)
            }
            let fences = bench.directory.file("fences.d/drive.geojson")
            let text = try String(contentsOfFile: fences, encoding: .utf8)
            try FileManager.default.removeItem(atPath: fences)
            // An open stay of a removed fence ends with an event, which has the next number.
            let last = drive.events
            #expect(
                waitUntil(seconds: 60) {
                    (bench.property("LastSeq").flatMap { Int($0) } ?? 0) > last
                }, "\(comment) \(bench.errors)")
            #expect(try bench.stop().status == 0)
            let seqs = try drive.rows("SELECT seq FROM event ORDER BY seq", of: "events.sqlite")
                .compactMap { Int($0) }
            if name == "events.sqlite" {
                #expect(seqs.first == last + 1, comment)
            } else {
                #expect(seqs.starts(with: 1...last), comment)
            }
            let first = seqs.first ?? 0
            #expect(seqs == Array(first..<first + seqs.count), comment)
            bench.writeFences(text, to: "drive.geojson")
        }

        private static let count = FaultScope.isWhole ? 200 : 4

        @Test(
            "bytes of chance in pages of chance", arguments: ["catalogue.sqlite", "events.sqlite"])
        func scribbled(_ name: String) throws {
            let original = try #require(
                FileManager.default.contents(atPath: "\(whole)/\(name)"))
            // The last one damages the name of a column.
            for seed in Array(0..<Self.count) + [40] {
                var random = SeededRandom(seed: UInt64(seed))
                var bytes = original
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    let page = Int.random(in: 0..<original.count / 4096, using: &random)
                    for _ in 0...Int.random(in: 0..<64, using: &random) {
                        bytes[page * 4096 + Int.random(in: 0..<4096, using: &random)] =
                            UInt8.random(in: 0...255, using: &random)
                    }
                }
                try restore()
                try bytes.write(to: URL(filePath: "\(bench.state)/\(name)"))
                try drive.start()
                try #require(
                    waitUntil(seconds: 60) {
                        bench.hasEnded || bench.property("FenceCount").map { $0 != "0" } ?? false
                    }, "seed \(seed) \(bench.errors)")
                try #require(!bench.hasEnded, "seed \(seed) \(bench.errors)")
                let last = bench.property("LastSeq").flatMap { Int($0) } ?? 0
                #expect(last >= drive.events, "seed \(seed) \(bench.errors)")
                #expect(try bench.stop().status == 0, "seed \(seed)")
            }
        }

        @Test("truncated, foreign, newer, not a database: quarantined, named, numbers continue")
        func unusable() throws {
            for name in ["catalogue.sqlite", "events.sqlite"] {
                let size = try size(of: name)
                for length in [100, 512, 4_095, 4_096, size / 2, size - 4_096] {
                    try restore()
                    truncate("\(bench.state)/\(name)", off_t(length))
                    try expectGoesOn("\(name) cut to \(length)", setAside: name)
                    if Self.count < 10 { break }
                }
                // Of the log a later version has only more.
                let newer =
                    (name == "events.sqlite" ? "ALTER TABLE stay DROP COLUMN watch;" : "")
                    + "PRAGMA user_version=99"
                for ruin in ["PRAGMA application_id=7", newer] {
                    try restore()
                    _ = try drive.rows(ruin, of: name)
                    try expectGoesOn("\(name) \(ruin)", setAside: name)
                    if Self.count < 10 { break }
                }
            }
            try restore()
            try "no database".write(
                toFile: "\(bench.state)/events.sqlite", atomically: false, encoding: .utf8)
            try expectGoesOn("text", setAside: "events.sqlite")
        }

        @Test(
            "damaged while in use: used on until another process has checked it", .checksStores
        )
        func whileInUse() throws {
            try drive.start()
            var text = "id,latitude,longitude,radius\n"
            for k in 0..<30_000 { text += "many-\(k),\(-40 + k / 1_000),\(k % 1_000)e-1,50\n" }
            let file = bench.directory.write(text, to: "many.csv")
            try #require(waitUntil(seconds: 60) { bench.property("FenceCount") == "9" })
            try #require(try bench.tool("import", file).status == 0, "\(bench.errors)")
            let path = "\(bench.state)/catalogue.sqlite"
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            let size = try handle.seekToEnd()
            // What the daemon has in memory is the other half.
            try handle.seek(toOffset: size / 2)
            handle.write(Data(repeating: 0x55, count: Int(size - size / 2)))
            try handle.close()
            #expect(
                waitUntil(seconds: 60) {
                    for k in stride(from: 0, to: 30_000, by: 3_001) {
                        _ = try? bench.tool("show", "many-\(k)")
                    }
                    return !bench.said("degraded (store-suspect)").isEmpty
                }, "\(bench.errors)")
            #expect(
                waitUntil(seconds: 60) { !bench.said("set aside as").isEmpty },
                "\(bench.errors)")
            #expect(bench.said("set aside as").first?.contains("integrity_check") == true)
            #expect(!bench.said("works again: store-suspect").isEmpty)
            // The fences of files are read again at once.
            #expect(bench.waits(forFences: 9), "\(bench.errors)")
            #expect(try bench.stop().status == 0)
        }

        @Test(
            "a bit of a fence far away: found after the first fix, and put back from its copy",
            .checksStores)
        func farAway() throws {
            let drive = try PipedDrive(try Trace.drive())
            let bench = drive.bench
            try drive.start()
            try #require(waitUntil(seconds: 60) { bench.property("FenceCount") == "9" })
            let file = bench.directory.write(
                "id,latitude,longitude,radius,title\nown,30,0,50,harbour\n", to: "own.csv")
            try #require(try bench.tool("import", file).status == 0, "\(bench.errors)")
            // As many others are nearer as are in the window: no question meets it.
            let rows = (0..<40).map { "n\($0),\(-40 + Double($0) / 10),100,50" }
            let others = bench.directory.write(
                "id,latitude,longitude,radius\n" + rows.joined(separator: "\n") + "\n",
                to: "others.csv")
            try #require(
                try bench.tool("import", "--origin", "source/n", others).status == 0,
                "\(bench.errors)")
            let copy = "\(bench.state)/copies/bus.copy"
            try #require(waitUntil(seconds: 60) { access(copy, F_OK) == 0 })
            #expect(try bench.stop().status == 0)
            let path = "\(bench.state)/catalogue.sqlite"
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let title = try #require(bytes.firstRange(of: Array("harbour".utf8)))
            bytes[title.lowerBound] ^= 1
            try Data(bytes).write(to: URL(filePath: path))
            try drive.start()
            try #require(waitUntil(seconds: 60) { bench.property("FenceCount") == "50" })
            #expect(bench.said("store-suspect").isEmpty)
            try drive.drive()
            #expect(
                waitUntil(seconds: 60) { !bench.said("put back, from a copy: 1 fence of").isEmpty },
                "\(bench.errors)")
            #expect(bench.said("fences of the bus: 0, of 1").count == 2, "\(bench.errors)")
            #expect(bench.said("works again: store-suspect").count == 1, "\(bench.errors)")
            #expect(try bench.tool("show", "own").output.contains("harbour"))
            #expect(
                try bench.events().allSatisfy {
                    !["fences-lost", "exit own"].contains($0.crossing)
                })
            #expect(try bench.stop().status == 0)
        }

        @Test("a second daemon on the same state directory ends with an error")
        func second() throws {
            try drive.start()
            try #require(waitUntil(seconds: 60) { bench.property("FenceCount") == "9" })
            let other = try DaemonBench(withBus: false)
            other.start(["--state-dir", bench.state])
            let ending = try #require(other.daemon?.wait(seconds: 60))
            #expect(ending.status == 1 && ending.errors.contains("another geofenced uses it"))
            bench.kill()
            try other.startAndWait(["--state-dir", bench.state])
            #expect(try other.stop().status == 0)
        }

        @Test("an event log that is quarantined after a power cut: its numbers are read from it")
        func salvaged() throws {
            unlink(bench.directory.file("run/memory"))
            _ = try drive.rows("DROP TABLE snapshot", of: "events.sqlite")
            try drive.start()
            try #require(waitUntil(seconds: 60) { bench.property("LastSeq") != nil })
            // What is told of it has the next number.
            #expect(bench.property("LastSeq") == String(drive.events + 1), "\(bench.errors)")
            #expect(bench.said("events.sqlite: ").count == 1)
            #expect(try bench.stop().status == 0)
        }
    }
}
