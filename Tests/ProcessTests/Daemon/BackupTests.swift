import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    /// `geofencectl backup` and `restore` on the files of the real daemon.
    @MainActor
    @Suite("a backup of the state directory")
    struct BackupTests {
        private let drive: PipedDrive
        private var bench: DaemonBench { drive.bench }
        private var backup: String { bench.directory.file("backup") }

        init() throws {
            drive = try PipedDrive(try Trace.drive())
            try #require(try drive.live() == .stopped)
        }

        private func tool(_ verb: String) throws -> Subprocess.Ending {
            try geofencectl(verb, backup, "--state-dir", bench.state)
        }

        /// Until it answers.
        private func start() throws {
            try drive.start()
            try #require(waitUntil(seconds: 60) { property("FenceCount") == "9" })
        }

        private func rows(_ sql: String, of name: String) throws -> [String] {
            try drive.rows(sql, of: name)
        }

        private func property(_ name: String) -> String? { bench.property(name) }

        /// Without its own files, and with the descriptors that it holds.
        private func lose(_ names: String...) throws {
            for name in names {
                for suffix in ["", "-wal", "-shm"] {
                    try? FileManager.default.removeItem(atPath: "\(bench.state)/\(name)\(suffix)")
                }
            }
            for name in try FileManager.default.contentsOfDirectory(
                atPath: bench.directory.file("run"))
            {
                try FileManager.default.removeItem(atPath: bench.directory.file("run/\(name)"))
            }
        }

        @Test("made while it runs, restored on an empty disk: fences, origins, events, numbers")
        func whole() throws {
            try drive.start()
            try #require(waitUntil(seconds: 60) { property("FenceCount") == "9" })
            #expect(try bench.tool("add", "own", "--circle", "1,2,50").status == 0)
            let made = try tool("backup")
            #expect(made.status == 0 && made.output.contains("10 fences, \(drive.events) events"))
            let mode = try FileManager.default.attributesOfItem(atPath: backup + "/events.sqlite")
            #expect(mode[.posixPermissions] as? Int == 0o600)
            let fences = try bench.tool("export").output
            let events = try bench.tool("events", "--json").output
            // The files are not changed while a program has them open.
            let refused = try tool("restore")
            #expect(refused.status == 1 && refused.errors.contains("in use"), "\(refused)")
            #expect(try bench.stop().status == 0)

            try lose("events.sqlite", "catalogue.sqlite", "numbers")
            let restored = try tool("restore")
            #expect(restored.status == 0, "\(restored)")
            try drive.start()
            try #require(
                waitUntil(seconds: 60) { property("FenceCount") == "10" }, "\(bench.errors)")
            #expect(bench.said("set aside").isEmpty)
            #expect(try bench.tool("export").output == fences)
            #expect(try bench.tool("events", "--json").output == events)
            // Those of the file are the file's, those of the bus the bus's.
            #expect(try bench.tool("remove", "own").status == 0)
            try FileManager.default.removeItem(
                atPath: bench.directory.file("fences.d/drive.geojson"))
            #expect(waitUntil(seconds: 60) { property("FenceCount") == "0" })
            #expect(try bench.stop().status == 0)
            let seqs = try rows("SELECT seq FROM event ORDER BY seq", of: "events.sqlite")
            #expect(seqs == (1...seqs.count).map(String.init))
            #expect(seqs.count > drive.events, "stays get an exit")
        }

        @Test("an old one restores fences and events, and no number is used twice")
        func old() throws {
            #expect(try tool("backup").status == 0)
            try drive.start()
            try #require(waitUntil(seconds: 60) { property("FenceCount") == "9" })
            // The stays in it end with an event.
            try FileManager.default.moveItem(
                atPath: bench.directory.file("fences.d/drive.geojson"),
                toPath: bench.directory.file("away"))
            try #require(waitUntil(seconds: 60) { property("FenceCount") == "0" })
            #expect(try bench.stop().status == 0)
            let last = try rows("SELECT max(seq) FROM event", of: "events.sqlite")
            #expect(last != ["\(drive.events)"])

            #expect(try tool("restore").status == 0)
            #expect(
                try rows("SELECT last, announced FROM state", of: "events.sqlite")
                    == ["\(last[0])|\(last[0])"])
            #expect(
                try rows("SELECT max(seq) FROM event", of: "events.sqlite") == ["\(drive.events)"])
            try FileManager.default.moveItem(
                atPath: bench.directory.file("away"),
                toPath: bench.directory.file("fences.d/drive.geojson"))
            try drive.start()
            try #require(
                waitUntil(seconds: 60) { property("FenceCount") == "9" }, "\(bench.errors)")
            #expect(property("LastSeq") == last[0])
            #expect(bench.said("set aside").isEmpty)
            #expect(try bench.stop().status == 0)
            let names = try FileManager.default.contentsOfDirectory(atPath: bench.state)
            #expect(names.contains("events.sqlite.before-restore"))
        }

        @Test("the vehicle comes back on an empty disk, unconfirmed; one that is set now stays")
        func vehicle() throws {
            try start()
            #expect(try bench.tool("vehicle", "set", "--height", "4.05m").status == 0)
            #expect(try tool("backup").output.contains(", the vehicle"))
            #expect(try bench.tool("vehicle", "set", "--height", "4.20m").status == 0)
            #expect(try bench.stop().status == 0)

            #expect(try tool("restore").status == 0)
            try start()
            let newer = try bench.tool("vehicle", "show").output
            #expect(newer.hasPrefix("height    4.20 m"), "what is set is newer: \(newer)")
            #expect(try bench.stop().status == 0)

            try lose("vehicle")
            #expect(try tool("restore").status == 0)
            try start()
            let twin = try bench.tool("vehicle", "show").output
            #expect(twin.hasPrefix("height    4.20 m") && twin.contains("confirmed no"), "\(twin)")
            #expect(try bench.stop().status == 0)

            try lose("vehicle", "vehicle.second")
            #expect(try tool("restore").status == 0)
            try start()
            let shown = try bench.tool("vehicle", "show").output
            #expect(shown.hasPrefix("height    4.05 m"), "\(shown)")
            #expect(shown.contains("confirmed no"), "\(shown)")
            #expect(try bench.stop().status == 0)

            bench.directory.write("{}", to: "backup/vehicle")
            let damaged = try tool("restore")
            #expect(damaged.status == 1 && damaged.errors.contains("does not describe a vehicle"))
        }

        @Test("one that is damaged, or of a newer version, is refused, and nothing is changed")
        func refused() throws {
            #expect(try tool("backup").status == 0)
            #expect(try tool("backup").errors.contains("is there already"))
            let before = try Data(contentsOf: URL(filePath: "\(bench.state)/events.sqlite"))
            let good = try Data(contentsOf: URL(filePath: "\(backup)/events.sqlite"))
            var bad = good
            for index in stride(from: 1_024, to: bad.count, by: 61) { bad[index] ^= 0x55 }
            try bad.write(to: URL(filePath: "\(backup)/events.sqlite"))
            #expect(try tool("restore").status == 1)
            try good.write(to: URL(filePath: "\(backup)/events.sqlite"))
            _ = Subprocess([
                "sqlite3", "\(backup)/catalogue.sqlite", "PRAGMA user_version=99",
            ]).wait()
            let newer = try tool("restore")
            #expect(newer.status == 1 && newer.errors.contains("newer version"), "\(newer)")
            #expect(
                try Data(contentsOf: URL(filePath: "\(bench.state)/events.sqlite")) == before)
            let names = try FileManager.default.contentsOfDirectory(atPath: bench.state)
            #expect(!names.contains { $0.contains("restor") }, "\(names)")
        }
    }
}
