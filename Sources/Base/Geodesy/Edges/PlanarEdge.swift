/// An edge in the plane of longitude and latitude, and its relation to others.
struct Edge {
    let a: SIMD2<Double>
    let b: SIMD2<Double>

    init(_ a: SIMD2<Double>, _ b: SIMD2<Double>) {
        self.a = a
        self.b = b
    }

    /// Nearer than this, degrees (0.1 mm), is a touch: a vertex that a data set puts on an edge
    /// lies some nanometres to one side of it, because its digits are rounded.
    static let touch = 1e-9

    /// 1 when `r` lies left of the line from `p` to `q`, −1 right of it, 0 on it.
    @inline(__always)
    static func side(_ p: SIMD2<Double>, _ q: SIMD2<Double>, _ r: SIMD2<Double>) -> Int {
        let line = q - p
        let arm = r - p
        let determinant = line.x * arm.y - line.y * arm.x
        let length = (line.x * line.x + line.y * line.y).squareRoot()
        if determinant > touch * length { return 1 }
        if determinant < -touch * length { return -1 }
        return 0
    }

    @inline(__always)
    func boxMeets(_ other: Edge) -> Bool {
        min(a.x, b.x) <= max(other.a.x, other.b.x) && min(other.a.x, other.b.x) <= max(a.x, b.x)
            && min(a.y, b.y) <= max(other.a.y, other.b.y)
            && min(other.a.y, other.b.y) <= max(a.y, b.y)
    }

    /// Whether each passes through the inside of the other.
    func crosses(_ other: Edge) -> Bool {
        guard boxMeets(other) else { return false }
        return Edge.side(a, b, other.a) * Edge.side(a, b, other.b) < 0
            && Edge.side(other.a, other.b, a) * Edge.side(other.a, other.b, b) < 0
    }

    /// Whether they lie on one line and have more than a point in common.
    func overlaps(_ other: Edge) -> Bool {
        guard Edge.side(a, b, other.a) == 0, Edge.side(a, b, other.b) == 0,
            Edge.side(other.a, other.b, a) == 0, Edge.side(other.a, other.b, b) == 0
        else { return false }
        let isSteep = (b.y - a.y).magnitude > (b.x - a.x).magnitude
        func span(_ edge: Edge) -> (Double, Double) {
            isSteep
                ? (min(edge.a.y, edge.b.y), max(edge.a.y, edge.b.y))
                : (min(edge.a.x, edge.b.x), max(edge.a.x, edge.b.x))
        }
        let (low, high) = span(self)
        let (otherLow, otherHigh) = span(other)
        return min(high, otherHigh) - max(low, otherLow) > 2 * Edge.touch
    }

    /// Whether `v` lies on the edge, its end `b` excepted.
    func holdsVertex(_ v: SIMD2<Double>) -> Bool {
        guard !Edge.touches(v, b), Edge.side(a, b, v) == 0 else { return false }
        return min(a.x, b.x) - Edge.touch <= v.x && v.x <= max(a.x, b.x) + Edge.touch
            && min(a.y, b.y) - Edge.touch <= v.y && v.y <= max(a.y, b.y) + Edge.touch
    }

    @inline(__always)
    static func touches(_ p: SIMD2<Double>, _ q: SIMD2<Double>) -> Bool {
        (p.x - q.x).magnitude <= touch && (p.y - q.y).magnitude <= touch
    }

    /// Whether an edge lies along the antimeridian or on a pole.
    static func maySeam(_ edge: Edge) -> Bool {
        if edge.a.y == edge.b.y, edge.a.y.magnitude == 90 { return true }
        return edge.a.x == edge.b.x
            && ((edge.a.x - 180) / 360).truncatingRemainder(dividingBy: 1) == 0
    }
}
