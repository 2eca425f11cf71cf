import Bytes
import Geodesy
import Model

/// Where the hazards that a vehicle is coming to are on its route: each is looked for once, and
/// forgotten with the next look after the vehicle has left it. It follows from these and the route, and
/// makes no difference between two engines.
package struct HazardPlaces: Hashable, Sendable {
    /// A hazard of a window.
    package struct Hazard {
        let id: String
        let approach: Approach
        let geometry: Geometry

        package init?(_ entry: CatalogueEntry) {
            guard let approach = entry.approach else { return nil }
            id = entry.id
            self.approach = approach
            geometry = entry.area.geometry
        }
    }

    private struct Found {
        /// Kept, so that it is not taken for another one.
        let approach: Approach
        /// Nil where that is not known: together they would take too much.
        let metres: [Double]?
        let steps: Int
    }

    private var found: [ObjectIdentifier: Found] = [:]

    package init() {}

    /// Metres from the start of the route, ascending; nil where they are not known.
    func metres(to approach: Approach) -> [Double]? {
        found[ObjectIdentifier(approach)]?.metres
    }

    /// What those that are known took.
    var steps: Int { found.values.reduce(0) { $0 + $1.steps } }

    /// Whether these are the hazards that it has looked for.
    func isOf(_ hazards: [Hazard]) -> Bool {
        hazards.count == found.count
            && hazards.allSatisfy { found[ObjectIdentifier($0.approach)] != nil }
    }

    /// Looks for those that are new, and forgets others. All of them together take
    /// ``Route/mostSteps``, the small ones first.
    package mutating func find(_ hazards: [Hazard], on route: Route) {
        let before = found
        found = [:]
        var new: [Hazard] = []
        for hazard in hazards {
            let key = ObjectIdentifier(hazard.approach)
            if let known = before[key], known.metres != nil {
                found[key] = known
            } else {
                new.append(hazard)
            }
        }
        var left = Route.mostSteps - steps
        new.sort { $0.approach.ends < $1.approach.ends }
        for hazard in new {
            let had = left
            let metres = route.inHand(hazard.id) {
                route.metres(to: hazard.approach, hazard.geometry, steps: &left)
            }
            found[ObjectIdentifier(hazard.approach)] = Found(
                approach: hazard.approach, metres: metres, steps: metres == nil ? 0 : had - left)
        }
    }

    package static func == (a: Self, b: Self) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

extension Route {
    /// Runs `body` with the route and a hazard in hand: of the two the route is left out first.
    package func inHand<Result>(_ hazard: String, _ body: () -> Result) -> Result {
        InHand.mark(.route, mark) { InHand.mark(.fence, hazard, body) }
    }
}
