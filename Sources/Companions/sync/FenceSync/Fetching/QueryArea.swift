import Glibc

/// A box around the vehicle, in degrees; west is greater than east where it spans 180°.
package struct QueryArea: Hashable, Sendable {
    /// Longitude, −180 to 180.
    package var west: Double
    /// Latitude, −90 to 90.
    package var south: Double
    /// Longitude, −180 to 180.
    package var east: Double
    /// Latitude, −90 to 90.
    package var north: Double

    /// Metres of a degree of latitude, at least (WGS 84, at the equator).
    private static let degree = 110_574.0

    package init(west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// Contains the disc of `radius` m around a position, rounded outwards to `grid` degrees, so
    /// that the position itself is not told; 0 does not round.
    package init(latitude: Double, longitude: Double, radius: Double, grid: Double) {
        let height = radius / Self.degree
        south = Self.down(latitude - height, grid)
        north = Self.up(latitude + height, grid)
        // A degree of longitude is shortest at the edge that is nearer to a pole.
        let edge = min(max(latitude.magnitude + height, 0), 90)
        let shrinking = cos(edge * .pi / 180)
        guard south > -90, north < 90, shrinking > 0.001,
            height / shrinking < 179 - grid
        else {
            (west, east) = (-180, 180)
            south = max(south, -90)
            north = min(north, 90)
            return
        }
        west = Self.wrapped(Self.down(longitude - height / shrinking, grid))
        east = Self.wrapped(Self.up(longitude + height / shrinking, grid))
    }

    /// Whether it spans 180°.
    package var isAcross: Bool { west > east }

    /// What it has on either side of 180°, if it spans it.
    var halves: [QueryArea] {
        var (eastern, western) = (self, self)
        eastern.east = 180
        western.west = -180
        return [eastern, western]
    }

    private static func down(_ value: Double, _ grid: Double) -> Double {
        grid > 0 ? rounded((value / grid).rounded(.down) * grid) : value
    }

    private static func up(_ value: Double, _ grid: Double) -> Double {
        grid > 0 ? rounded((value / grid).rounded(.up) * grid) : value
    }

    /// Without the noise of binary fractions.
    private static func rounded(_ value: Double) -> Double {
        (value * 1e9).rounded() / 1e9
    }

    private static func wrapped(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }
}
