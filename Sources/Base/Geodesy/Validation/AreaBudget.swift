/// What validating and measuring may cost: for one geometry, or for all geometries of one call. It
/// is checked before the work; a geometry beyond it is refused.
///
/// The limits keep the work on one geometry below 0.2 s, that of a fix on it below some
/// milliseconds, and an area in memory below some ten megabytes, whatever its shape.
package struct AreaBudget: Hashable, Sendable {
    /// Positions; an edge of more than a quarter of a degree counts as several, because it is bowed
    /// and costs more to measure, see ``weight(from:to:)``.
    package var positions: Int
    /// Rings, shells and holes, of all parts.
    package var rings: Int
    /// Nodes of search trees that may be visited, at some twenty nanoseconds each.
    package var steps: Int

    /// For one geometry.
    package static let geometry = AreaBudget(positions: 120_000, rings: 10_000, steps: 8_000_000)

    package init(positions: Int, rings: Int, steps: Int) {
        self.positions = positions
        self.rings = rings
        self.steps = steps
    }

    /// How many positions an edge counts as.
    static func weight(from a: SIMD2<Double>, to b: SIMD2<Double>) -> Int {
        let extent = max((b.x - a.x).magnitude, (b.y - a.y).magnitude)
        // Degrees; no edge of a ring in range is longer than two turns.
        return extent > 0.25 ? 1 + Int(min(extent, 1080) * 16) : 1
    }

    /// The budget was exceeded.
    package var isExhausted: Bool { positions < 0 || rings < 0 || steps < 0 }

    mutating func takePosition(_ weight: Int) throws(AreaError) {
        positions -= weight
        guard positions >= 0 else {
            throw AreaError(
                description: "geometry has more than \(Self.geometry.positions) positions"
                    + " (an edge longer than 0.25 degrees counts as several)")
        }
    }

    mutating func takeRing() throws(AreaError) {
        rings -= 1
        guard rings >= 0 else {
            throw AreaError(description: "geometry has more than \(Self.geometry.rings) rings")
        }
    }

    mutating func takeSteps(_ count: Int) throws(AreaError) {
        steps -= count
        guard steps >= 0 else {
            throw AreaError(description: "geometry is too intricate to be checked")
        }
    }
}
