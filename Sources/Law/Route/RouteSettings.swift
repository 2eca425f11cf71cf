package import Time

/// Section 16 of the law: what a route changes, and when it ends.
package struct RouteSettings: Hashable, Sendable {
    /// What is told of hazards that are not on the route, while the vehicle is on it.
    package enum OffRoute: String, CaseIterable, Sendable {
        /// The same as without a route.
        case asToday = "as-today"
        /// Only `urgent`.
        case urgent
    }

    /// What is told of hazards that are not on it.
    package var offRoute = OffRoute.asToday
    /// It ends when the vehicle has been driven that far off it, m.
    package var leftWay = 2_000.0
    /// Or for that long.
    package var leftAfter = TimeSpan.seconds(300)
    /// It ends that long after it was set.
    package var lifetime = TimeSpan.seconds(12 * 3_600)

    package init() {}
}
