package import Geodesy
package import Model

/// Where a random catalogue lies.
package struct RandomCatalogue: Sendable, CustomStringConvertible {
    package var description: String
    package var latitudes: ClosedRange<Double>
    package var longitudes: ClosedRange<Double>
    package var radii: ClosedRange<Double>
    package var count = 400

    package static let all = [
        RandomCatalogue(
            description: "dense town", latitudes: 48.1...48.2, longitudes: 11.5...11.6,
            radii: 15...400),
        RandomCatalogue(
            description: "whole Earth", latitudes: -90...90, longitudes: -180...180,
            radii: 20...500_000),
        RandomCatalogue(
            description: "antimeridian", latitudes: -17...(-16), longitudes: 179.5...180.5,
            radii: 20...20_000),
        RandomCatalogue(
            description: "North Pole", latitudes: 89.5...90, longitudes: -180...180,
            radii: 20...30_000),
        RandomCatalogue(
            description: "South Pole", latitudes: -90...(-89.9), longitudes: -180...180,
            radii: 20...3_000),
        RandomCatalogue(
            description: "nested, huge", latitudes: 51...51.001, longitudes: 7...7.001,
            radii: 10...3_000_000),
    ]

    package func coordinate(_ random: inout SeededRandom) -> Coordinate {
        var longitude = random.uniform(longitudes)
        if longitude > 180 { longitude -= 360 }
        return Coordinate(latitude: random.uniform(latitudes), longitude: longitude)
    }

    /// Circles, boxes and corridors; a tenth of them at exactly the same place, so that ties occur.
    package func fences(_ random: inout SeededRandom) throws -> [Fence] {
        let shared = coordinate(&random)
        var fences: [Fence] = []
        while fences.count < count {
            let center = random.chance(0.1) ? shared : coordinate(&random)
            let radius = radii.lowerBound * pow2(random.unit() * log2(radii))
            let geometry: Geometry
            switch random.integer(0..<4) {
            case 0 where center.latitude.magnitude < 80 && radius < 100_000:
                let half = radius / 200_000
                let west = center.longitude - half
                let south = center.latitude - half
                geometry = .polygons([
                    [
                        [
                            Coordinate(latitude: south, longitude: west),
                            Coordinate(latitude: south, longitude: west + 2 * half),
                            Coordinate(latitude: south + 2 * half, longitude: west + 2 * half),
                            Coordinate(latitude: south + 2 * half, longitude: west),
                            Coordinate(latitude: south, longitude: west),
                        ]
                    ]
                ])
            case 1 where center.latitude.magnitude < 80 && radius < 10_000:
                geometry = .corridor(
                    line: [
                        center,
                        Coordinate(
                            latitude: center.latitude + 0.01, longitude: center.longitude + 0.01),
                    ], width: radius)
            default:
                geometry = .circle(
                    center: center, radius: random.chance(0.3) ? radii.lowerBound : radius)
            }
            let id = String(random.next(), radix: 36)
            fences.append(Fence(id: id, area: try Area(geometry), title: "ü \(id)"))
        }
        return fences
    }

    private func log2(_ range: ClosedRange<Double>) -> Double {
        var ratio = range.upperBound / range.lowerBound
        var log = 0.0
        while ratio > 1 {
            ratio /= 2
            log += 1
        }
        return log
    }

    private func pow2(_ exponent: Double) -> Double {
        var result = 1.0
        var rest = exponent
        while rest >= 1 {
            result *= 2
            rest -= 1
        }
        return result * (1 + rest)
    }
}
