import Foundation
import JSON
import SystemTestKit
import Testing

/// The real daemon, and the real geofenced-sync with a source of the name office.
@MainActor
final class OfficeBench: DaemonBench {
    let box: SyncBox

    init() throws {
        box = try SyncBox()
        try startDaemon()
    }

    /// From now on the vehicle stands there.
    func stand(_ latitude: Double, _ longitude: Double) throws {
        let points = (0..<10).map {
            "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\"><time>2026-03-02T07:00:0\($0)Z</time></trkpt>"
        }
        let track = directory.write(
            "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>",
            to: "place.gpx")
        try startDaemon(source: "replay:\(track)?rate=0")
    }

    /// One look at that server.
    @discardableResult
    func look(
        _ server: OfficeServer, _ source: String = "", query: String = ""
    ) throws -> Subprocess.Ending {
        try look("[Source]\n\(server.settings)\nTimeoutSec=20s\n\(source)\n[Query]\n\(query)\n")
    }

    /// One look with that file.
    func look(_ file: String, credentials: String? = nil) throws -> Subprocess.Ending {
        let config = directory.write(file, to: "office.conf")
        return try #require(
            Subprocess(
                [
                    builtProgram("geofenced-sync"), "--config", config, "--bus", bus.address,
                    "--state-dir", directory.file("sync"), "--status-dir", directory.file("status"),
                    "office",
                ],
                environment: [
                    "NOTIFY_SOCKET": nil, "JOURNAL_STREAM": nil,
                    "CREDENTIALS_DIRECTORY": credentials,
                    // Only the settings decide what goes through a proxy.
                    "no_proxy": nil, "NO_PROXY": nil,
                ]
            ).wait(seconds: 60))
    }

    /// A member of what `geofencectl status` reads, as a text.
    func status(_ member: String) throws -> String {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.file("status/office.json")))
        let value = try JSONValue(parsing: [UInt8](bytes))[member]
        return value?.string ?? value?.integer.map(String.init) ?? ""
    }

    /// The catalogue by id: title, description, radius and centre, whatever of it there is.
    func catalogue() throws -> [String: String] {
        let export = try tool("export")
        try #require(export.status == 0, "\(export.errors)")
        let features = try JSONValue(parsing: export.output)["features"]?.array ?? []
        var fences: [String: String] = [:]
        for feature in features {
            let properties = feature["properties"]
            let parts = [
                properties?["title"]?.string, properties?["description"]?.string,
                properties?["radius"]?.text, feature["geometry"]?["coordinates"]?.text,
            ]
            fences[feature["id"]?.string ?? ""] = parts.map { $0 ?? "" }.joined(separator: "|")
        }
        return fences
    }
}
