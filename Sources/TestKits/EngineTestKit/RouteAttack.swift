package import Geodesy
package import Model

/// A hazard and a route that meet as often as can be: its legs and sections lie upon each other, and the
/// route runs over them again and again.
package enum RouteAttack {
    /// Under a bridge, from the west.
    /// - Parameters:
    ///   - ends: legs without `next`, each a kilometre long.
    ///   - sections: lines of the restricted section, of 20 m.
    package static func hazard(
        _ id: String = "attack", ends: Int, sections: Int, at place: Coordinate,
        limit: Double = 3
    ) throws -> Fence {
        let leg = [place.moved(by: 1_000, toward: 270), place]
        let section = [place, place.moved(by: 20, toward: 90)]
        let lines =
            Array(repeating: leg, count: ends) + Array(repeating: section, count: sections)
        return Fence(
            id: id, area: try Area(.lines(lines, width: 2 * Approach.reach)),
            approach: Approach(
                limits: Limits([.height: limit], basis: .signed),
                course: .legs(
                    Array(
                        repeating: Approach.Leg(endToGo: 0, chance: 0.5, escapeToGo: 300),
                        count: ends))))
    }

    /// From 2 km before the bridge, and then through it and back beside it.
    package static func route(passes: Int, at place: Coordinate) -> [Coordinate] {
        func at(_ east: Double, _ north: Double) -> Coordinate {
            place.moved(by: abs(east), toward: east < 0 ? 270 : 90)
                .moved(by: abs(north), toward: north < 0 ? 180 : 0)
        }
        let round = [at(-300, 0), at(100, 0), at(100, 200), at(-300, 200)]
        return [at(-2_000, 0)] + (0..<passes).flatMap { _ in round }
    }
}
