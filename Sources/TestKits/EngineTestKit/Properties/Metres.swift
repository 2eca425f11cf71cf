import Geodesy
import Law
import Model
import Time

/// Section 13 of the law: the metres of a stay are those of the path that lie inside.
package enum Metres {
    package static let inside = Property(
        "the metres of a stay are those of the path with d ≤ 0, by sampling it"
    ) { seed in
        var random = SeededRandom(seed: seed)
        let origin = Coordinate(
            latitude: random.uniform(-70...70), longitude: random.uniform(-180...180))
        let path = drive(from: origin, &random)
        let fences = (0..<24).compactMap { number -> Fence? in
            let center = path[random.integer(0..<path.count)]
                .moved(by: random.uniform(0...300), toward: random.uniform(0...360))
            let radius = [30.0, 80, 300, 1_500][random.integer(0..<4)]
            let ring = (0..<5).map {
                center.moved(by: radius * random.uniform(0.4...1), toward: 72 * Double($0))
            }
            let area =
                number % 2 == 0
                ? try? Area(.circle(center: center, radius: radius))
                : try? Area(.polygons([[ring + [ring[0]]]]))
            return area.map { Fence(id: "f\(number)", area: $0) }
        }
        var tracker = Tracker.fresh(MemoryFenceStore(fences), size: 5)
        var began: [String: UTCTime] = [:]
        var stays = 0
        for (second, place) in path.enumerated() {
            let report = PositionReport(
                time: time(second), hasFix: true, coordinate: place, error: 5, speed: 15)
            let now = Uptime(nanoseconds: 1_000_000_000_000) + .seconds(Double(second))
            for event in tracker.events(.report(report), at: now) {
                guard let fence = event.fence else { continue }
                guard event.kind == .exit else {
                    began[fence] = event.time
                    continue
                }
                guard let from = began.removeValue(forKey: fence), let way = event.way,
                    let area = fences.first(where: { $0.id == fence })?.area
                else { return "no metres: \(event)" }
                stays += 1
                let sampled = sample(path, in: area, from: from, to: event.time)
                // A sample is 7 cm, and each end of a stretch may be off by one.
                guard abs(way.metres - sampled) < 1 + sampled / 1_000 else {
                    return "\(way.metres) m, sampled \(sampled) m: \(event)"
                }
                guard way.gap == 0, way.newPaths == 0 else { return "\(way): \(event)" }
            }
        }
        return stays > 0 || began.isEmpty ? nil : "no stay ended"
    }

    /// At 15 m/s, a fix a second.
    private static func drive(
        from origin: Coordinate, _ random: inout SeededRandom
    ) -> [Coordinate] {
        var (place, course, path) = (origin, random.uniform(0...360), [origin])
        for _ in 0..<300 {
            course += random.uniform(-15...15)
            place = place.moved(by: 15, toward: course)
            path.append(place)
        }
        return path
    }

    private static func time(_ second: Int) -> UTCTime {
        UTCTime(nanoseconds: 1_700_000_000_000_000_000) + .seconds(Double(second))
    }

    private static func sample(
        _ path: [Coordinate], in area: Area, from: UTCTime, to: UTCTime
    ) -> Double {
        let pieces = 200
        var metres = 0.0
        for (second, (start, end)) in zip(path, path.dropFirst()).enumerated() {
            let segment = PathSegment(from: SurfacePoint(start), to: SurfacePoint(end))
            guard time(second + 1) > from, time(second) < to else { continue }
            for piece in 0..<pieces {
                let fraction = (Double(piece) + 0.5) / Double(pieces)
                let at = time(second) + .seconds(fraction)
                guard at >= from, at <= to,
                    area.signedDistance(to: segment.point(at: fraction)) <= 0
                else { continue }
                metres += segment.length / Double(pieces)
            }
        }
        return metres
    }
}
