package import Geodesy

/// Where the vehicle is on its route at a fix.
package struct RouteBearing: Hashable, Sendable {
    let route: Route
    /// The least metres from the start of the route to a place of the vehicle.
    let from: Double
    let offRoute: RouteSettings.OffRoute

    /// At a fix that lies on the route at `places`, at least one.
    package init?(
        _ route: Route, _ places: [DirectedLine.Place], _ offRoute: RouteSettings.OffRoute
    ) {
        guard let first = places.first else { return nil }
        self.route = route
        from = first.along
        self.offRoute = offRoute
    }
}

extension RouteBearing {
    /// How far beyond a fence the end of a route that leads there may be, m: it ends at the gate, or in
    /// the street before it.
    private static let reach = 100.0

    /// Metres left of the route, if it ends in that fence or beside it.
    func metres(toEndAt entry: CatalogueEntry) -> Double? {
        guard let end = route.line.positions.last,
            entry.signedDistance(to: SurfacePoint(end)) <= Self.reach
        else { return nil }
        return route.line.length - from
    }
}
