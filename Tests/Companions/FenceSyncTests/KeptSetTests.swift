import FenceSync
import Foundation
import JSON
import SystemTestKit
import Testing

/// How often a set lies on the flash: in the daemon's catalogue, and in the daemon's copy of it.
@MainActor
@Suite(.serialized) struct KeptSetTests {
    private func files(_ bench: SyncBench) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: bench.directory.file("sync")).sorted()
    }

    @Test("Of an ordinary source no set is kept; that of former versions goes")
    func plain() throws {
        let bench = try SyncBench()
        try bench.sync("good")
        #expect(try files(bench) == ["state.json"])
        for name in ["last.geojson", "last.geojson.gz", "last.geojson.gz.new"] {
            bench.directory.write("{}", to: "sync/\(name)")
        }
        try bench.sync("good")
        #expect(try bench.state() == "unchanged")
        #expect(try files(bench) == ["state.json"])
        try bench.sync("503")
        try bench.sync("changed", "--dry-run")
        #expect(try files(bench) == ["state.json"])
    }

    @Test("A set that cannot be read is not kept as an empty one")
    func unreadable() throws {
        let directory = TemporaryDirectory()
        let kept = KeptSet(directory: directory.path)
        directory.write("{}\n", to: "set")
        try kept.save(try #require(SpoolFile(reading: directory.file("set"))))
        // A directory can be opened, and not read.
        let other = try #require(SpoolFile(reading: directory.path))
        #expect(throws: SyncFailure.self) { try kept.save(other) }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names.sorted() == ["last.geojson.gz", "set"])
    }

    @Test("A flawed entry keeps the version that the daemon has, with all that was said of it")
    func flawed() throws {
        let bench = try SyncBench()
        let corner = "[11,48],[11.01,48],[11.01,48.01],[11,48]"
        func write(_ radius: String, _ title: String) {
            bench.directory.write(
                #"{"type":"FeatureCollection","features":["#
                    + #"{"type":"Feature","id":"a","properties":{"title":"Süd \"1\"","dwell":7,"#
                    + #""active":"Mo-Fr 06:00-22:00","timezone":"Europe/Berlin","speed_limit_kmh":30,"#
                    + #""Plant":{"no":[1,2.50]},"radius":\#(radius)},"#
                    + #""geometry":{"type":"Point","coordinates":[11.000000123,48]}},"#
                    + #"{"type":"Feature","id":"b","properties":{"title":"\#(title)"},"#
                    + #""geometry":{"type":"Polygon","coordinates":[[\#(corner)]]}}]}"#,
                to: "set.geojson")
        }
        write("100", "first")
        #expect(try bench.sync("file", document: true).status == 0)
        let before = try bench.catalogue()
        #expect(before.contains("Plant") && before.contains("first"))
        write("-1", "second")
        let run = try bench.look([])
        #expect(run.errors.contains("office/a"), "\(run)")
        #expect(try bench.state() == "imported")
        #expect(try bench.status()["detail"] == "1 new or changed, 0 removed")
        let after = try bench.catalogue()
        #expect(after == before.replacingOccurrences(of: "first", with: "second"))
    }

    @Test(
        "Of one that asks for changes it is kept, compressed; that of former versions is taken over"
    )
    func changes() throws {
        let bench = try SyncBench()
        let extra = "MaxSize=64M\n[Query]\nTrackChanges=yes"
        try bench.sync("changes", extra: extra)
        #expect(try files(bench) == ["last.geojson.gz", "state.json"])
        let kept = bench.directory.file("sync/last.geojson.gz")
        let lines = try #require(Subprocess(["zcat", kept]).wait()).output
        #expect(lines.split(separator: "\n").count == 10)
        // As it was before.
        bench.directory.write(lines, to: "sync/last.geojson")
        unlink(kept)
        let asked = bench.requests.count
        try bench.look([])
        #expect(try bench.status()["detail"] == "1500 new or changed, 0 removed")
        #expect(bench.requests.count == asked + 1)
        #expect(try files(bench) == ["last.geojson.gz", "state.json"])
        #expect(try bench.status()["fences"] == 1510)
        // One that is damaged is no ground for anything: all of it is fetched.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: kept))
        bytes[bytes.count / 2] ^= 0x10
        try bytes.write(to: URL(fileURLWithPath: kept))
        let damaged = try bench.look(["--accept"])
        #expect(bench.requests.last?.contains("deltatoken") == false, "\(damaged)")
        // When nobody asks for changes any more it goes.
        try bench.sync("good", extra: "MaxRemove=100%")
        #expect(try files(bench) == ["state.json"])
    }
}
