import Foundation
import JSON
import SystemTestKit
import Testing

/// The real daemon, the real geofenced-sync, and a server of fences with faults.
@MainActor
final class SyncBench {
    private let bus = PrivateBus()
    private let directory = TemporaryDirectory()
    private var daemon: Subprocess?
    private let server: Subprocess
    private let port: String

    init() throws {
        for name in ["fences.d", "state", "run", "sync", "status"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name), withIntermediateDirectories: true)
        }
        directory.write("", to: "geofenced.conf")
        let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Servers/faulty").path
        server = Subprocess(["python3", program, directory.path])
        let portFile = directory.file("port")
        try #require(
            waitUntil(seconds: 20) { FileManager.default.fileExists(atPath: portFile) },
            "\(server.errorsSoFar)")
        port = try String(contentsOfFile: portFile, encoding: .utf8)
        let daemon = Subprocess(
            [
                builtProgram("geofenced"), "--config", directory.file("geofenced.conf"),
                "--state-dir", directory.file("state"), "--bus", bus.address, "--source",
                "gpsd://127.0.0.1:1",
            ],
            environment: ["RUNTIME_DIRECTORY": directory.file("run"), "NOTIFY_SOCKET": nil])
        self.daemon = daemon
        try #require(
            waitUntil(seconds: 20) { (try? tool("status"))?.status == 0 },
            "\(daemon.errorsSoFar)")
    }

    func stopDaemon() { daemon = nil }

    /// The real tool.
    func tool(_ arguments: String...) throws -> Subprocess.Ending {
        try #require(
            Subprocess([builtProgram("geofencectl"), "--bus", bus.address] + arguments).wait())
    }

    /// One look at the service with that fault.
    @discardableResult
    func sync(
        _ fault: String, document: Bool = false, extra: String = "", _ options: String...
    ) throws -> Subprocess.Ending {
        let what =
            document
            ? "Type=geojson\nURL=http://127.0.0.1:\(port)/\(fault)/set.geojson"
            : "URL=http://127.0.0.1:\(port)/\(fault)/svc\nEntitySet=GeoLocation"
        let config = directory.write(
            "[Source]\n\(what)\nMaxSize=1M\nMaxPages=20\nTimeoutSec=2s\n\(extra)\n",
            to: "office.conf")
        return try #require(
            Subprocess(
                [
                    builtProgram("geofenced-sync"), "--config", config, "--bus", bus.address,
                    "--state-dir", directory.file("sync"), "--status-dir", directory.file("status"),
                ] + options + ["office"],
                environment: ["NOTIFY_SOCKET": nil, "JOURNAL_STREAM": nil]
            ).wait())
    }

    /// What `geofencectl status` reads.
    func status() throws -> JSONValue {
        try JSONValue(
            parsing: [UInt8](
                Data(contentsOf: URL(fileURLWithPath: directory.file("status/office.json")))))
    }

    /// `geofencectl sync` of all sources.
    func list(_ options: String...) throws -> String {
        let run = try #require(
            Subprocess(
                [builtProgram("geofencectl"), "sync", "--status-dir", directory.file("status")]
                    + options
            ).wait())
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    func state() throws -> String { try status()["state"]?.string ?? "" }

    /// The catalogue as GeoJSON.
    func catalogue() throws -> String {
        let export = try tool("export")
        try #require(export.status == 0, "\(export.errors)")
        return export.output
    }

    /// Requests so far, as their paths.
    var requests: [String] {
        let text = try? String(contentsOfFile: directory.file("log"), encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
    }
}
