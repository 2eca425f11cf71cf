import Geodesy
import Glibc

/// Classes of road, the least important first: what the drives and the truth need to know.
enum RoadClass: Int, Comparable {
    case service, residential, tertiary, secondary, primary, trunk, motorway

    static func < (a: RoadClass, b: RoadClass) -> Bool { a.rawValue < b.rawValue }
}

/// A way as an extract has it: what ``Roads`` is built from.
struct RoadWay {
    /// Of the OSM way.
    var id: Int64
    var road: RoadClass
    /// A ramp or another link.
    var isLink: Bool
    /// Name or reference; empty where it has neither.
    var name: String
    var forward: Bool
    var backward: Bool
    /// Indices into the positions.
    var nodes: [Int]
}

/// A plane with metres in both axes; over an extract of 40 km lengths are right to 0.4 %.
struct LocalPlane {
    let origin: Coordinate
    private let perLongitude: Double
    private let perLatitude = 111_195.0

    init(around origin: Coordinate) {
        self.origin = origin
        perLongitude = 111_320 * cos(origin.latitude * .pi / 180)
    }

    func point(_ place: Coordinate) -> Point {
        Point(
            x: (place.longitude - origin.longitude) * perLongitude,
            y: (place.latitude - origin.latitude) * perLatitude)
    }

    func coordinate(_ point: Point) -> Coordinate {
        Coordinate(
            latitude: origin.latitude + point.y / perLatitude,
            longitude: origin.longitude + point.x / perLongitude)
    }
}

/// A place on the plane, m.
struct Point {
    var x: Double
    var y: Double

    func distance(to other: Point) -> Double { hypot(other.x - x, other.y - y) }

    /// Degrees from north, 0..<360.
    func bearing(to other: Point) -> Double {
        let degrees = atan2(other.x - x, other.y - y) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }
}

/// The angle between two directions, 0...180 degrees.
func angle(_ a: Double, _ b: Double) -> Double {
    let difference = fmod(abs(a - b), 360)
    return min(difference, 360 - difference)
}

/// The road network as directed segments between neighbouring nodes.
struct Roads {
    struct Edge {
        let from: Int
        let to: Int
        /// m
        let length: Double
        /// Degrees from north.
        let bearing: Double
        let way: Int
        /// In the order of the way's nodes.
        let isForward: Bool
        /// The same segment in the other direction; -1 where there is none.
        var reverse = -1
    }

    let plane: LocalPlane
    let positions: [Coordinate]
    let points: [Point]
    let ways: [RoadWay]
    private(set) var edges: [Edge] = []
    /// By node.
    private(set) var leaving: [[Int32]]
    private(set) var arriving: [[Int32]]
    /// Nodes where a driver has a choice, or roads meet.
    private(set) var isJunction: [Bool]
    /// By edge: those on which a sign forbids to go on.
    private var forbidden: [Int: Set<Int>] = [:]

    init(ways: [RoadWay], positions: [Coordinate]) {
        let count = Double(max(positions.count, 1))
        let plane = LocalPlane(
            around: Coordinate(
                latitude: positions.reduce(0) { $0 + $1.latitude } / count,
                longitude: positions.reduce(0) { $0 + $1.longitude } / count))
        self.plane = plane
        self.ways = ways
        self.positions = positions
        points = positions.map(plane.point)
        leaving = Array(repeating: [], count: positions.count)
        arriving = leaving
        isJunction = Array(repeating: false, count: positions.count)
        for (index, way) in ways.enumerated() {
            for (a, b) in zip(way.nodes, way.nodes.dropFirst()) where a != b {
                let forth = way.forward ? add(a, b, index, true) : -1
                let back = way.backward ? add(b, a, index, false) : -1
                guard forth >= 0, back >= 0 else { continue }
                edges[forth].reverse = back
                edges[back].reverse = forth
            }
        }
        for node in positions.indices {
            let neighbours =
                leaving[node].map { edges[Int($0)].to } + arriving[node].map { edges[Int($0)].from }
            isJunction[node] = Set(neighbours).count > 2
        }
    }

    private mutating func add(_ a: Int, _ b: Int, _ way: Int, _ isForward: Bool) -> Int {
        edges.append(
            Edge(
                from: a, to: b, length: max(points[a].distance(to: points[b]), 0.01),
                bearing: points[a].bearing(to: points[b]), way: way,
                isForward: isForward))
        leaving[a].append(Int32(edges.count - 1))
        arriving[b].append(Int32(edges.count - 1))
        return edges.count - 1
    }

    func road(_ edge: Int) -> RoadClass { ways[edges[edge].way].road }

    /// How far a vehicle turns that goes on from one edge to the other, degrees.
    func turn(_ edge: Int, _ next: Int) -> Double {
        angle(edges[edge].bearing, edges[next].bearing)
    }

    /// The edges on which a vehicle may go on: every one but back, and where no sign forbids it.
    func onward(_ edge: Int) -> [Int] {
        let next = leaving[edges[edge].to].map(Int.init).filter { $0 != edges[edge].reverse }
        guard let closed = forbidden[edge] else { return next }
        return next.filter { !closed.contains($0) }
    }

    mutating func forbid(_ edge: Int, _ next: Int) { forbidden[edge, default: []].insert(next) }

    /// Where a point of an edge is.
    func point(_ edge: Int, at offset: Double) -> Point {
        let a = points[edges[edge].from]
        let b = points[edges[edge].to]
        let share = min(max(offset / edges[edge].length, 0), 1)
        return Point(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
    }

    /// Every edge of the largest part of the network within which each place reaches each other.
    func largestPart() -> [Bool] {
        // Enough for synthetic drives: reachable from, and reaching, the same well connected node.
        var best: [Bool] = []
        var bestCount = -1
        for start in Swift.stride(from: 0, to: points.count, by: max(points.count / 12, 1)) {
            let forth = flood(from: start, leaving) { edges[$0].to }
            let back = flood(from: start, arriving) { edges[$0].from }
            let part = edges.map { forth[$0.from] && back[$0.to] && back[$0.from] && forth[$0.to] }
            let count = part.count { $0 }
            if count > bestCount { (best, bestCount) = (part, count) }
        }
        return best
    }

    private func flood(from start: Int, _ lists: [[Int32]], _ end: (Int) -> Int) -> [Bool] {
        var seen = Array(repeating: false, count: points.count)
        seen[start] = true
        var open = [start]
        while let node = open.popLast() {
            for edge in lists[node] {
                let next = end(Int(edge))
                guard !seen[next] else { continue }
                seen[next] = true
                open.append(next)
            }
        }
        return seen
    }
}
