import EngineTestKit
import Geodesy
import Glibc
import Law
import Model
import Storage

/// The fences with the smallest signed distance, at positions along a drive or anywhere.
func runNearest(state: String, at place: String, _ options: Options) throws {
    let count = options.number("count", otherwise: 1000)
    let limit = options.number("limit", otherwise: 20)
    let store = try open(state)
    let points =
        place == "anywhere" ? anywhere(count: count) : try along(place, count: count)
    var latencies = Latencies()
    var sum = 0.0
    // Twice: the first time warms the store.
    for pass in 0..<2 {
        for point in points {
            let begin = clock(CLOCK_MONOTONIC)
            let ranked = try store.nearest(to: point, limit: limit)
            if pass > 0 { latencies.add(since: begin) }
            sum += ranked.last?.signedDistance ?? 0
        }
    }
    say("queries", latencies.count)
    say("mean_furthest_m", sum / Double(2 * points.count))
    latencies.report("q")
}

/// Positions among the fences: across the whole continent, seeded.
private func anywhere(count: Int) -> [SurfacePoint] {
    var random = SeededRandom(seed: 5)
    return (0..<count).map { _ in
        SurfacePoint(
            Coordinate(
                latitude: Double.random(in: 26...48, using: &random),
                longitude: Double.random(in: -123...(-68), using: &random)))
    }
}

private func along(_ track: String, count: Int) throws -> [SurfacePoint] {
    let reports = try RecordedDrive(track, every: 1).reports
    return (0..<count).compactMap { index in
        reports[index * reports.count / count].report.coordinate.map { SurfacePoint($0) }
    }
}
