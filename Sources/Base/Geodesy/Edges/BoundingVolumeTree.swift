/// Boxes over the boundary edges in their order, Earth-centred: a complete binary tree in an array,
/// node k above 2k and 2k + 1, whose leaves hold ``leafSize`` edges each. It has no pointers, knows
/// neither poles nor antimeridian, and costs 6 to 12 bytes an edge.
struct BoundingVolumeTree: Sendable {
    /// m, rounded outwards.
    struct Node: Sendable {
        var minX = Float.infinity
        var minY = Float.infinity
        var minZ = Float.infinity
        var maxX = -Float.infinity
        var maxY = -Float.infinity
        var maxZ = -Float.infinity
    }

    static let leafSize = 8

    private(set) var nodes: [Node] = []
    /// The number of leaves, a power of two: the leaves are nodes `leaves`..<2·`leaves`.
    private(set) var leaves = 0

    init() {}

    init(_ table: EdgeTable) {
        let needed = (table.edgeCount + Self.leafSize - 1) / Self.leafSize
        leaves = 1
        while leaves < needed { leaves *= 2 }
        nodes = [Node](repeating: Node(), count: 2 * leaves)
        for edge in 0..<table.edgeCount where table.isBoundary(edge) {
            nodes[leaves + edge / Self.leafSize].cover(table, edge)
        }
        for k in stride(from: leaves - 1, to: 0, by: -1) {
            nodes[k] = nodes[2 * k].union(nodes[2 * k + 1])
        }
    }
}

extension BoundingVolumeTree.Node {
    mutating func cover(_ table: EdgeTable, _ edge: Int) {
        let bulge = Double(table.bulge[edge])
        let p = table.ecef[edge]
        let q = table.ecef[edge + 1]
        minX = min(minX, (min(p.x, q.x) - bulge).roundedDown)
        minY = min(minY, (min(p.y, q.y) - bulge).roundedDown)
        minZ = min(minZ, (min(p.z, q.z) - bulge).roundedDown)
        maxX = max(maxX, (max(p.x, q.x) + bulge).roundedUp)
        maxY = max(maxY, (max(p.y, q.y) + bulge).roundedUp)
        maxZ = max(maxZ, (max(p.z, q.z) + bulge).roundedUp)
    }

    func union(_ other: Self) -> Self {
        var box = self
        box.minX = min(minX, other.minX)
        box.minY = min(minY, other.minY)
        box.minZ = min(minZ, other.minZ)
        box.maxX = max(maxX, other.maxX)
        box.maxY = max(maxY, other.maxY)
        box.maxZ = max(maxZ, other.maxZ)
        return box
    }

    @inline(__always)
    func meets(_ other: Self) -> Bool {
        minX <= other.maxX && maxX >= other.minX && minY <= other.maxY && maxY >= other.minY
            && minZ <= other.maxZ && maxZ >= other.minZ
    }

    /// Squared distance of `p` from the box, m²; infinite when it is empty.
    @inline(__always)
    func distanceSquared(to p: SIMD3<Double>) -> Double {
        let dx = max(Double(minX) - p.x, p.x - Double(maxX), 0)
        let dy = max(Double(minY) - p.y, p.y - Double(maxY), 0)
        let dz = max(Double(minZ) - p.z, p.z - Double(maxZ), 0)
        return dx * dx + dy * dy + dz * dz
    }
}

extension PathSegment {
    /// A box that holds the path, Earth-centred.
    var solidBox: BoundingVolumeTree.Node {
        let p = start.ecef
        let q = end.ecef
        // How far the path rises over the chord between its ends, and a millimetre.
        let rise = min(length * length / (8 * Ellipsoid.leastRadius) * 1.01, length) + 1e-3
        var box = BoundingVolumeTree.Node()
        box.minX = (min(p.x, q.x) - rise).roundedDown
        box.minY = (min(p.y, q.y) - rise).roundedDown
        box.minZ = (min(p.z, q.z) - rise).roundedDown
        box.maxX = (max(p.x, q.x) + rise).roundedUp
        box.maxY = (max(p.y, q.y) + rise).roundedUp
        box.maxZ = (max(p.z, q.z) + rise).roundedUp
        return box
    }
}

extension Double {
    /// Rounded up to a `Float`.
    @inline(__always) var roundedUp: Float { Float(self).nextUp }
    /// Rounded down to a `Float`.
    @inline(__always) var roundedDown: Float { Float(self).nextDown }
}
