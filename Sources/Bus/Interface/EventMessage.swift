package import Engine
import Geodesy
package import Systemd
import Time

/// An event as D-Bus has it: `t seq, s fence, u kind, a{sv} details`.
///
/// The details are named as in the event's JSON, except that times and lengths of time (`time`,
/// `fix_time`, `stay`) are `t` in microseconds; what JSON says as null is left out. Without
/// `withLocation` nothing is in them that says where the vehicle was: no `latitude`, `longitude`,
/// `speed_mps`, `course_deg`. `distance_m` stays: that the vehicle is at the boundary is what the
/// event says anyway.
package struct EventMessage {
    private let logged: LoggedEvent
    private let withLocation: Bool
    private let log: String?

    /// - Parameter log: the log that the number is of, for readers of more than one; nil in signals,
    ///   which are of the present one.
    package init(_ logged: LoggedEvent, withLocation: Bool, log: String? = nil) {
        self.logged = logged
        self.withLocation = withLocation
        self.log = log
    }

    /// The four arguments of `Transition`.
    package var arguments: [BusValue] {
        [
            .uint64(logged.seq), .string(logged.event.fence ?? ""),
            .uint32(logged.event.kind.rawValue), details,
        ]
    }

    /// One element of what `ReadEvents` answers.
    package var structure: BusValue { .structure(arguments) }

    /// The signature of ``structure``.
    package static let signature = "(tsua{sv})"

    private var details: BusValue {
        let event = logged.event
        var options: [BusOption] = []
        options.reserveCapacity(Self.mostDetails)
        func add(_ key: String, _ value: BusValue?) {
            if let value { options.append(BusOption(key, value)) }
        }
        add("time", .uint64(event.time.microseconds))
        add("fix_time", .uint64(event.fixTime.microseconds))
        add("inferred", .bool(event.inferred))
        if event.fence != nil {
            add("title", .string(event.title))
            add("metadata", BusValue(metadata: event.metadata))
        }
        add("presence", event.presence.map { .uint32($0.rawValue) })
        add("reason", event.reason.map { .string($0.name) })
        add("distance_m", event.distance.map { .double($0) })
        add("error_m", event.error.map { .double($0) })
        add("stay", event.stay.map { .uint64(UInt64(max(0, $0.nanoseconds)) / 1000) })
        add("boot_id", logged.bootID.map { .string($0) })
        add("log", log.map { .string($0) })
        if !event.announced { add("announced", .bool(false)) }
        if withLocation {
            add("latitude", event.coordinate.map { .double($0.latitude) })
            add("longitude", event.coordinate.map { .double($0.longitude) })
            add("speed_mps", event.speed.map { .double($0) })
            add("course_deg", event.course.map { .double($0) })
        }
        return .options(options)
    }

    private static let mostDetails = 17
}
