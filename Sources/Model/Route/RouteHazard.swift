/// A hazard that a route leads to.
package struct RouteHazard: Hashable, Sendable {
    /// Id of the fence.
    package var hazard: String
    /// Title of the fence; empty where it has none.
    package var title: String
    /// Metres from the start of the route.
    package var along: Double
    /// How the vehicle compares with its limits.
    package var fit: VehicleFit
    /// As an event at the start of the route would say it, without a last way out, which the route does
    /// not take; nil unless the vehicle breaks a limit.
    package var details: ApproachDetails?

    package init(
        hazard: String, title: String, along: Double, fit: VehicleFit, details: ApproachDetails?
    ) {
        self.hazard = hazard
        self.title = title
        self.along = along
        self.fit = fit
        self.details = details
    }
}
