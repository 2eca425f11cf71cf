/// How many roads pass under a bridge, and how many of those say how high they are: what an extract
/// does not know, nobody is warned of.
package struct BridgeCrossings: Sendable {
    /// Comparisons, all in all.
    private static let budget = 200_000_000
    /// Roads beside one piece of a bridge.
    private static let mostSegments = 2_000
    /// Bridges are mapped in pieces shorter than this, m.
    private static let longestPiece = 1_000.0

    /// Pairs of a bridge and a public road under it.
    package private(set) var total = 0
    /// Those whose road has a `maxheight`, with or without a number.
    package private(set) var known = 0

    private struct Pair: Hashable {
        /// A railway's is below 0.
        let bridge: Int
        let way: Int
    }

    /// Looks at bridges of roads and of railways.
    package init(_ extract: Extract, _ grid: RoadGrid) {
        let network = extract.network
        var tagged: Set<Int> = []
        for object in extract.restricted {
            guard case .way(let way) = object.place else { continue }
            if object.tags.keys.contains(where: { $0.rawValue.hasPrefix("maxheight") }) {
                tagged.insert(way)
            }
        }
        var pairs: Set<Pair> = []
        var budget = Self.budget
        func cross(_ bridge: Int, _ layer: Int8, _ a: RoadPoint, _ b: RoadPoint) {
            let length = a.distance(to: b)
            guard length <= Self.longestPiece, budget > 0 else { return }
            let middle = RoadPoint(
                longitude: Int32((Int64(a.longitude) + Int64(b.longitude)) / 2),
                latitude: Int32((Int64(a.latitude) + Int64(b.latitude)) / 2))
            let near = grid.segments(
                near: middle, within: length / 2, budget: Self.mostSegments)
            for number in near {
                let way = Int(network.segments[number].way)
                let road = network.ways[way]
                guard road.roadClass != .service, road.access == .open, way != bridge,
                    road.structure != .bridge || road.layer < layer
                else { continue }
                let points = network.points(of: RoadEdge(segment: number, isForward: true))
                for index in points.indices.dropLast() {
                    budget -= 1
                    if Self.doCross(a, b, points[index], points[index + 1]) {
                        pairs.insert(Pair(bridge: bridge, way: way))
                    }
                }
            }
        }
        for (number, segment) in network.segments.enumerated() {
            let way = network.ways[Int(segment.way)]
            guard way.structure == .bridge else { continue }
            let points = network.points(of: RoadEdge(segment: number, isForward: true))
            for index in points.indices.dropLast() {
                cross(Int(segment.way), max(way.layer, 1), points[index], points[index + 1])
            }
        }
        for (number, points) in extract.railwayBridges.enumerated() {
            for index in points.indices.dropLast() {
                cross(-1 - number, 1, points[index], points[index + 1])
            }
        }
        total = pairs.count
        known = pairs.reduce(0) { $0 + (tagged.contains($1.way) ? 1 : 0) }
    }

    /// Whether two lines cross within both, not at an end, which would be a junction.
    private static func doCross(
        _ a: RoadPoint, _ b: RoadPoint, _ c: RoadPoint, _ d: RoadPoint
    ) -> Bool {
        func side(_ p: RoadPoint, _ q: RoadPoint, _ r: RoadPoint) -> Double {
            let (x, y) = (
                Double(q.longitude) - Double(p.longitude), Double(q.latitude) - Double(p.latitude)
            )
            return x * (Double(r.latitude) - Double(p.latitude))
                - y * (Double(r.longitude) - Double(p.longitude))
        }
        return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
    }
}
