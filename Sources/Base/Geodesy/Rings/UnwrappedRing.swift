/// A closed ring laid out in the plane of longitude and latitude, so that no step jumps over the
/// antimeridian; longitudes then run beyond ±180.
struct UnwrappedRing {
    /// Degrees; x longitude, y latitude. The last repeats the first, shifted by the turns made.
    var points: [SIMD2<Double>]
    /// For each of `points` its index among the positions of the input.
    var origins: [Int]
    /// Whole turns round the Earth's axis, eastwards positive; 0 except for a ring round a pole.
    let turns: Double

    /// Consecutive repeated positions are dropped. A step of more than 180° is the short way round.
    /// A step of exactly 360° along a parallel has no short way: it is a full turn where it runs
    /// along a pole or where the ring has more than one (a band written −180…180), and otherwise
    /// the seam of a ring that goes round the Earth.
    init(_ positions: [Coordinate]) {
        (points, origins) = Self.layOut(positions)
        if let first = points.first, let last = points.last {
            turns = ((last.x - first.x) / 360).rounded()
            points[points.count - 1] = SIMD2(first.x + 360 * turns, first.y)
        } else {
            turns = 0
        }
    }

    /// Positions in the plane, and for each its index among those of the input.
    static func layOut(
        _ positions: [Coordinate]
    ) -> (points: [SIMD2<Double>], origins: [Int]) {
        var points: [SIMD2<Double>] = []
        var origins: [Int] = []
        points.reserveCapacity(positions.count + 3)
        origins.reserveCapacity(positions.count + 3)
        forEachPoint(of: positions) { point, origin in
            points.append(point)
            origins.append(origin)
        }
        return (points, origins)
    }

    /// The same one by one, without a list of them.
    @inline(__always)
    static func forEachPoint(
        of positions: [Coordinate], _ body: (SIMD2<Double>, _ origin: Int) -> Void
    ) {
        let hasFullTurns = hasFullTurns(positions)
        var longitude = 0.0
        var last: Coordinate?
        var laidOut: SIMD2<Double>?
        // Validation makes sure that all are in range; positions that were never validated must not
        // make measuring more costly than that of a ring.
        for (index, position) in positions.enumerated()
        where position.latitude.magnitude <= 90 && position.longitude.magnitude <= 540 {
            let lon = snapped(position.longitude)
            let before = last
            last = position
            if before == nil { longitude = lon }
            if let before {
                var step = lon - snapped(before.longitude)
                let isFullTurn =
                    step.magnitude == 360 && position.latitude == before.latitude
                    && (hasFullTurns || position.latitude.magnitude == 90)
                if step.magnitude > 180, !isFullTurn { step -= 360 * (step / 360).rounded() }
                // A position keeps its digits: only whole turns are added.
                longitude = lon + 360 * ((longitude + step - lon) / 360).rounded()
            }
            let point = SIMD2(longitude, position.latitude)
            if point == laidOut { continue }
            laidOut = point
            body(point, index)
        }
    }

    private static func hasFullTurns(_ positions: [Coordinate]) -> Bool {
        var count = 0
        for (a, b) in zip(positions, positions.dropFirst()) where a.latitude == b.latitude {
            if (a.longitude - b.longitude).magnitude == 360 { count += 1 }
        }
        return count >= 2
    }

    /// A longitude within 0.1 mm of the antimeridian is moved onto it: data sets have
    /// 179.99999999999997.
    private static func snapped(_ longitude: Double) -> Double {
        let beyond = longitude.magnitude - 180
        guard beyond != 0, beyond.magnitude < 1e-9 else { return longitude }
        return longitude < 0 ? -180 : 180
    }

    /// Twice the area in square degrees, positive when it runs counter-clockwise.
    var doubledArea: Double {
        guard let origin = points.first else { return 0 }
        var sum = 0.0
        for (a, b) in zip(points, points.dropFirst()) {
            sum += (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y)
        }
        return sum
    }

    /// The latitude of the pole that a ring round the Earth encloses: that of a vertex on a pole,
    /// else the pole nearer to the mean latitude of its vertices.
    var enclosedPole: Double {
        if points.contains(where: { $0.y == 90 }) { return 90 }
        if points.contains(where: { $0.y == -90 }) { return -90 }
        var sum = 0.0
        for point in points.dropLast() { sum += point.y }
        return sum >= 0 ? 90 : -90
    }

    /// Closes a ring round the Earth over `pole`: up a meridian, along the pole, down again. The
    /// positions added are marked by −1.
    mutating func close(over pole: Double) {
        guard turns != 0, let first = points.first, let last = points.last else { return }
        points += [SIMD2(last.x, pole), SIMD2(first.x, pole), first]
        origins += [-1, -1, -1]
    }
}
