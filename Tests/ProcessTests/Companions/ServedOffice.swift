import Glibc
import Model
import Monitoring
import SystemTestKit
import Testing

/// An office of a test's own, and the uplink of a vehicle to it: the real uplink, mosquitto, the real ingest
/// and PostgreSQL.
@MainActor
final class ServedOffice {
    let server: PrivatePostgreSQL
    private let directory = TemporaryDirectory()
    private var running: [Subprocess] = []
    private let port: UInt16

    init() throws {
        server = try #require(PrivatePostgreSQL())
        port = try #require(freePort())
        let config = directory.write(
            "listener \(port) 127.0.0.1\nallow_anonymous true\n"
                + (geteuid() == 0 ? "user root\n" : ""), to: "mosquitto.conf")
        let broker = Subprocess(["/usr/sbin/mosquitto", "-c", config])
        running.append(broker)
        try #require(waitUntil { connects(to: port) }, "\(broker.errorsSoFar)")
        try #require(waitUntil(seconds: 30) { ask("SELECT 1") == "1" })
        // The configuration is not there, and is not needed.
        _ = try run(["setup", "--tenant", "acme"])
        directory.write(
            "[Ingest]\nBrokers=mqtt://127.0.0.1:\(port)\nDatabase=\(server.address)\n",
            to: "ingest.conf")
        running.append(
            program("geofenced-ingest", ["run", "--config", directory.file("ingest.conf")]))
    }

    private func program(_ name: String, _ arguments: [String]) -> Subprocess {
        Subprocess([builtProgram(name)] + arguments, environment: ["NOTIFY_SOCKET": nil])
    }

    /// The first line that the database answers; nil for an error.
    func ask(_ sql: String) -> String? {
        let done = Subprocess(["psql", "-Atq", server.address, "-c", sql])
        return done.wait(seconds: 20).flatMap {
            $0.status == 0 ? $0.output.split(separator: "\n").first.map(String.init) ?? "" : nil
        }
    }

    /// What a verb of geofenced-ingest prints, which must succeed.
    func run(_ arguments: [String]) throws -> String {
        let ending = try #require(
            program("geofenced-ingest", arguments + ["--database", server.address])
                .wait(seconds: 30))
        #expect(ending.status == 0, "\(ending.errors)")
        return ending.output
    }

    /// Until the office has the events of the daemon up to that number.
    /// - Parameter settings: of the uplink, after `[Uplink]`.
    func take(_ daemon: ServedDaemon, upTo seq: UInt64, settings: String = "") throws {
        directory.write(
            """
            [Uplink]
            URL=mqtt://127.0.0.1:\(port)
            Tenant=acme
            Box=box1
            From=oldest
            \(settings)
            """, to: "uplink.conf")
        let uplink = program(
            "geofenced-uplink",
            ["--bus", daemon.bus.address, "--config", directory.file("uplink.conf"), "fleet"])
        running.append(uplink)
        #expect(
            try daemon.loop.run(seconds: 90) {
                (try? daemon.monitoring.consumers().first?.acknowledged) == seq
            }, "\(running.map(\.errorsSoFar))")
    }
}
