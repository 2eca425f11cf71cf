import Foundation
import Glibc
import JSON
import SystemTestKit
import Testing

/// Fences that have ended are in the document of the source for as long as the office likes.
@MainActor
@Suite(.serialized) struct EndedFenceTests {
    /// A circle on the road, and what else it says.
    private func fence(_ id: String, _ latitude: Double, _ more: String = "") -> String {
        #"{"type":"Feature","id":"\#(id)","geometry":{"type":"Point","coordinates":[11,\#(latitude)]},"#
            + #""properties":{"radius":200\#(more)}}"#
    }

    /// The road meets them in this order.
    private func write(_ bench: SyncBench, other: String = "Depot") {
        let fences = [
            fence("once", 48.0, #","once":true"#),
            // 30 s before the vehicle is beyond it.
            fence("expires", 48.02, #","expires":"2026-03-02T07:02:50Z""#),
            fence("stays", 48.04, #","title":"\#(other)""#),
        ]
        bench.directory.write(
            #"{"type":"FeatureCollection","features":[\#(fences.joined(separator: ","))]}"#,
            to: "set.geojson")
    }

    /// To the north by 20 m a second, from that hour on; the receiver is silent afterwards.
    private func drive(_ bench: SyncBench, hour: Int) throws {
        let points = (0..<400).map { second in
            let time = "0\(hour):0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)"
            return "<trkpt lat=\"\(47.99 + Double(second) * 0.00018)\" lon=\"11\">"
                + "<time>2026-03-02T\(time)Z</time></trkpt>"
        }
        let track = bench.directory.write(
            "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>",
            to: "drive-\(hour).gpx")
        try bench.startDaemon(source: "replay:\(track)?rate=0")
    }

    private func told(_ bench: SyncBench) throws -> [String] {
        try bench.events().compactMap { event in
            guard let fence = event["fence"]?.string, let kind = event["kind"]?.string else {
                return nil
            }
            return "\(kind) \(fence)"
        }
    }

    /// What the daemon says of the set, as it was accepted: its number of fences, its digest, and
    /// whether there is a copy of it.
    private func origin(_ bench: SyncBench) throws -> String {
        let run = try #require(
            Subprocess([
                "dbus-send", "--bus=\(bench.bus.address)", "--print-reply=literal",
                "--dest=org.geofenced.Geofence1", "/org/geofenced/Geofence1",
                "org.geofenced.Geofence1.Manager.GetOrigin", "string:source/office",
            ]).wait())
        try #require(run.status == 0, "\(run.errors)")
        let words = run.output.split(whereSeparator: \.isWhitespace).map(String.init)
        let values = ["count", "digest", "copied"].map { name -> String in
            guard let index = words.firstIndex(of: name) else { return "" }
            return words[index...].prefix(5).joined(separator: " ")
        }
        return values.joined(separator: " ")
    }

    /// Waits for the copy: what is lost before is lost.
    private func waitForCopy(_ bench: SyncBench) throws {
        try #require(
            waitUntil(seconds: 20) {
                (try? origin(bench).contains("boolean true")) == true
            }, "\(bench.directory.path)")
    }

    private static let first = [
        "enter office/once", "exit office/once", "enter office/expires", "exit office/expires",
        "enter office/stays", "exit office/stays",
    ]

    @Test(
        "Fences that have ended stay so over ten looks and a lost catalogue: no import, no event twice",
        arguments: ["file", "plain"])
    func ended(_ server: String) throws {
        let bench = try SyncBench()
        write(bench)
        #expect(try bench.sync(server, document: true).status == 0)
        #expect(try bench.state() == "imported")
        // Of one the copy has what will end, of the other what has not.
        if server == "file" { try waitForCopy(bench) }
        try drive(bench, hour: 7)
        #expect(waitUntil(seconds: 20) { (try? told(bench)) == Self.first })
        let rest = ["office/stays"]
        func ids() throws -> [String] {
            try JSONValue(parsing: bench.catalogue())["features"]?.array?
                .compactMap { $0["id"]?.string }.sorted() ?? []
        }
        #expect(waitUntil { (try? ids()) == rest })
        try waitForCopy(bench)
        let accepted = try origin(bench)
        #expect(accepted.contains("3"))
        let importedAt = try bench.status()["imported_at"]

        func lookFive() throws {
            for _ in 0..<5 {
                let run = try bench.look([])
                #expect(run.status == 0, "\(run)")
                #expect(!run.errors.contains("has not the fences"), "\(run.errors)")
                #expect(try bench.state() == "unchanged")
                #expect(try bench.status()["detail"] == (server == "file" ? "304" : ""))
            }
            #expect(try bench.status()["imported_at"] == importedAt)
            #expect(try ids() == rest)
            try waitForCopy(bench)
            #expect(try origin(bench) == accepted)
        }
        try lookFive()
        bench.stopDaemon()
        let catalogue = bench.directory.file("state") + "/catalogue.sqlite"
        for end in ["", "-wal", "-shm"] { unlink(catalogue + end) }
        // The same road an hour later.
        try drive(bench, hour: 8)
        #expect(waitUntil(seconds: 20) { (try? ids()) == rest })
        let second = Self.first + ["enter office/stays", "exit office/stays"]
        #expect(waitUntil(seconds: 20) { (try? told(bench)) == second })
        #expect(try !bench.tool("status").output.contains("fences-lost"))
        try lookFive()
        #expect(try told(bench) == second)
    }

    @Test("A set with another change brings them back, as the law says, and none follows from that")
    func changed() throws {
        let bench = try SyncBench()
        write(bench)
        try bench.sync("file", document: true)
        try drive(bench, hour: 7)
        #expect(waitUntil(seconds: 20) { (try? told(bench)) == Self.first })
        write(bench, other: "Yard")
        #expect(try bench.look([]).status == 0)
        #expect(try bench.state() == "imported")
        #expect(try bench.catalogue().contains("office/once"))
        try drive(bench, hour: 8)
        // The one that has expired tells nothing any more.
        let second =
            Self.first + [
                "enter office/once", "exit office/once", "enter office/stays", "exit office/stays",
            ]
        #expect(waitUntil(seconds: 20) { (try? told(bench)) == second })
        #expect(waitUntil { (try? bench.catalogue().contains("office/expires")) == false })
        for _ in 0..<3 {
            #expect(try bench.look([]).status == 0)
            #expect(try bench.state() == "unchanged")
        }
        #expect(try told(bench) == second)
    }
}
