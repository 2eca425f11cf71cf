import Foundation
import SystemTestKit
import Testing

/// A directory that goes away, a bus in it that can start programs, and the real daemon on it.
@MainActor
final class SyncBox {
    let directory = TemporaryDirectory()
    let bus: PrivateBus
    fileprivate var daemon: Subprocess?

    init() throws {
        for name in ["fences.d", "state", "run", "sync", "status", "services"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name), withIntermediateDirectories: true)
        }
        bus = PrivateBus(services: directory.file("services"))
        directory.write("", to: "geofenced.conf")
    }
}

/// A test of geofenced-sync with the real daemon.
@MainActor
protocol DaemonBench {
    var box: SyncBox { get }
}

extension DaemonBench {
    var directory: TemporaryDirectory { box.directory }
    var bus: PrivateBus { box.bus }

    /// Starts the daemon, and waits until it answers.
    /// - Parameter source: of fixes; by default nobody answers there.
    func startDaemon(source: String = "gpsd://127.0.0.1:1") throws {
        box.daemon = nil
        let daemon = Subprocess(
            [
                builtProgram("geofenced"), "--config", directory.file("geofenced.conf"),
                "--state-dir", directory.file("state"), "--bus", bus.address, "--source", source,
            ],
            environment: ["RUNTIME_DIRECTORY": directory.file("run"), "NOTIFY_SOCKET": nil])
        box.daemon = daemon
        try #require(
            waitUntil(seconds: 20) { (try? tool("status"))?.status == 0 },
            "\(daemon.errorsSoFar)")
    }

    func stopDaemon() { box.daemon = nil }

    /// The real tool.
    func tool(_ arguments: String...) throws -> Subprocess.Ending {
        try #require(
            Subprocess([builtProgram("geofencectl"), "--bus", bus.address] + arguments).wait())
    }
}
