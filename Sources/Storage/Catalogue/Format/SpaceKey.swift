import Geodesy

/// The position of a box as one number: boxes of similar size that lie near one another get numbers
/// near one another, so that neighbours in that order make a compact cell.
enum SpaceKey {
    /// The Hilbert curve over the centres, below two bits for the size: a county among bridges
    /// would enlarge the box of their cell.
    static func of(_ box: GeoBox) -> UInt64 {
        let height = box.north - box.south
        let size: UInt64 =
            switch height {
            case ..<0.04: 0
            case ..<0.4: 1
            case ..<4: 2
            default: 3
            }
        // The centre of a box over the antimeridian lies beyond 180, next to those before it.
        let x = ((box.west + box.east) / 2 + 180) / 720
        let y = ((box.south + box.north) / 2 + 90) / 180
        return size << 62 | hilbert(steps(x), steps(y))
    }

    /// Bits of each coordinate: steps of at most 76 m.
    private static let bits: UInt64 = 20

    private static func steps(_ fraction: Double) -> UInt64 {
        let most = Double((1 << bits) - 1 as UInt64)
        return UInt64(max(0, min(fraction * most, most)))
    }

    /// The distance along the curve, as in Wikipedia's "Hilbert curve" (xy2d).
    private static func hilbert(_ column: UInt64, _ row: UInt64) -> UInt64 {
        var (x, y) = (column, row)
        var distance: UInt64 = 0
        var bit = bits
        let most: UInt64 = (1 << bits) - 1
        while bit > 0 {
            bit -= 1
            let right = x >> bit & 1
            let upper = y >> bit & 1
            distance = distance << 2 | ((3 &* right) ^ upper)
            guard upper == 0 else { continue }
            if right == 1 {
                x = most &- x & most
                y = most &- y & most
            }
            (x, y) = (y, x)
        }
        return distance
    }
}
