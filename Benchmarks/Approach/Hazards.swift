import Geodesy
import Glibc
import JSON

/// A place that is too low for the vehicle, on the edges of the road network.
struct Hazard {
    /// Of the fence.
    let id: String
    let title: String
    /// Clear height, m.
    let height: Double
    /// The restricted section in both directions.
    let edges: Set<Int>
    /// Where a plain list would have it.
    let centre: Point
    /// What the compiler takes for the ways out; for the list of what was missed.
    let legs: Int
}

/// Why a file of approaches cannot be used.
struct Unusable: Error, CustomStringConvertible {
    let description: String
}

extension Hazard {
    /// The hazards of a compiled file that are too low for a vehicle, by the law's margins.
    static func read(
        _ bytes: [UInt8], on roads: Roads, vehicle height: Double
    ) throws -> (hazards: [Hazard], unmatched: [String]) {
        var limits = JSONLimits()
        limits.valueBytes = max(limits.valueBytes, 2 * bytes.count)
        guard let features = try JSONValue(parsing: bytes, limits: limits)["features"]?.array
        else { throw Unusable(description: "no FeatureCollection") }
        let nodes = NodesByPlace(roads)
        var hazards: [Hazard] = []
        var unmatched: [String] = []
        for feature in features {
            guard let properties = feature["properties"], let id = feature["id"]?.string,
                let clearance = properties["limits"]?["height_m"]?.double
            else { continue }
            let basis = properties["limits"]?["basis"]?.string ?? "signed"
            let held: Double = ["signed-actual": 0.05, "measured": 0.15][basis] ?? 0
            guard clearance - held < height + 0.1 - 1e-9 else { continue }
            let lines = (properties["section"]?.array ?? []).map(places)
            let edges = nodes.edges(of: lines, on: roads)
            guard !edges.isEmpty else {
                unmatched.append(id)
                continue
            }
            hazards.append(
                Hazard(
                    id: id, title: properties["title"]?.string ?? "", height: clearance,
                    edges: edges, centre: middle(lines.joined().map(roads.plane.point)),
                    legs: properties["legs"]?.array?.count ?? 0))
        }
        return (hazards, unmatched)
    }

    private static func places(_ line: JSONValue) -> [Coordinate] {
        (line.array ?? []).compactMap { place in
            guard let longitude = place[0]?.double, let latitude = place[1]?.double else {
                return nil
            }
            return Coordinate(latitude: latitude, longitude: longitude)
        }
    }

    /// The corner that is nearest to the mean of all: on the road, as a list's point would be.
    private static func middle(_ points: [Point]) -> Point {
        let count = Double(points.count)
        let mean = Point(
            x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
        // Of a straight section the mean is on it; of a long bent one the nearest corner is.
        let near = points.min { $0.distance(to: mean) < $1.distance(to: mean) } ?? mean
        return near.distance(to: mean) < 40 ? mean : near
    }
}

/// Finds the nodes of the network by their places in a file.
private struct NodesByPlace {
    private struct Place: Hashable {
        let latitude: Int64
        let longitude: Int64

        init(_ place: Coordinate) {
            latitude = Int64((place.latitude * 1e7).rounded())
            longitude = Int64((place.longitude * 1e7).rounded())
        }
    }

    private var nodes: [Place: [Int]] = [:]

    init(_ roads: Roads) {
        for (index, place) in roads.positions.enumerated() {
            nodes[Place(place), default: []].append(index)
        }
    }

    /// The edges along these lines, in both directions; of a single place those that leave it.
    func edges(of lines: [[Coordinate]], on roads: Roads) -> Set<Int> {
        var found: Set<Int> = []
        for line in lines {
            let stops = line.map { nodes[Place($0)] ?? [] }
            // Of a node there are stubs, which end where no node is.
            if stops.contains([]) || Set(stops).count == 1 {
                found.formUnion(stops.joined().flatMap { roads.leaving[$0].map(Int.init) })
                continue
            }
            for (a, b) in zip(stops, stops.dropFirst()) {
                for node in a + b {
                    for edge in roads.leaving[node].map(Int.init) {
                        let (from, to) = (roads.edges[edge].from, roads.edges[edge].to)
                        guard
                            a.contains(from) && b.contains(to) || b.contains(from) && a.contains(to)
                        else { continue }
                        found.insert(edge)
                    }
                }
            }
        }
        return found
    }
}
