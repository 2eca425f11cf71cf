/// Which roads a vehicle may leave by that is too much for the hazards of one kind up to a value.
/// The value only ever rises.
struct OpenRoads {
    /// A pocket with less road than this, m, is no way out.
    private static let pocket = 2_000.0
    /// A search that has seen this number of edges is out of the pocket.
    private static let searchBudget = 1_000

    private let network: RoadNetwork
    /// By segment: it belongs to the 2-core of the through roads that are still open, which leaves
    /// out cul-de-sacs.
    private var isInCore: [Bool]
    /// By vertex: segments of the core.
    private var degrees: [Int32]
    /// By edge: whether it leads out of its pocket, for the present value.
    private var known: [RoadEdge: Bool] = [:]
    /// Hazards that do not block yet; the lowest is the last.
    private var rest: [Hazard]

    /// - Parameter hazards: of one kind.
    init(_ network: RoadNetwork, _ hazards: [Hazard]) {
        self.network = network
        isInCore = network.segments.map {
            let way = network.ways[Int($0.way)]
            return way.roadClass.isThroughRoad && way.access == .open
        }
        degrees = [Int32](repeating: 0, count: network.vertexCount)
        for (number, segment) in network.segments.enumerated() where isInCore[number] {
            degrees[Int(segment.from)] += 1
            degrees[Int(segment.to)] += 1
        }
        rest = hazards.filter { $0.limit.rank.isFinite }.sorted { $0.limit.rank > $1.limit.rank }
        peel(Array(degrees.indices))
    }

    /// Closes the hazards up to this rank.
    mutating func close(upTo rank: Double) {
        var vertices: [Int] = []
        while let hazard = rest.last, hazard.limit.rank <= rank {
            rest.removeLast()
            switch hazard.section {
            case .edges(let edges):
                for edge in edges { remove(edge.segment, &vertices) }
            case .vertex(let vertex):
                for edge in network.halfEdges(at: vertex) { remove(edge.segment, &vertices) }
            case .positions(let positions):
                for position in positions { remove(position.edge.segment, &vertices) }
            case .point:
                break
            }
        }
        guard !vertices.isEmpty else { return }
        known.removeAll(keepingCapacity: true)
        peel(vertices)
    }

    private mutating func remove(_ segment: Int, _ vertices: inout [Int]) {
        guard isInCore[segment] else { return }
        isInCore[segment] = false
        for vertex in [network.segments[segment].from, network.segments[segment].to] {
            degrees[Int(vertex)] -= 1
            vertices.append(Int(vertex))
        }
    }

    /// Removes dead ends until there are none. Where the extract ends the road goes on.
    private mutating func peel(_ vertices: [Int]) {
        var stack = vertices
        while let vertex = stack.popLast() {
            guard degrees[vertex] == 1, !network.isCut(vertex) else { continue }
            for edge in network.halfEdges(at: vertex) where isInCore[edge.segment] {
                remove(edge.segment, &stack)
            }
        }
    }

    /// Whether the vehicle may leave by this edge, and gets somewhere.
    mutating func leadsOut(_ edge: RoadEdge) -> Bool {
        guard isInCore[edge.segment] else { return false }
        if let result = known[edge] { return result }
        let result = search(edge)
        known[edge] = result
        return result
    }

    /// Not back over the junction: a loop of road is a pocket too.
    private func search(_ edge: RoadEdge) -> Bool {
        let origin = network.start(of: edge)
        var seen: Set<RoadEdge> = [edge]
        var queue = [edge]
        var next = 0
        var length = 0.0
        while next < queue.count {
            let edge = queue[next]
            next += 1
            length += network.length(of: edge)
            let vertex = network.end(of: edge)
            if length >= Self.pocket || next >= Self.searchBudget || network.isCut(vertex) {
                return true
            }
            if vertex == origin { continue }
            for other in network.halfEdges(at: vertex)
            where isInCore[other.segment] && network.mayTurn(edge, other) {
                if seen.insert(other).inserted { queue.append(other) }
                // A junction of more roads is a way out, or a mistake of the data.
                if queue.count >= Self.searchBudget { return true }
            }
        }
        return false
    }
}
