/// An upper bound of the depth of a cell, from the two boundary edges (walls) between which its
/// centre lies, in the tangent plane.
///
/// No point is deeper than its distance from either wall, so none is deeper than the mean of the
/// two. The mean is convex, hence greatest at a corner of the cell; between parallel walls it is
/// constant, so that a long, narrow area such as a river costs no more steps than a round one.
struct DepthBound {
    private let near: Wall
    private let far: Wall
    /// The bow of the edges, m.
    private let bulge: Double
    /// Tangent of latitude: how fast meridians converge.
    private let convergence: Double

    /// East and north of a point.
    private struct Frame {
        let origin: SIMD3<Double>
        let east: SIMD3<Double>
        let north: SIMD3<Double>
        let convergence: Double

        init(_ p: SIMD3<Double>) {
            origin = p
            let rho = max((p.x * p.x + p.y * p.y).squareRoot(), 1)
            east = SIMD3(-p.y / rho, p.x / rho, 0)
            let up = Ellipsoid.upright(p)
            north = cross(up / dot(up, up).squareRoot(), east)
            convergence = p.z.magnitude / rho
        }

        @inline(__always)
        func flat(_ q: SIMD3<Double>) -> SIMD2<Double> {
            SIMD2(dot(q - origin, east), dot(q - origin, north))
        }
    }

    /// The piece of an edge beside the cell: the whole of a long edge bows too much to give a
    /// useful bound.
    private struct Wall {
        let a: SIMD2<Double>
        let step: SIMD2<Double>
        let bulge: Double

        init(_ table: EdgeTable, _ edge: Int, _ frame: Frame, reach: Double) {
            let from = frame.flat(table.ecef[edge])
            let whole = frame.flat(table.ecef[edge + 1]) - from
            let length = (whole.x * whole.x + whole.y * whole.y).squareRoot()
            guard length > 4 * reach, table.bulge[edge] > 1e-3 else {
                a = from
                step = whole
                bulge = Double(table.bulge[edge])
                return
            }
            let along = -(from.x * whole.x + from.y * whole.y) / (length * length)
            let share = 1.5 * reach / length
            let first = min(max(along - share, 0), 1)
            let last = min(max(along + share, first), 1)
            let curve = EdgeCurve(table, edge)
            a = frame.flat(curve.point(at: first))
            step = frame.flat(curve.point(at: last)) - a
            bulge = curve.bulge(share: last - first)
        }

        /// The point of it that is nearest to the origin.
        var foot: SIMD2<Double> { a + step * share(SIMD2.zero - a) }

        @inline(__always)
        private func share(_ arm: SIMD2<Double>) -> Double {
            let length = step.x * step.x + step.y * step.y
            guard length > 0 else { return 0 }
            return min(max((arm.x * step.x + arm.y * step.y) / length, 0), 1)
        }

        @inline(__always)
        func distance(_ corner: SIMD2<Double>) -> Double {
            let arm = corner - a
            let off = arm - step * share(arm)
            return (off.x * off.x + off.y * off.y).squareRoot()
        }
    }

    /// `nearest` is the edge nearest to `point`, which lies inside; `reach` is the size of the
    /// cell.
    init(
        _ shape: PolygonShape, part: Int, nearest: Int, of point: SurfacePoint, reach: Double
    ) {
        let table = shape.table
        let frame = Frame(point.ecef)
        near = Wall(table, nearest, frame, reach: reach)
        // The other wall is searched for at the same distance on the other side; the bound is right
        // for any edge.
        let foot = near.foot
        let opposite = frame.origin - frame.east * foot.x - frame.north * foot.y
        var search = NearestEdgeSearch(table, to: opposite, among: shape.parts[part])
        search.run()
        far = search.edge >= 0 ? Wall(table, search.edge, frame, reach: reach) : near
        bulge = max(near.bulge, far.bulge)
        convergence = frame.convergence
    }

    /// Upper bound of the depth of any point of the cell ±`width`, ±`height` round the point, m.
    func worst(_ width: Double, _ height: Double) -> Double {
        // The error of the plane: parallels are bent, meridians converge, and the third order.
        let reach = width + height
        let radius = Ellipsoid.leastRadius
        let bend = (width / 2 + height) * width * convergence / radius
        var one = 0.0
        var mean = 0.0
        for k in 0..<4 {
            let corner = SIMD2(k & 1 == 0 ? width : -width, k & 2 == 0 ? height : -height)
            let distance = near.distance(corner)
            one = max(one, distance)
            mean = max(mean, (distance + far.distance(corner)) / 2)
        }
        let worst = min(one, mean)
        return worst + bulge + 1.2 * bend + reach * reach * reach / (radius * radius)
    }
}
