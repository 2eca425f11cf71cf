package import Geodesy

/// Where the vehicle is on its route at a fix.
package struct RouteBearing: Hashable, Sendable {
    let route: Route
    /// Its places on the route, metres from the start; none off it.
    let places: [Double]
    let offRoute: RouteSettings.OffRoute

    /// At a fix that lies on the route at `places`.
    /// - Parameter left: metres since the first of the fixes off the route, if there are none.
    package init?(
        _ route: Route, _ places: [DirectedLine.Place], left: Double?,
        _ offRoute: RouteSettings.OffRoute
    ) {
        guard !places.isEmpty || offRoute == .urgent && left ?? .infinity < Self.leaving else {
            return nil
        }
        self.route = route
        self.places = places.map(\.along)
        self.offRoute = offRoute
    }

    /// So far off the route it still says what is not on it: in a turn the course lags behind, m.
    private static let leaving = 50.0
}

extension RouteBearing {
    /// How far beyond a fence the end of a route that leads there may be, m: it ends at the gate, or in
    /// the street before it.
    private static let reach = 100.0

    /// Metres left of the route, if it ends in that fence or beside it.
    func metres(toEndAt entry: CatalogueEntry) -> Double? {
        guard let from = places.first, let end = route.line.positions.last,
            entry.signedDistance(to: SurfacePoint(end)) <= Self.reach
        else { return nil }
        return route.line.length - from
    }
}
