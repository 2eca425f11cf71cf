import Model
import Time

/// What is kept for all hazards: the vehicle as it travels now, and which stages were announced.
struct Approaches: Sendable {
    var vehicle: Vehicle
    var announcer = Announcer()

    /// A re-base: translates the stored receiver times to the new time base.
    mutating func shift(by span: TimeSpan) { announcer.shift(by: span) }
}
