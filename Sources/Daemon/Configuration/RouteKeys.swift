import Law
import Settings

extension Settings {
    /// `[Route]`.
    static let routeKeys: [SettingKey<Settings>] = [
        SettingKey(
            "Route", "OffRoute",
            .value(\.engine.route.offRoute, name: "choice", format: \.rawValue) { text in
                guard let choice = RouteSettings.OffRoute(rawValue: text) else {
                    throw BadValue(reason: "not as-today or urgent")
                }
                return choice
            },
            """
            What the driver is told of hazards that are not on his route while he is on it: \
            as-today, the same as without a route; urgent, only what cannot wait.
            """),
        SettingKey(
            "Route", "LeftM", .quantity(.length, \.engine.route.leftWay, 100...100_000),
            "A route ends when the vehicle has been driven this far off it."),
        SettingKey(
            "Route", "LeftSec", .span(\.engine.route.leftAfter, 10...86_400),
            "Or for this long, counted anew when it has stood."),
        SettingKey(
            "Route", "MaxAgeSec", .span(\.engine.route.lifetime, 60...30 * 86_400),
            "A route ends this long after it was set."),
    ]
}
