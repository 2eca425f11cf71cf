package import Bytes
import Model
package import Time

/// Why a route has ended.
package enum RouteEnd: UInt8, CaseIterable, Sendable {
    /// The vehicle has come to its end.
    case arrived = 1
    /// The vehicle was off it for too long.
    case left = 2
    /// It was set too long ago.
    case expired = 3
    /// The machine was started again, and it was not to be kept.
    case restarted = 4
    /// Somebody has cleared it.
    case cleared = 5

    /// The name in the property `RouteState`.
    package var name: String {
        switch self {
        case .arrived: "arrived"
        case .left: "left"
        case .expired: "expired"
        case .restarted: "restarted"
        case .cleared: "cleared"
        }
    }
}

/// What is kept of a route beside its line. Valid for one boot, for its times are monotonic.
package struct RouteProgress: Hashable, Sendable {
    /// ``Route/number``
    package var number: UInt64
    /// When it ends at the latest.
    package var deadline: Uptime
    /// What the odometer showed when it was set, m.
    package var drivenBefore: Double
    /// The vehicle is off the route.
    package var away: Away?
    /// It has ended.
    package var end: RouteEnd?
    /// Arrival of the fix that changed this last: one that arrived before does not change it.
    package var asOf: Uptime

    /// Off the route.
    package struct Away: Hashable, Sendable {
        /// Arrival of the first such fix; of the first after the vehicle has stood.
        package var since: Uptime
        /// What the odometer showed at the first, m.
        package var metres: Double

        package init(since: Uptime, metres: Double) {
            self.since = since
            self.metres = metres
        }
    }

    package init(number: UInt64, deadline: Uptime, drivenBefore: Double, asOf: Uptime) {
        self.number = number
        self.deadline = deadline
        self.drivenBefore = drivenBefore
        self.asOf = asOf
    }
}

/// A route that counts, and what is kept of it.
package struct FollowedRoute: Hashable, Sendable {
    /// Its line.
    package let route: Route
    /// After the last judged fix.
    package internal(set) var progress: RouteProgress
    /// The edge of the line on which the vehicle was last: where it is looked for first.
    var hint = 0
    /// Where the hazards that it is coming to are on it.
    var hazards = HazardPlaces()

    package init(_ route: Route, _ progress: RouteProgress) {
        self.route = route
        self.progress = progress
    }

    package static func == (a: FollowedRoute, b: FollowedRoute) -> Bool {
        a.route == b.route && a.progress == b.progress
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(progress) }
}

// MARK: - Bytes

extension RouteProgress: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(number)
        writer.write(deadline)
        writer.write(drivenBefore)
        writer.write(away) { writer, away in
            writer.write(away.since)
            writer.write(away.metres)
        }
        writer.write(end) { $0.write($1.rawValue) }
        writer.write(asOf)
    }

    package init(from reader: inout ByteReader) throws {
        number = try reader.read()
        deadline = try reader.readUptime()
        drivenBefore = try reader.readDouble()
        away = try reader.readOptional { reader in
            Away(since: try reader.readUptime(), metres: try reader.readDouble())
        }
        end = try reader.readOptional { try $0.readCase() }
        asOf = try reader.readUptime()
    }
}
