import Engine
import Geodesy
import Glibc
import JSON
import Monitoring
import SharedLimits
import SystemTestKit
import Systemd
import Testing

/// From a fence to the table: the real uplink, mosquitto, the real ingest and PostgreSQL.
@MainActor
@Suite("What the daemon takes arrives in the office", .serialized)
final class FleetLimitTests {
    private let daemon: ServedDaemon
    private let directory = TemporaryDirectory()
    private let server: PrivatePostgreSQL

    init() throws {
        daemon = try ServedDaemon()
        server = try #require(PrivatePostgreSQL())
    }

    private func program(_ name: String, _ arguments: [String]) -> Subprocess {
        Subprocess([builtProgram(name)] + arguments, environment: ["NOTIFY_SOCKET": nil])
    }

    private func ask(_ sql: String) -> String? {
        let done = Subprocess(["psql", "-Atq", server.address, "-c", sql])
        return done.wait(seconds: 20).flatMap {
            $0.status == 0 ? $0.output.split(separator: "\n").first.map(String.init) ?? "" : nil
        }
    }

    @Test("a fence with any metadata, title and id that it takes: each event is stored whole")
    func whole() throws {
        let port = try #require(freePort())
        let config = directory.write(
            "listener \(port) 127.0.0.1\nallow_anonymous true\n"
                + (geteuid() == 0 ? "user root\n" : ""), to: "mosquitto.conf")
        let broker = Subprocess(["/usr/sbin/mosquitto", "-c", config])
        try #require(waitUntil { connects(to: port) }, "\(broker.errorsSoFar)")
        try #require(waitUntil(seconds: 30) { ask("SELECT 1") == "1" })
        let database = server.address
        let made = program(
            "geofenced-ingest", ["setup", "--database", database, "--tenant", "acme"])
        // The configuration is not there, and is not needed.
        let ending = try #require(made.wait(seconds: 30))
        #expect(ending.status == 0, "\(ending.errors)")
        directory.write(
            "[Ingest]\nBrokers=mqtt://127.0.0.1:\(port)\nDatabase=\(database)\n",
            to: "ingest.conf")
        let ingest = program(
            "geofenced-ingest", ["run", "--config", directory.file("ingest.conf")])
        let most = SharedLimits.fenceMetadata
        let frame = #"{"Text":""}"#.utf8.count
        let sizes = [frame, 1000, 32 << 10, (32 << 10) + 1, 33_000, 48_000, most - 1, most]
        for (number, size) in sizes.enumerated() {
            let filling = String(repeating: "x", count: size - frame)
            let center = Coordinate(
                latitude: 48, longitude: 11 + (300 + 300 * Double(number)) / 74_600)
            let fence = Fence(
                id: String(repeating: "i", count: SharedLimits.fenceID - 1) + "\(number)",
                area: try Area(.circle(center: center, radius: 100)),
                title: String(repeating: "t", count: SharedLimits.fenceTitle),
                metadata: #"{"Text":"\#(filling)"}"#)
            _ = try daemon.monitoring.apply(upserts: [fence], removing: [], at: EventLoop.uptime)
        }
        daemon.drive(from: 0, to: 3_000)
        directory.write(
            """
            [Uplink]
            URL=mqtt://127.0.0.1:\(port)
            Tenant=acme
            Box=box1
            From=oldest
            [Fields]
            Metadata=Text
            """, to: "uplink.conf")
        let uplink = program(
            "geofenced-uplink",
            ["--bus", daemon.bus.address, "--config", directory.file("uplink.conf"), "fleet"])
        let all = UInt64(2 * sizes.count)
        #expect(
            try daemon.loop.run(seconds: 90) {
                (try? daemon.monitoring.consumers().first?.acknowledged) == all
            }, "\(uplink.errorsSoFar) \(ingest.errorsSoFar)")
        let whole = """
            SELECT count(DISTINCT seq) || ' ' || count(DISTINCT length(details->'metadata'->>'Text'))
            FROM fleet.event WHERE length(title) = \(SharedLimits.fenceTitle)
            """
        #expect(ask(whole) == "\(all) \(sizes.count)", "\(uplink.errorsSoFar)")
        #expect(ask("SELECT count(*) FROM fleet.rejected") == "0")
        withExtendedLifetime((broker, ingest)) {}
    }
}
