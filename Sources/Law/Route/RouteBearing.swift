package import Geodesy

/// Where the vehicle is on its route at a fix.
package struct RouteBearing: Hashable, Sendable {
    /// The one that it is on.
    package let route: Route
    /// Its places on the route, metres from the start; none off it.
    let places: [Double]
    let offRoute: RouteSettings.OffRoute
    /// Where the hazards are on it that the vehicle is coming to.
    package var hazards: HazardPlaces

    /// At a fix that lies on the route at `places`.
    /// - Parameter left: metres since the first of the fixes off the route, if there are none.
    package init?(
        _ route: Route, _ places: [DirectedLine.Place], left: Double?,
        _ offRoute: RouteSettings.OffRoute, _ hazards: HazardPlaces
    ) {
        guard !places.isEmpty || offRoute == .urgent && left ?? .infinity < Self.leaving else {
            return nil
        }
        self.route = route
        self.places = places.map(\.along)
        self.offRoute = offRoute
        self.hazards = hazards
    }

    /// So far off the route it still says what is not on it: in a turn the course lags behind, m.
    private static let leaving = 50.0
}

extension RouteBearing {
    /// Metres along the route from a place to a hazard: of all pairs the one that is nearest to `s`; nil
    /// where there is none.
    /// - Parameter hazard: where it is on the route; ascending, as the places are.
    func way(to hazard: [Double], near s: Double) -> Double? {
        var best: Double?
        // The first place from which it is s or less: as the hazard's places rise, so does this one.
        var next = 0
        for metres in hazard {
            while next < places.count, metres - places[next] > s { next += 1 }
            for place in max(next - 1, 0)..<min(next + 1, places.count) {
                let way = metres - places[place]
                if (way - s).magnitude < best.map({ ($0 - s).magnitude }) ?? .infinity {
                    best = way
                }
            }
        }
        return best
    }

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
