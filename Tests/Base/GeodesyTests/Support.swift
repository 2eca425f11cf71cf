import Foundation
import Testing

@testable import Geodesy

func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
}

func point(_ latitude: Double, _ longitude: Double) -> SurfacePoint {
    SurfacePoint(at(latitude, longitude))
}

/// SplitMix64: the same numbers on every machine.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func number(_ range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &self)
    }
}

enum Shipped {
    static func url(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Data").appendingPathComponent(name)
    }

    /// Rows without the header.
    static func rows(_ name: String) throws -> [[String]] {
        try String(contentsOf: url(name), encoding: .utf8).split(separator: "\n").dropFirst()
            .map { $0.split(separator: ",").map(String.init) }
    }

    static func object(_ name: String) throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url(name)))
        return try #require(json as? [String: Any])
    }

    /// The features of a collection, by id, in their order.
    static func areas(_ name: String) throws -> [(id: String, area: Area)] {
        let features = try #require(try object(name)["features"] as? [[String: Any]])
        return try features.map { feature in
            let id = try #require(feature["id"] as? String)
            let geometry = try #require(feature["geometry"] as? [String: Any])
            return (id, try Area(GeoJSON.geometry(geometry)))
        }
    }
}

enum GeoJSON {
    static func position(_ json: Any) throws -> Coordinate {
        let numbers = try #require(json as? [NSNumber])
        return at(numbers[1].doubleValue, numbers[0].doubleValue)
    }

    static func ring(_ json: Any) throws -> [Coordinate] {
        try #require(json as? [Any]).map(position)
    }

    static func polygon(_ json: Any) throws -> [[Coordinate]] {
        try #require(json as? [Any]).map(ring)
    }

    static func geometry(_ json: [String: Any]) throws -> Geometry {
        let coordinates = try #require(json["coordinates"])
        if json["type"] as? String == "MultiPolygon" {
            return .polygons(try #require(coordinates as? [Any]).map(polygon))
        }
        return .polygons([try polygon(coordinates)])
    }
}

func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [Coordinate] {
    [at(south, west), at(south, east), at(north, east), at(north, west), at(south, west)]
}

/// A ring that winds once round its centre with random radii: simple, and with bays.
func star(
    _ center: Coordinate, radius: Double, count: Int, _ random: inout Seeded
) -> [Coordinate] {
    let stretch = 1 / max(cos(center.latitude * .pi / 180), 0.01)
    var ring: [Coordinate] = []
    for k in 0..<count {
        let angle = 2 * Double.pi * Double(k) / Double(count)
        let reach = radius * random.number(0.3...1)
        ring.append(
            at(
                center.latitude + reach * sin(angle),
                center.longitude + reach * stretch * cos(angle)))
    }
    return ring + [ring[0]]
}

/// The definitions, computed slowly: edges sampled densely, the best sample refined.
enum Oracle {
    static func distance(_ p: SurfacePoint, _ a: Coordinate, _ b: Coordinate) -> Double {
        func d(_ t: Double) -> Double {
            p.distance(
                to: point(
                    a.latitude + (b.latitude - a.latitude) * t,
                    a.longitude + (b.longitude - a.longitude) * t))
        }
        let samples = 400
        var best = (0...samples).map { Double($0) / Double(samples) }.min { d($0) < d($1) } ?? 0
        var step = 1 / Double(samples)
        while step > 1e-11 {
            let t = [max(best - step, 0), min(best + step, 1)].min { d($0) < d($1) } ?? best
            if d(t) < d(best) { best = t } else { step /= 2 }
        }
        return d(best)
    }

    static func distance(_ p: SurfacePoint, chain: [Coordinate]) -> Double {
        zip(chain, chain.dropFirst()).map { distance(p, $0, $1) }.min() ?? .infinity
    }

    static func holds(_ ring: [Coordinate], _ p: Coordinate) -> Bool {
        var inside = false
        for (a, b) in zip(ring, ring.dropFirst())
        where (a.latitude > p.latitude) != (b.latitude > p.latitude) {
            let share = (p.latitude - a.latitude) / (b.latitude - a.latitude)
            if p.longitude < a.longitude + share * (b.longitude - a.longitude) { inside.toggle() }
        }
        return inside
    }
}
