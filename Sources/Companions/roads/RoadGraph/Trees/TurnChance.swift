import Glibc

/// How likely a vehicle goes on from one edge into another. Made up, not measured: straight on
/// rather than around a corner, along roads of the same class and name.
struct TurnChance {
    /// Junctions of more edges are mistakes of the data, and are not walked.
    static let mostEdges = 64

    private let network: RoadNetwork

    init(_ network: RoadNetwork) { self.network = network }

    /// The edges by which one may go on, each with its share, 0...1; together 1.
    func shares(after edge: RoadEdge) -> [(edge: RoadEdge, share: Double)] {
        let vertex = network.end(of: edge)
        let leaving = network.halfEdges(at: vertex)
        guard leaving.count <= Self.mostEdges else { return [] }
        let options = leaving.filter { network.mayTurn(edge, $0) }
        if options.count == 1 { return [(options[0], 1)] }
        let weights = options.map { weight(edge, $0) }
        let sum = weights.reduce(0, +)
        return zip(options, weights).map { ($0, $1 / sum) }
    }

    private func weight(_ from: RoadEdge, _ to: RoadEdge) -> Double {
        let (here, there) = (network.way(of: from), network.way(of: to))
        let half = cos(network.angle(from, to) / 2 * .pi / 180)
        // Not 0, so that the shares are numbers where all turns are sharp.
        var weight = max(pow(half, 6), 1e-4)
        weight *= pow(0.75, Double(max(there.roadClass.rank - here.roadClass.rank, 0)))
        if network.haveSameName(here, there) { weight *= 2.5 }
        if there.roadClass == .service, here.roadClass != .service { weight *= 0.3 }
        if there.access == .limited, here.access == .open { weight *= 0.1 }
        return weight
    }
}
