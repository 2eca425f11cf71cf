/// How fast the vehicle was at a fix.
package struct SpeedReading: Hashable, Sendable {
    /// m/s
    var value: Double
    /// The error, ± m/s.
    var error: Double
}
