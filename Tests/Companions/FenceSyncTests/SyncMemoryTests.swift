import Foundation
import JSON
import SystemTestKit
import Testing

/// Answers that are within every limit of their bytes, and made to need memory. The program gets
/// less than its unit has: an allocation beyond that kills it, as the kernel does there.
@MainActor
@Suite(
    .serialized,
    .enabled(
        if: ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil,
        "for builds without the sanitizer, which has memory of its own")
)
struct SyncMemoryTests {
    /// Of 64 MiB, the unit's MemoryMax=, less what a debug build and the files' pages need more.
    private static let limit = ["prlimit", "--data=\(52 << 20)"]
    private static let generous = "MaxSize=64M\nMaxPages=10000\nTimeoutSec=60s"

    nonisolated static let pages = [
        ("arrays", "invalid"), ("small-arrays", "invalid"), ("objects", "invalid"),
        ("small-objects", "invalid"), ("towers", "invalid"), ("object-towers", "invalid"),
        ("numbers", "invalid"), ("keys", "invalid"), ("long-keys", "imported"),
        ("strings", "imported"), ("long-strings", "imported"), ("escapes", "imported"),
        ("geometry", "invalid"), ("geometry-text", "invalid"), ("geometry-wkt", "invalid"),
        ("polygon", "imported"), ("flaws", "invalid"), ("error", "invalid"), ("links", "invalid"),
    ]

    @Test("A page that is made to need memory gets none beyond the limit", arguments: pages)
    func heavy(_ page: String, _ state: String) throws {
        let bench = try SyncBench()
        try bench.sync("good")
        bench.configure(
            "heavy-\(page)", document: page == "links",
            extra: "MaxRemove=100%\n\(Self.generous)\n\(Self.fields(page))")
        let run = try bench.look([], under: Self.limit)
        #expect(try bench.state() == state, "\(run)")
        #expect(run.status == (state == "imported" ? 0 : 1), "\(run)")
        try bench.sync("changed", extra: "MaxRemove=100%")
        #expect(try bench.state() == "imported")
    }

    private static func fields(_ page: String) -> String {
        page.hasPrefix("geometry") || page == "polygon" ? "[Fields]\nGeometry=Shape" : ""
    }

    @Test("Thousands of large changes are taken over, one after the other")
    func changes() throws {
        let bench = try SyncBench()
        let extra = "\(Self.generous)\n[Query]\nTrackChanges=yes"
        try bench.sync("changes", extra: extra)
        #expect(try bench.state() == "imported")
        let run = try bench.look([], under: Self.limit)
        #expect(try bench.state() == "imported", "\(run)")
        #expect(try bench.status()["detail"] == "1500 new or changed, 0 removed")
        #expect(try bench.status()["fences"] == 1510)
        let again = try bench.look([], under: Self.limit)
        #expect(try bench.state() == "unchanged", "\(again)")
    }

    @Test("An encoding with a large window is refused before its first byte")
    func window() throws {
        let bench = try SyncBench()
        bench.configure("window", extra: Self.generous)
        let window = try bench.look([], under: Self.limit)
        #expect(try bench.state() == "incomplete", "\(window)")
        #expect(try bench.status()["detail"]?.string?.contains("encoded") == true)
    }

    @Test("A server does not make the program forget: what is remembered of its answer is short")
    func forgetting() throws {
        let bench = try SyncBench()
        let extra = "[Query]\nTrackChanges=yes"
        try bench.sync("long-state", extra: extra)
        #expect(try bench.state() == "imported")
        try bench.look([])
        #expect(try bench.state() == "unchanged")
        // An error as long as one character may be.
        try bench.sync("heavy-error", extra: Self.generous + "\n" + extra)
        #expect(try bench.status()["detail"]?.string?.unicodeScalars.count ?? 0 < 400)
        // Of a source that is forgotten nothing would be held.
        try bench.sync("gone-60", extra: extra)
        #expect(try bench.state() == "held")
    }
}
