/// Edges that are straight in longitude and latitude, in chains: edge i goes from vertex i to
/// vertex i + 1. Prepared for distance, side and crossing queries.
struct EdgeTable: Sendable {
    /// Degrees, unwrapped: x longitude, y latitude.
    private(set) var planar: [SIMD2<Double>] = []
    /// Earth-centred, m.
    private(set) var ecef: [SIMD3<Double>] = []
    /// How far edge i bows from the chord between its ends at most, m; negative where the edge is
    /// not part of the boundary, or where a chain ends and there is no edge.
    private(set) var bulge: [Float] = []
    private(set) var chains: [Range<Int>] = []
    private(set) var solid = BoundingVolumeTree()
    private(set) var flat = EdgeTree()

    private static let noBoundary: Float = -1

    /// One for every vertex; for the last vertex of a chain a placeholder.
    var edgeCount: Int { bulge.count }

    mutating func reserve(_ count: Int) {
        planar.reserveCapacity(count)
        ecef.reserveCapacity(count)
        bulge.reserveCapacity(count)
    }

    /// Adds a chain; `isBoundary` is called for every edge, with its index in the chain. Returns
    /// the range of its edges.
    @discardableResult
    mutating func append(
        _ chain: [SIMD2<Double>], isBoundary: (Int) -> Bool
    ) -> Range<Int> {
        let first = planar.count
        for point in chain {
            planar.append(point)
            ecef.append(
                Ellipsoid.ecef(latitudeDegrees: point.y, longitudeDegrees: point.x))
        }
        for index in 0..<max(chain.count - 1, 0) {
            let bow = isBoundary(index) ? EdgeCurve(self, first + index).bulge.roundedUp : -1
            // A bow of NaN would hide the edge.
            bulge.append(bow.isNaN ? Self.noBoundary : bow)
        }
        if !chain.isEmpty { bulge.append(Self.noBoundary) }
        let edges = first..<max(planar.count - 1, first)
        chains.append(edges)
        return edges
    }

    /// To be called once, after the last chain.
    mutating func finish() {
        solid = BoundingVolumeTree(self)
        flat = EdgeTree(planar, chains: chains)
    }

    @inline(__always)
    func isBoundary(_ edge: Int) -> Bool { bulge[edge] >= 0 }
}
