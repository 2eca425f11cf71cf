package import Geodesy
import Glibc
package import Model
package import Time

/// A random drive through a random catalogue, for the property tests. The same seed gives the same
/// scenario.
package struct Scenario: CustomStringConvertible {
    package let seed: UInt64
    package let place: Place
    package let catalogue: Layout
    package let reports: [PositionReport]
    /// When each report arrives.
    package let arrivals: [Uptime]
    package let fences: [Fence]

    /// Where on Earth: an ordinary place, or one of the special ones.
    package enum Place: CaseIterable, Sendable { case midLatitude, equator, antimeridian, polar }

    /// How the fences are arranged.
    package enum Layout: CaseIterable, Sendable { case sparse, dense, nested, huge, mixed }

    package var description: String {
        "seed \(seed): \(place), \(catalogue), \(fences.count) fences, \(reports.count) reports"
    }

    package init(seed: UInt64, steps: Int = 150) {
        self.seed = seed
        var random = SeededRandom(seed: seed)
        place = Place.allCases.randomElement(using: &random) ?? .midLatitude
        catalogue = Layout.allCases.randomElement(using: &random) ?? .mixed
        let origin = Self.origin(place, &random)
        var drive = Drive(origin: origin, random: random)
        let (silent, arrivals) = drive.run(steps: steps)
        // Of the third of the scenarios the wheels are heard.
        reports = seed % 3 == 2 ? Self.heard(silent, SeededRandom(seed: seed &+ 7)) : silent
        self.arrivals = arrivals
        random = drive.random
        fences = Self.fences(catalogue, along: drive.truth, &random)
    }

    /// The same drive with other fences.
    init(_ other: Scenario, fences: [Fence]) {
        seed = other.seed
        place = other.place
        catalogue = other.catalogue
        reports = other.reports
        arrivals = other.arrivals
        self.fences = fences
    }

    /// The same fences, and reports instead of its own, which arrive when those did.
    init(_ other: Scenario, reports: [PositionReport]) {
        seed = other.seed
        place = other.place
        catalogue = other.catalogue
        self.reports = reports
        arrivals = other.arrivals
        fences = other.fences
    }

    /// The reports with wheels that turn, stand, or say nothing for a while, whatever the position does.
    package static func heard(
        _ reports: [PositionReport], _ random: SeededRandom
    ) -> [PositionReport] {
        var random = random
        var (speed, isSilent) = (0.0, false)
        return reports.map { report in
            if random.chance(0.1) {
                speed = random.chance(0.5) ? 0 : random.uniform(0...30)
                isSilent = random.chance(0.3)
            }
            guard !isSilent else { return report }
            var report = report
            report.wheels = WheelReading(
                speed: speed, isStanding: speed < 0.3, way: random.chance(0.8) ? speed : nil)
            return report
        }
    }

    private static func origin(_ place: Place, _ random: inout SeededRandom) -> Coordinate {
        let longitude = Double.random(in: -180...180, using: &random)
        return switch place {
        case .midLatitude:
            Coordinate(
                latitude: Double.random(in: -65...65, using: &random), longitude: longitude)
        case .equator:
            Coordinate(
                latitude: Double.random(in: -0.02...0.02, using: &random), longitude: longitude)
        case .antimeridian:
            Coordinate(
                latitude: Double.random(in: -65...65, using: &random),
                longitude: Bool.random(using: &random) ? 179.99 : -179.99)
        case .polar:
            Coordinate(
                latitude: (Bool.random(using: &random) ? 1 : -1)
                    * Double.random(in: 89.5...89.99, using: &random),
                longitude: longitude)
        }
    }

    private static func fences(
        _ layout: Layout, along truth: [Coordinate], _ random: inout SeededRandom
    ) -> [Fence] {
        let counts = [0, 1, 3, 18, 19, 20, 21, 40, 120]
        let count = counts.randomElement(using: &random) ?? 20
        return (0..<count).compactMap { index in
            let near = truth.randomElement(using: &random) ?? Coordinate(latitude: 0, longitude: 0)
            let spread: Double =
                switch layout {
                case .sparse: 8000
                case .dense: 150
                case .nested: 40
                case .huge: 30_000
                case .mixed: [30, 300, 3000].randomElement(using: &random) ?? 300
                }
            let center = near.moved(
                by: Double.random(in: 0...spread, using: &random),
                toward: Double.random(in: 0..<360, using: &random))
            let size: Double =
                switch layout {
                case .sparse, .dense, .mixed:
                    [12, 25, 60, 150, 400].randomElement(using: &random) ?? 60
                case .nested: 50 + Double(index) * 25
                case .huge: Double.random(in: 5_000...60_000, using: &random)
                }
            guard let area = shape(at: center, size: size, &random) else { return nil }
            return Fence(
                id: "f\(index)", area: area,
                dwell: Int.random(in: 0..<4, using: &random) == 0
                    ? .seconds(Double.random(in: 1...120, using: &random)) : .zero,
                initialEnter: Bool.random(using: &random))
        }
    }

    private static func shape(
        at center: Coordinate, size: Double, _ random: inout SeededRandom
    ) -> Area? {
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where center.latitude.magnitude < 85:
            return try? Area(.polygons([[star(around: center, size: size, &random)]]))
        case 1 where center.latitude.magnitude < 85:
            var line = [center]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let last = line[line.count - 1]
                line.append(
                    last.moved(
                        by: size, toward: Double.random(in: 0..<360, using: &random)))
            }
            return try? Area(.corridor(line: line, width: max(10, size / 3)))
        default:
            return try? Area(.circle(center: center, radius: size))
        }
    }

    /// A star-shaped ring: bays and points, never crossing itself.
    private static func star(
        around center: Coordinate, size: Double, _ random: inout SeededRandom
    ) -> [Coordinate] {
        let corners = Int.random(in: 3...9, using: &random)
        let ring = (0..<corners).map { corner in
            center.moved(
                by: size * Double.random(in: 0.4...1.2, using: &random),
                toward: 360 * Double(corner) / Double(corners))
        }
        return ring + [ring[0]]
    }
}

extension Coordinate {
    /// The point `distance` metres away in the direction `bearing`, degrees; on a sphere, which is
    /// exact enough for scenarios.
    package func moved(by distance: Double, toward bearing: Double) -> Coordinate {
        let (phi, theta) = (latitude * .pi / 180, bearing * .pi / 180)
        let delta = distance / 6_371_000
        let sine = sin(phi) * cos(delta) + cos(phi) * sin(delta) * cos(theta)
        let there = asin(max(-1, min(1, sine)))
        let turn = atan2(
            sin(theta) * sin(delta) * cos(phi), cos(delta) - sin(phi) * sin(there))
        var east = longitude + turn * 180 / .pi
        if east > 180 { east -= 360 }
        if east < -180 { east += 360 }
        return Coordinate(latitude: there * 180 / .pi, longitude: east)
    }
}
