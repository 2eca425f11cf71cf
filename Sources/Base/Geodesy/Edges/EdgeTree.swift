/// Boxes over the edges of chains in the plane of longitude and latitude: a complete binary tree
/// in an array, node k above 2k and 2k + 1. Edge i goes from point i to point i + 1.
struct EdgeTree: Sendable {
    /// Degrees, rounded outwards.
    struct Node: Sendable {
        var west = Float.infinity
        var south = Float.infinity
        var east = -Float.infinity
        var north = -Float.infinity
    }

    static let leafSize = 8

    private(set) var nodes: [Node] = []
    /// The number of leaves, a power of two: the leaves are nodes `leaves`..<2·`leaves`.
    private(set) var leaves = 0

    init() {}

    /// `chains` are the ranges of the edges; points outside of them belong to no edge.
    init(_ points: [SIMD2<Double>], chains: [Range<Int>]) {
        let needed = (points.count + Self.leafSize - 1) / Self.leafSize
        leaves = 1
        while leaves < needed { leaves *= 2 }
        nodes = [Node](repeating: Node(), count: 2 * leaves)
        for chain in chains {
            for edge in chain {
                nodes[leaves + edge / Self.leafSize].cover(points[edge], points[edge + 1])
            }
        }
        for k in stride(from: leaves - 1, to: 0, by: -1) {
            nodes[k] = nodes[2 * k].union(nodes[2 * k + 1])
        }
    }

    /// Whether a ray eastwards from `p` crosses the chain an odd number of times. An edge holds its
    /// lower end and not its upper, and a point on an edge is not west of it: so of two areas that
    /// share an edge exactly one holds it.
    func isOdd(_ points: [SIMD2<Double>], chain: Range<Int>, from p: SIMD2<Double>) -> Bool {
        guard leaves > 0 else { return false }
        return isOdd(
            points, chain: chain, p: p, node: 1, first: 0, width: leaves * Self.leafSize)
    }

    private func isOdd(
        _ points: [SIMD2<Double>], chain: Range<Int>, p: SIMD2<Double>, node: Int, first: Int,
        width: Int
    ) -> Bool {
        let low = max(first, chain.lowerBound)
        let high = min(first + width, chain.upperBound)
        guard low < high else { return false }
        let box = nodes[node]
        // East of the box nothing is crossed; west of it only the ends of the chain count.
        guard p.y >= Double(box.south), p.y <= Double(box.north), p.x < Double(box.east) else {
            return false
        }
        if p.x < Double(box.west) { return (points[low].y > p.y) != (points[high].y > p.y) }
        if node >= leaves {
            var odd = false
            var a = points[low]
            for edge in low..<high {
                let b = points[edge + 1]
                if (a.y > p.y) != (b.y > p.y) {
                    // The same arithmetic whichever way the edge runs.
                    let (lower, upper) = a.y < b.y ? (a, b) : (b, a)
                    let share = (p.y - lower.y) / (upper.y - lower.y)
                    if p.x < lower.x + share * (upper.x - lower.x) { odd.toggle() }
                }
                a = b
            }
            return odd
        }
        let half = width / 2
        let left = isOdd(
            points, chain: chain, p: p, node: 2 * node, first: first, width: half)
        let right = isOdd(
            points, chain: chain, p: p, node: 2 * node + 1, first: first + half, width: half)
        return left != right
    }
}

extension EdgeTree.Node {
    mutating func cover(_ a: SIMD2<Double>, _ b: SIMD2<Double>) {
        west = min(west, min(a.x, b.x).roundedDown)
        south = min(south, min(a.y, b.y).roundedDown)
        east = max(east, max(a.x, b.x).roundedUp)
        north = max(north, max(a.y, b.y).roundedUp)
    }

    func union(_ other: Self) -> Self {
        var box = self
        box.west = min(west, other.west)
        box.south = min(south, other.south)
        box.east = max(east, other.east)
        box.north = max(north, other.north)
        return box
    }

    /// Whether this box, moved `shift` degrees east, meets the other.
    @inline(__always)
    func meets(_ other: Self, shift: Float) -> Bool {
        west + shift <= other.east && other.west <= east + shift && south <= other.north
            && other.south <= north
    }
}
