import Geodesy
import JSON
import Model
import Monitoring
import SharedLimits
import SystemTestKit
import Systemd
import Testing

/// From a fence to the table.
@MainActor
@Suite("What the daemon takes arrives in the office", .serialized)
struct FleetLimitTests {
    @Test("a fence with any metadata, title and id that it takes: each event is stored whole")
    func whole() throws {
        let daemon = try ServedDaemon()
        let office = try ServedOffice()
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
        let all = UInt64(2 * sizes.count)
        try office.take(daemon, upTo: all, settings: "[Fields]\nMetadata=Text")
        let whole = """
            SELECT count(DISTINCT seq) || ' ' || count(DISTINCT length(details->'metadata'->>'Text'))
            FROM fleet.event WHERE length(title) = \(SharedLimits.fenceTitle)
            """
        #expect(office.ask(whole) == "\(all) \(sizes.count)")
        #expect(office.ask("SELECT count(*) FROM fleet.rejected") == "0")
    }
}
