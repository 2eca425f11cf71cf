import BusClient
import Geofence1
import Glibc
import JSON
import MQTT
import Model
import SystemTestKit
import Systemd
import Testing
import Time

@testable import Uplinking

/// What the retained status says, and when it says something else.
@MainActor
@Suite("The status of a box")
struct StatusTests {
    private let directory = TemporaryDirectory()
    private let time = UTCTime(secondsSince1970: 1_796_000_000)

    /// - Parameter origins: what the daemon has of the sources; nil: it does not say.
    private func body(
        _ daemon: DaemonStatus?, isThere: Bool = true, origins: [OriginSummary]? = nil
    ) throws -> JSONValue {
        var sources = SourceStatus.all(in: directory.path)
        if let origins { sources = SourceStatus.compared(sources, with: origins) }
        let body = StatusBody(
            state: "idle", since: time, time: time, daemon: daemon, isThere: isThere,
            troubles: ["source": time], waiting: daemon == nil ? nil : 0, version: "1",
            sources: sources)
        return try JSONValue(parsing: body.bytes(most: .max))
    }

    private func write(_ source: String, _ state: String, _ more: String = "") {
        directory.write(
            #"{"v":1,"state":"\#(state)","sum":"ab","held":"","fences":3\#(more)}"#,
            to: "\(source).json")
    }

    @Test("it says since when, and of a source its last look and its next")
    func whole() throws {
        write("a", "imported", #","tried_at":1796000000,"next_at":1796000900"#)
        write("b", "held", #","tried_at":0,"next_at":-1"#)
        let daemon = DaemonStatus(properties: [
            "Degraded": .strings(["source", "jammed"]), "LogId": .string("abc"),
            "StartTimestamp": .uint64(1_796_000_000_000_000),
        ])
        let json = try body(daemon)
        for key in ["time", "since", "started"] { #expect(json[key]?.string == time.iso8601) }
        #expect(json["degraded"] == ["source", "jammed"])
        // When it began is not known of the other one.
        #expect(json["degraded_since"] == ["source": .string(time.iso8601)])
        let source = try #require(json["origins"]?["source/a"])
        #expect(source["looked"]?.string == time.iso8601)
        #expect(source["next"]?.string == (time + .seconds(900)).iso8601)
        #expect(json["origins"]?["source/b"]?["next"] == nil)
        let gone = try body(daemon, isThere: false)
        #expect(gone["degraded"] == [] && gone["log"]?.string == "abc" && gone["started"] == nil)
        let unknown = try body(nil, isThere: false)
        #expect(unknown["log"] == nil && unknown["waiting"] == nil && unknown["online"] == true)
    }

    @Test("a set that the daemon has no longer as it was given is told as missing")
    func compared() throws {
        for source in ["a", "b", "c"] { write(source, "unchanged", #","stored":"\#(source)""#) }
        let had = try [("a", "a", 3), ("c", "changed", 2)].map { name, digest, fences in
            OriginSummary(
                origin: try FenceOrigin(text: "source/\(name)"), fences: fences, generation: 1,
                changedAt: nil, accepted: fences, digest: digest)
        }
        let origins = try body(nil, origins: had)["origins"]
        func expect(_ source: String, _ state: String, _ fences: Int64) {
            let told = origins?["source/\(source)"]
            #expect(told?["state"]?.string == state && told?["fences"]?.integer == fences)
        }
        expect("a", "unchanged", 3)
        expect("b", "missing", 0)
        expect("c", "missing", 2)
    }

    @Test("of more than fits the times of sources go first, then sources, which is said")
    func tooLong() throws {
        for number in 10..<70 {
            write("s\(number)", "imported", #","tried_at":1796000000,"next_at":1796000900"#)
        }
        let body = StatusBody(
            state: "idle", since: time, time: time, daemon: nil, isThere: true, troubles: [:],
            waiting: nil, version: "1", sources: SourceStatus.all(in: directory.path))
        func told(_ most: Int) throws -> (count: Int, hasTimes: Bool, leftOut: Int64?) {
            let bytes = body.bytes(most: most)
            #expect(bytes.count <= most)
            let json = try JSONValue(parsing: bytes)
            let origins = json["origins"]?.object ?? []
            return (
                origins.count, origins.contains { $0.value["looked"] != nil },
                json["origins_left_out"]?.integer
            )
        }
        let length = body.bytes(most: .max).count
        #expect(try told(length) == (60, true, nil))
        #expect(try told(length - 1) == (60, false, nil))
        let half = try told(length / 4)
        #expect(half.count > 15 && !half.hasTimes && half.leftOut == Int64(60 - half.count))
        #expect(try told(200) == (0, false, 60))
    }

    @Test("what comes and goes keeps the time at which it came")
    func since() {
        var since = SinceWhen()
        since.note("idle", at: .boot + .seconds(1))
        since.note(["source"], at: .boot + .seconds(1))
        since.note("idle", at: .boot + .seconds(5))
        since.note(["jammed", "source", "jammed"], at: .boot + .seconds(5))
        #expect(since.ofState == .boot + .seconds(1))
        #expect(since.of("source") == .boot + .seconds(1))
        #expect(since.of("jammed") == .boot + .seconds(5))
        since.note([], at: .boot + .seconds(6))
        since.note(["source"], at: .boot + .seconds(7))
        #expect(since.of("source") == .boot + .seconds(7) && since.of("jammed") == nil)
    }

    @Test("news of a source is told, whether its directory is there or comes; a look alone is none")
    func sources() throws {
        let loop = try EventLoop()
        let path = directory.file("sync")
        var changes = 0
        let watch = SourceWatch(loop, directory: path) { changes += 1 }
        defer { withExtendedLifetime(watch) {} }
        func write(_ state: String, _ more: String = "", in name: String = "sync/a.json") {
            directory.write(
                #"{"v":1,"state":"\#(state)","sum":"ab","held":"","fences":3\#(more)}"#, to: name)
        }
        func expect(_ count: Int, _ what: String) throws {
            #expect(try loop.run(seconds: 10) { changes == count }, "\(what): \(changes)")
        }
        mkdir(path, 0o755)
        write("imported")
        try expect(1, "it has come")
        write("fetching")
        write("imported", #","tried_at":1"#)
        #expect(try !loop.run(seconds: 2.5) { changes > 1 }, "a look that found nothing")
        write("held")
        try expect(2, "held")
        write("fetching")
        #expect(try !loop.run(seconds: 2.5) { changes > 2 }, "a look that is under way")
        // What was told of it meanwhile is over with it, also where it has found nothing.
        #expect(watch.tell().first?.state == "fetching")
        write("held")
        try expect(3, "its end")
        write("paused")
        try expect(4, "paused")
        unlink("\(path)/a.json")
        try expect(5, "gone")
    }

    @Test("another client is named where the broker says so, and as a guess otherwise")
    func duplicates() {
        #expect(UplinkState(after: .broker(.sessionTakenOver), shortLives: 0) == .duplicateName)
        let killed = UplinkState(after: .network("broken"), shortLives: 3)
        #expect(killed.word == "refused" && killed.text.contains("or another client has this name"))
        #expect(UplinkState(after: .network("broken"), shortLives: 2).word == "no-network")
        #expect(UplinkState(after: .noName, shortLives: 9).word == "no-network")
    }
}
