import Model
import Time

/// What is kept for all hazards: the vehicle as it travels now, and which stages were announced.
struct Approaches: Sendable {
    var vehicle: Vehicle
    var announcer = Announcer()

    /// By which they are judged, where the route has that bearing.
    func rules(_ settings: ApproachSettings, _ route: RouteBearing?) -> ApproachRules {
        var rules = ApproachRules(settings: settings, vehicle: vehicle)
        rules.route = route
        return rules
    }

    /// A re-base: translates the stored receiver times to the new time base.
    mutating func shift(by span: TimeSpan) { announcer.shift(by: span) }
}
