/// Section 12 of the law.
package struct ParkingSettings: Hashable, Sendable {
    /// How far the vehicle may move from where it was parked, in addition to the error of that
    /// place, m.
    package var radius = 50.0

    package init() {}
}
