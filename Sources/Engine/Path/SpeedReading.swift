/// How fast the vehicle was at a fix.
package struct SpeedReading: Hashable, Sendable {
    /// m/s
    var value: Double
    /// m/s, either way.
    var error: Double
}
