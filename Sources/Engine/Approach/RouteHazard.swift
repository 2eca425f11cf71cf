import Geodesy
package import Time

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

extension ApproachRules {
    /// Where the route leads to that fence, with what the vehicle would be told there; empty where it
    /// does not, or the fence is no hazard.
    /// - Parameter time: UTC now.
    package func hazards(on route: Route, at entry: CatalogueEntry, time: UTCTime) -> [RouteHazard]
    {
        guard let approach = entry.approach else { return [] }
        let fit = fit(approach.limits)
        let last = approach.legs.firstIndex { $0.next == nil } ?? 0
        let place = ApproachProgress.Place(leg: last, toGo: 0, speed: 0)
        var details = shortfall(approach.limits).map {
            self.details(approach, $0, at: place, on: time)
        }
        details?.toEscape = nil
        details?.chance = nil
        return route.metres(to: approach, entry.area.geometry).map { along in
            details?.toGo = (along * 10).rounded() / 10
            return RouteHazard(
                hazard: entry.id, title: entry.fence.title, along: along, fit: fit,
                details: details)
        }
    }
}
