import Foundation
import SystemTestKit
import Testing

/// 30 m/s to the east along the parallel of 48°, in real time, as gpsd reports it.
@MainActor
final class EastwardDrive {
    private let gpsd: GpsdStandIn
    private let pause: Double
    private let start = Date().timeIntervalSince1970
    private var said: [String] = []

    /// - Parameter pause: between two fixes, s.
    init(_ gpsd: GpsdStandIn, every pause: Double) {
        self.gpsd = gpsd
        self.pause = pause
    }

    /// Circles on its way, one every so many metres, as a file of fences in CSV; their numbers are the ids.
    nonisolated static func fences(
        _ numbers: some Sequence<Int>, every metres: Double, radius: Double
    ) -> String {
        numbers.reduce(into: "id,latitude,longitude,radius\n") {
            $0 += "\($1),48,\(longitude(Double($1) * metres)),\(radius)\n"
        }
    }

    /// Says its fixes until that many seconds after its start.
    func go(to end: Double) {
        while Date().timeIntervalSince1970 - start < end {
            let now = Date().timeIntervalSince1970
            let line =
                #"{"class":"TPV","device":"/dev/x","mode":3,"time":"\#(iso(now))","#
                + #""lat":48.0,"lon":\#(Self.longitude(30 * (now - start))),"eph":6.0,"#
                + #""speed":30.0,"track":90.0}"#
            gpsd.say(line)
            said.append(line)
            usleep(UInt32(pause * 1e6))
        }
    }

    /// Waits until the last fix has been judged.
    func waitsUntilJudged(by bench: DaemonBench) throws {
        let end = RecordedDrive(lines: said).end
        try #require(
            bench.waits(forFixAt: end),
            "\(bench.property("LastFixTimestamp") ?? "-") of \(end): \(bench.errors)")
    }

    /// Its events with these fences, by the tool.
    func replay(_ fences: String, options: [String] = []) throws -> [LoggedLine] {
        try ProcessTests.replay(said.joined(separator: "\n"), fences, options: options)
    }

    /// A bridge of 3.5 m on its way, so many metres from its start, as GeoJSON.
    nonisolated static func bridge(at metres: Double) -> String {
        """
        {"type": "FeatureCollection", "features": [{"type": "Feature", "id": "bridge",
        "properties": {"radius": 50, "approach": "cone", "direction_deg": 90,
        "limits": {"height_m": 3.5, "basis": "signed"}},
        "geometry": {"type": "Point", "coordinates": [\(longitude(metres)), 48]}}]}
        """
    }

    nonisolated private static func longitude(_ metres: Double) -> Double { 11 + metres / 74_628 }

    private func iso(_ seconds: Double) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.string(from: Date(timeIntervalSince1970: seconds))
    }
}
