/// Everything at most `half` metres from one or more lines whose edges are straight in longitude and latitude.
struct Corridor: Sendable {
    let table: EdgeTable
    let half: Double
    /// Of all lines, m.
    let length: Double

    init(lines: [[Coordinate]], width: Double) {
        var table = EdgeTable()
        table.reserve(lines.reduce(0) { $0 + $1.count })
        var points: [SIMD2<Double>] = []
        for line in lines {
            // A line is laid out like a ring; that it does not close changes nothing but the last
            // vertex, which is therefore given as it is.
            points.removeAll(keepingCapacity: true)
            UnwrappedRing.forEachPoint(of: line) { point, _ in points.append(point) }
            table.append(points) { _ in true }
        }
        table.finish()
        self.table = table
        half = width / 2
        length = Self.length(table)
    }

    func signedDistance(_ point: SIMD3<Double>) -> Double {
        var search = NearestEdgeSearch(table, to: point, among: 0..<table.edgeCount)
        search.run()
        return min(search.distance, Ellipsoid.farthest) - half
    }

    func candidates(_ path: PathSegment) -> [Double] {
        roots(of: signedDistance, along: path)
    }

    /// Edges in pieces of at most a degree, each the arc over its chord.
    private static func length(_ table: EdgeTable) -> Double {
        var sum = 0.0
        for edge in 0..<table.edgeCount where table.isBoundary(edge) {
            let curve = EdgeCurve(table, edge)
            let span = max(curve.step.x.magnitude, curve.step.y.magnitude)
            let pieces = min(max(span.rounded(.up), 1), 1080)
            var last = table.ecef[edge]
            var k = 1.0
            while k < pieces {
                let next = curve.point(at: k / pieces)
                sum += Ellipsoid.distance(last, next)
                last = next
                k += 1
            }
            sum += Ellipsoid.distance(last, table.ecef[edge + 1])
        }
        return sum
    }
}
