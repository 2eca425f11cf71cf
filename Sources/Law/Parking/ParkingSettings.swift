package import Time

/// Section 12 of the law.
package struct ParkingSettings: Hashable, Sendable {
    /// How far the vehicle may move from where it was parked, in addition to the error of that
    /// place, m.
    package var radius = 50.0
    /// How long the vehicle must be found elsewhere after a hole in the fixes.
    package var hold = TimeSpan.seconds(120)

    package init() {}
}
