import Bytes
package import Model
package import Time

extension ApproachRules {
    /// What the vehicle would be told of a hazard that a route leads to, each time it comes there.
    /// - Parameters:
    ///   - metres: at which it does, from its start.
    ///   - time: UTC now.
    package func hazards(
        at metres: some Sequence<Double>, _ entry: CatalogueEntry, time: UTCTime
    ) -> [RouteHazard] {
        guard let approach = entry.approach else { return [] }
        let fit = vehicle.fit(approach.limits, assumedHeight: settings.assumedHeight)
        let last = approach.legs.firstIndex { $0.next == nil } ?? 0
        let place = ApproachProgress.Place(leg: last, toGo: 0, speed: 0)
        var details = shortfall(approach.limits).map {
            self.details(approach, $0, at: place, on: time)
        }
        details?.toEscape = nil
        details?.chance = nil
        return metres.map { along in
            details?.toGo = (along * 10).rounded() / 10
            return RouteHazard(
                hazard: entry.id, title: entry.fence.title, along: along, fit: fit,
                details: details)
        }
    }

    /// Runs `body` with a hazard in hand, and with the route, which is left out before it.
    func inHand(_ hazard: String, _ body: () -> Void) {
        guard let route else { return InHand.mark(.fence, hazard, body) }
        route.route.inHand(hazard, body)
    }
}
