/// Polygons prepared for measuring: all rings in one table of edges, without seams and poles in the
/// boundary; parts that meet on a seam are one.
struct PolygonShape: Sendable {
    struct Ring: Sendable {
        let edges: Range<Int>
        let west: Double
        let south: Double
        let east: Double
        let north: Double
    }

    struct Polygon: Sendable {
        /// The first is the shell, the others are holes.
        let rings: Range<Int>
        let part: Int
    }

    private(set) var table = EdgeTable()
    private(set) var rings: [Ring] = []
    /// In the order of their parts.
    private(set) var polygons: [Polygon] = []
    /// Edges of every part.
    private(set) var parts: [Range<Int>] = []

    /// Each polygon is a list of validated rings; others give a meaningless result, but do no harm.
    init(_ geometry: [[[Coordinate]]]) {
        let unwrapped = geometry.map(Self.unwrap)
        var groups = Groups(count: unwrapped.count)
        var seam = Seam()
        var total = 0
        for (part, rings) in unwrapped.enumerated() {
            for (index, ring) in rings.enumerated() {
                seam.add(ring, isHole: index > 0, part: part)
                total += ring.points.count
            }
        }
        seam.finish { groups.join($0, $1) }
        table.reserve(total)
        for members in groups.ordered() {
            let first = table.edgeCount
            for member in members {
                let start = rings.count
                for ring in unwrapped[member] { append(ring, seam) }
                polygons.append(Polygon(rings: start..<rings.count, part: parts.count))
            }
            parts.append(first..<table.edgeCount)
        }
        table.finish()
    }

    /// One ring alone; all of it is boundary except what closes it over a pole.
    init(ring: UnwrappedRing) {
        append(ring, Seam())
        polygons = [Polygon(rings: 0..<1, part: 0)]
        parts = [0..<table.edgeCount]
        table.finish()
    }

    /// Rings laid out in the plane, those round a pole closed over it; a hole round the Earth in a
    /// shell round the Earth is closed over the same pole.
    static func unwrap(_ polygon: [[Coordinate]]) -> [UnwrappedRing] {
        var shellPole: Double?
        return polygon.enumerated().map { index, positions in
            var ring = UnwrappedRing(positions)
            if ring.turns != 0 {
                let pole = shellPole ?? ring.enclosedPole
                if index == 0 { shellPole = pole }
                ring.close(over: pole)
            }
            return ring
        }
    }

    private mutating func append(_ ring: UnwrappedRing, _ seam: Seam) {
        var chain: [SIMD2<Double>] = []
        var isBoundary: [Bool] = []
        chain.reserveCapacity(ring.points.count)
        isBoundary.reserveCapacity(ring.points.count)
        let extent = Seam.fullExtent(ring)
        for i in 0..<max(ring.points.count - 1, 0) {
            let a = ring.points[i]
            let b = ring.points[i + 1]
            let isReal = ring.origins[i + 1] >= 0 && !(a.y == b.y && a.y.magnitude == 90)
            chain.append(a)
            var pieces = isReal ? seam.pieces(a, b, extent: extent) : []
            let isRising = b.y > a.y
            if !isRising { pieces.reverse() }
            var y = a.y
            for piece in pieces {
                let enter = isRising ? piece.low : piece.high
                let leave = isRising ? piece.high : piece.low
                if enter != y {
                    isBoundary.append(true)
                    chain.append(SIMD2(a.x, enter))
                }
                isBoundary.append(false)
                if leave != b.y { chain.append(SIMD2(a.x, leave)) }
                y = leave
            }
            if pieces.isEmpty || y != b.y { isBoundary.append(isReal) }
        }
        if let last = ring.points.last { chain.append(last) }
        let edges = table.append(chain) { $0 < isBoundary.count && isBoundary[$0] }
        var low = chain.first ?? .zero
        var high = low
        for point in chain {
            low = SIMD2(min(low.x, point.x), min(low.y, point.y))
            high = SIMD2(max(high.x, point.x), max(high.y, point.y))
        }
        rings.append(
            Ring(edges: edges, west: low.x, south: low.y, east: high.x, north: high.y))
    }
}

/// Which parts belong together: union–find.
private struct Groups {
    private var parent: [Int]

    init(count: Int) { parent = Array(0..<count) }

    mutating func root(_ member: Int) -> Int {
        var node = member
        while parent[node] != node {
            parent[node] = parent[parent[node]]
            node = parent[node]
        }
        return node
    }

    mutating func join(_ a: Int, _ b: Int) {
        let (first, second) = (root(a), root(b))
        parent[max(first, second)] = min(first, second)
    }

    /// The groups by their first members, each in rising order.
    mutating func ordered() -> [[Int]] {
        var place = [Int: Int]()
        var groups: [[Int]] = []
        for member in parent.indices {
            let root = root(member)
            if let known = place[root] {
                groups[known].append(member)
            } else {
                place[root] = groups.count
                groups.append([member])
            }
        }
        return groups
    }
}
