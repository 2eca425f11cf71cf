import Foundation
import SystemTestKit
import Testing

/// The real programs with the limits of their units, at a broker that ignores what it is told.
@MainActor
@Suite(
    "A broker that sends more than fits into memory", .serialized,
    .enabled(
        if: !isMemorySanitized, "for builds without the sanitizer, which has memory of its own"))
struct HostileBrokerTests {
    private static let root = #filePath.components(separatedBy: "/Tests/ProcessTests/")[0]
    private let directory = TemporaryDirectory()

    /// MiB that a unit sets.
    private static func limit(_ key: String, of unit: String) throws -> Int {
        let path = "\(root)/systemd/usr/lib/systemd/system/\(unit).service"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(key)=") })
        return try #require(Int(line.dropFirst(key.count + 1).dropLast()))
    }

    /// With `LimitDATA=` of its unit.
    private func start(_ arguments: [String], unit: String) throws -> Subprocess {
        let limit = try Self.limit("LimitDATA", of: unit)
        return Subprocess(
            ["prlimit", "--data=\(limit << 20)"] + arguments, environment: ["NOTIFY_SOCKET": nil])
    }

    /// MiB; of a program that runs.
    private func memory(_ key: String, of process: Subprocess) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(key):") })
        return try #require(Int(line.split { $0 == " " || $0 == "\t" }[1])) >> 10
    }

    @Test("the uplink leaves it, says so, and connects again", arguments: [60, 40, 25, 250])
    func uplink(_ megabytes: Int) throws {
        let daemon = try ServedDaemon()
        let broker = try #require(
            HostileBroker(.blast, size: megabytes << 20, topic: "gf/1/acme/box1/down/ack"))
        directory.write(
            "[Uplink]\nURL=mqtt://127.0.0.1:\(broker.port)\nTenant=acme\nBox=box1\n",
            to: "uplink.conf")
        let unit = "geofenced-uplink@"
        let uplink = try start(
            [
                builtProgram("geofenced-uplink"), "--bus", daemon.bus.address, "--config",
                directory.file("uplink.conf"), "fleet",
            ], unit: unit)
        #expect(
            try daemon.loop.run(seconds: 60) { uplink.hasEnded || broker.asked.count >= 3 },
            "\(uplink.errorsSoFar)")
        #expect(!uplink.hasEnded, "\(uplink.errorsSoFar)")
        #expect(uplink.errorsSoFar.contains("refused: the broker sends packets larger than"))
        // What the kernel has received counts as well: 6 MiB of a connection (tcp(7), tcp_rmem).
        let most = try memory("VmHWM", of: uplink)
        #expect(try most + 6 < Self.limit("MemoryMax", of: unit) - 8)
        print("uplink: \(try memory("VmData", of: uplink)) MiB of data, \(most) MiB at most")
    }

    @Test("the ingest leaves it, says so, and connects again")
    func ingest() throws {
        let broker = try #require(
            HostileBroker(.blast, size: 268_000_000, topic: "gf/1/acme/box1/status"))
        directory.write(
            """
            [Ingest]
            Brokers=mqtt://127.0.0.1:\(broker.port)
            Database=host=\(directory.path) dbname=none
            """, to: "ingest.conf")
        let unit = "geofenced-ingest"
        let ingest = try start(
            [builtProgram(unit), "run", "--config", directory.file("ingest.conf")], unit: unit)
        #expect(
            waitUntil(seconds: 60) { ingest.hasEnded || broker.asked.count >= 3 },
            "\(ingest.errorsSoFar)")
        #expect(!ingest.hasEnded, "\(ingest.errorsSoFar)")
        #expect(ingest.errorsSoFar.contains("broker 0: the broker sends packets larger than"))
        #expect(try memory("VmHWM", of: ingest) < Self.limit("MemoryMax", of: unit))
        print("ingest: \(try memory("VmData", of: ingest)) MiB of data")
    }
}
