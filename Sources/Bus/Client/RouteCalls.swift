package import Geodesy
package import Geofence1
import Systemd

extension DaemonClient {
    /// Sets the route, in portions; polkit may ask the user.
    /// - Parameter positions: valid.
    /// - Returns: the route and the hazards on it.
    package func setRoute(
        _ positions: [Coordinate], name: String, keep: Bool
    ) throws(ClientError) -> ToldRoute? {
        var first = 0
        while true {
            let end = min(first + Geofence1.mostPositionsOfPortion, positions.count)
            let hasMore = end < positions.count
            let answer = try call(
                .setRoute,
                [
                    .array(
                        of: "(dd)",
                        positions[first..<end].map {
                            .structure([.double($0.latitude), .double($0.longitude)])
                        }),
                    .dictionary([
                        ("name", .string(name)), ("keep", .bool(keep)),
                        ("first", .uint32(UInt32(clamping: first))), ("more", .bool(hasMore)),
                    ]),
                ], interactive: true)
            guard hasMore else { return ToldRoute(bus: answer) }
            first = end
        }
    }

    /// The route and the hazards on it; polkit may ask the user.
    package func route() throws(ClientError) -> ToldRoute? {
        ToldRoute(bus: try call(.getRoute, interactive: asksUser))
    }

    /// From now on there is no route; polkit may ask the user.
    package func clearRoute() throws(ClientError) {
        _ = try call(.clearRoute, interactive: true)
    }
}
