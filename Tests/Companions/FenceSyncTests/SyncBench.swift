import Foundation
import JSON
import SystemTestKit
import Testing

/// The real daemon, the real geofenced-sync, and a server of fences with faults.
@MainActor
final class SyncBench: DaemonBench {
    let box: SyncBox
    private let server: Subprocess
    private let port: String

    init() throws {
        let box = try SyncBox()
        self.box = box
        let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Servers/faulty").path
        server = Subprocess(["python3", program, box.directory.path])
        let portFile = box.directory.file("port")
        try #require(
            waitUntil(seconds: 20) { FileManager.default.fileExists(atPath: portFile) },
            "\(server.errorsSoFar)")
        port = try String(contentsOfFile: portFile, encoding: .utf8)
        try startDaemon()
    }

    /// One look at the service with that fault.
    @discardableResult
    func sync(
        _ fault: String, document: Bool = false, extra: String = "", _ options: String...
    ) throws -> Subprocess.Ending {
        configure(fault, document: document, extra: extra)
        return try look(options)
    }

    /// Another server, or another fault of it.
    func configure(_ fault: String, document: Bool = false, extra: String = "") {
        let what =
            document
            ? "Type=geojson\nURL=http://127.0.0.1:\(port)/\(fault)/set.geojson"
            : "URL=http://127.0.0.1:\(port)/\(fault)/svc\nEntitySet=GeoLocation"
        directory.write(
            "[Source]\n\(what)\nMaxSize=1M\nMaxPages=20\nTimeoutSec=2s\n\(extra)\n",
            to: "office.conf")
    }

    /// One look with the configuration that is there.
    /// - Parameter wrapper: a command that runs it, such as strace.
    @discardableResult
    func look(_ options: [String], under wrapper: [String] = []) throws -> Subprocess.Ending {
        try #require(
            Subprocess(
                wrapper + command + options + ["office"],
                environment: [
                    "NOTIFY_SOCKET": nil, "JOURNAL_STREAM": nil,
                    "CREDENTIALS_DIRECTORY": directory.path,
                ]
            ).wait())
    }

    /// The same, which goes on meanwhile.
    func begin() -> Subprocess {
        Subprocess(
            command + ["office"], environment: ["NOTIFY_SOCKET": nil, "JOURNAL_STREAM": nil])
    }

    private var command: [String] {
        [
            builtProgram("geofenced-sync"), "--config", directory.file("office.conf"), "--bus",
            bus.address, "--state-dir", directory.file("sync"), "--status-dir",
            directory.file("status"),
        ]
    }

    /// Places around the vehicle, and a bus that starts the program when the vehicle leaves them.
    func nearby(_ world: [JSONValue], _ query: String) {
        directory.write(JSONValue.array(world).text, to: "world.json")
        directory.write(
            """
            [Source]
            URL=http://127.0.0.1:\(port)/world/svc
            EntitySet=GeoLocation
            Mode=nearby
            [Query]
            \(query)
            """, to: "office.conf")
        directory.write(
            """
            [D-BUS Service]
            Name=org.geofenced.Sync1.office
            Exec=\((command + ["--due", "office"]).joined(separator: " "))
            """, to: "services/org.geofenced.Sync1.office.service")
        bus.daemon?.signal(SIGHUP)
    }

    /// The log of events, as JSON.
    func events() throws -> [JSONValue] {
        let run = try tool("--json", "events")
        try #require(run.status == 0, "\(run.errors)")
        return try run.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
            .filter { $0["kind"] != nil }
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

    /// The same, beside the daemon, which knows what has become of its fences.
    func shown(_ options: String...) throws -> String {
        let run = try #require(
            Subprocess(
                [
                    builtProgram("geofencectl"), "--bus", bus.address, "sync", "--status-dir",
                    directory.file("status"),
                ] + options
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
