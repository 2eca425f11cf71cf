import Foundation
import JSON
import SystemTestKit
import Testing

/// SIGKILL of geofenced-sync on entry to every system call that writes, sends or renames.
@MainActor
@Suite(.serialized, .needs(.tracing)) struct SyncKillTests {
    private static let calls = [
        "write", "ftruncate", "fsync", "unlink", "rename", "fchmod", "openat", "sendmsg", "sendto",
        "connect", "flock",
    ]

    /// Of each kind a random one; with FAULTS=all every one.
    private static func chosen(_ trace: String) -> [(call: String, number: Int)] {
        var counts: [String: Int] = [:]
        for line in trace.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard let call = words.dropFirst().first?.prefix(while: { $0 != "(" }) else { continue }
            if calls.contains(String(call)) { counts[String(call), default: 0] += 1 }
        }
        let isWhole = ProcessInfo.processInfo.environment["FAULTS"] != nil
        return counts.sorted { $0.key < $1.key }.flatMap { call, count in
            let numbers = isWhole ? Array(1...count) : [Int.random(in: 1...count)]
            return numbers.map { (call, $0) }
        }
    }

    @Test(
        "A full disk: the former set stays, and the next look has the new",
        arguments: ["set.new", "state.json.new", "last.geojson.gz.new"])
    func diskFull(_ file: String) throws {
        let bench = try SyncBench()
        let extra = file == "last.geojson.gz.new" ? "[Query]\nTrackChanges=yes" : ""
        try bench.sync("good", extra: extra)
        let former = try bench.catalogue()
        bench.configure("changed", extra: extra)
        try bench.look(
            [],
            under: [
                "strace", "-f", "-qqq", "-o", "/dev/null", "-P",
                bench.directory.file("sync/\(file)"), "-e", "trace=write,fsync,rename", "-e",
                "inject=write,fsync,rename:error=ENOSPC",
            ])
        #expect(try bench.state() == "not-stored")
        // What was given to the daemon before cannot be taken back, and is whole.
        if file == "set.new" { #expect(try bench.catalogue() == former) }
        let next = try bench.look([])
        #expect(next.status == 0, "\(next.errors)")
        #expect(try bench.catalogue() != former)
        #expect(try ["imported", "unchanged"].contains(bench.state()))
    }

    @Test("Killed at any system call: the former set or the new one, and the next look has the new")
    func killed() throws {
        let bench = try SyncBench()
        try bench.sync("good")
        let former = try bench.catalogue()
        let trace = bench.directory.file("calls")
        try bench.sync("changed", extra: "# traced")
        let new = try bench.catalogue()
        #expect(former != new)
        try bench.sync("good")
        bench.configure("changed")
        try bench.look(
            [],
            under: [
                "strace", "-f", "-qqq", "-o", trace, "-e",
                "trace=" + Self.calls.joined(separator: ","),
            ])
        let chosen = Self.chosen(try String(contentsOfFile: trace, encoding: .utf8))
        var kills = 0
        for (call, number) in chosen {
            try bench.sync("good")
            #expect(try bench.catalogue() == former)
            bench.configure("changed")
            let run = try bench.look(
                [],
                under: [
                    "strace", "-f", "-qqq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
                    "inject=\(call):signal=KILL:when=\(number)",
                ])
            if run.status != 0 { kills += 1 }
            let after = try bench.catalogue()
            #expect(after == former || after == new, "\(call) \(number)")
            let next = try bench.look([])
            #expect(next.status == 0, "\(call) \(number): \(next.errors)")
            #expect(try bench.catalogue() == new, "\(call) \(number)")
        }
        #expect(kills >= chosen.count - 2 && kills > 5, "\(kills) of \(chosen.count)")
    }

    @Test("A killed look is told by the next one, which waits, and then asks for everything")
    func told() throws {
        let bench = try SyncBench()
        let extra = "TimeoutSec=60s\nEverySec=10s\n[Query]\nTrackChanges=yes"
        bench.directory.write("changes", to: "fault")
        try bench.sync("live", extra: extra)
        #expect(try bench.state() == "imported")
        let former = try bench.catalogue()
        // Of one that has begun after so many failures, and not of the one before.
        func die(after failures: Int64) throws {
            bench.directory.write("silent", to: "fault")
            let look = bench.begin()
            try #require(
                waitUntil {
                    let status = try? bench.status()
                    return status?["state"]?.string == "fetching"
                        && status?["failures"]?.integer == failures
                })
            look.signal(SIGKILL)
            _ = try #require(look.wait())
            #expect(try bench.list().contains("10 fences, fetching"))
            bench.directory.write("changes", to: "fault")
        }
        try die(after: 0)
        // Nothing is due: it waits, and a source that kills it is not asked in a loop.
        let asked = bench.requests.count
        let next = try bench.look(["--due"])
        #expect(next.status == 0 && next.errors.contains("killed"), "\(next)")
        #expect(bench.requests.count == asked)
        #expect(try bench.status()["failures"] == 1)
        #expect(try bench.list().contains("10 fences, killed"))
        #expect(try bench.list().contains("out of memory"))
        #expect(try bench.catalogue() == former)
        // A person does not wait. The changes are left out, for they may be what killed it.
        let whole = try bench.look([])
        #expect(whole.status == 0, "\(whole)")
        #expect(try ["unchanged", "imported"].contains(bench.state()))
        #expect(try bench.status()["failures"] == 0)
        #expect(bench.requests.last?.contains("deltatoken") == false, "\(bench.requests)")

        // Several of them: twice as long each time.
        try die(after: 0)
        try die(after: 1)
        #expect(try bench.look(["--due"]).status == 0)
        #expect(try bench.status()["failures"] == 2)
        // A dry run, which stores nothing, leaves no such trace.
        try bench.look(["--dry-run"])
        #expect(try bench.look(["--due"]).errors.contains("killed") == false)
    }
}
