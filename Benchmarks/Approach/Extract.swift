import Geodesy
import Glibc
import RoadGraph

extension Roads {
    /// The roads of an extract, as the compiler reads them: the same directions, junctions and
    /// forbidden turns. Everything else about them is worked out here.
    init(extract path: String) throws {
        let network = try Extract.read([path]).network
        var places = (0..<network.vertexCount).map { network.position(ofVertex: $0).coordinate }
        var ways: [RoadWay] = []
        var numbers: [RoadEdge] = []
        for segment in network.segments.indices {
            let edge = RoadEdge(segment: segment, isForward: true)
            let way = network.way(of: edge)
            let line = network.points(of: edge)
            var nodes = [network.start(of: edge)]
            for point in line.dropFirst().dropLast() {
                nodes.append(places.count)
                places.append(point.coordinate)
            }
            nodes.append(network.end(of: edge))
            ways.append(
                RoadWay(
                    id: way.id, road: RoadClass(way.roadClass), isLink: way.roadClass.isLink,
                    name: network.name(of: way), forward: network.isOpen(edge),
                    backward: network.isOpen(edge.reversed), nodes: nodes))
            numbers.append(edge)
        }
        self.init(ways: ways, positions: places)
        forbidTurns(network)
    }

    /// A piece of an edge of the network is the whole edge's at its ends.
    private mutating func forbidTurns(_ network: RoadNetwork) {
        for vertex in 0..<network.vertexCount {
            for last in arriving[vertex].map(Int.init) {
                for next in leaving[vertex].map(Int.init) where edges[last].reverse != next {
                    guard !network.mayTurn(whole(last, network), whole(next, network)) else {
                        continue
                    }
                    forbid(last, next)
                }
            }
        }
    }

    /// The edge of the network that an edge is a piece of.
    private func whole(_ edge: Int, _ network: RoadNetwork) -> RoadEdge {
        RoadEdge(segment: edges[edge].way, isForward: edges[edge].isForward)
    }
}

extension RoadClass {
    init(_ other: RoadGraph.RoadClass) {
        self =
            switch other {
            case .motorway, .motorwayLink: .motorway
            case .trunk, .trunkLink: .trunk
            case .primary, .primaryLink: .primary
            case .secondary, .secondaryLink: .secondary
            case .tertiary, .tertiaryLink: .tertiary
            case .unclassified, .residential: .residential
            case .livingStreet, .service: .service
            }
    }
}

extension RoadGraph.RoadClass {
    fileprivate var isLink: Bool {
        switch self {
        case .motorwayLink, .trunkLink, .primaryLink, .secondaryLink, .tertiaryLink: true
        default: false
        }
    }
}

/// The bytes of a file. Throws ``Unusable``.
func readFile(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else {
        throw Unusable(description: "cannot be read: \(path)")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = fread(&chunk, 1, chunk.count, file)
        guard count > 0 else { return bytes }
        bytes += chunk[..<count]
    }
}
