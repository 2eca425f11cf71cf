package import Engine
import Formats
package import Systemd
import Time

/// An event as D-Bus has it: `t seq, s fence, u kind, a{sv} details`.
///
/// The details are those of ``EventField/all``, named as in the event's JSON, except that times and
/// lengths of time (`time`, `fix_time`, `stay`) are `t` in microseconds; what JSON says as null is
/// left out. Without
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
        var options: [BusOption] = []
        options.reserveCapacity(EventField.all.count + 1)
        for field in EventField.all {
            guard let key = field.bus,
                let value = field.value(of: logged, withLocation: withLocation)
            else { continue }
            options.append(BusOption(key, BusValue(value)))
        }
        if let log { options.append(BusOption("log", .string(log))) }
        return .options(options)
    }
}

extension BusValue {
    fileprivate init(_ value: EventValue) {
        self =
            switch value {
            case .text(let text): .string(text)
            case .flag(let flag): .bool(flag)
            case .integer(let number): .uint64(number)
            case .real(let number, _): .double(number)
            case .time(let time): .uint64(time.microseconds)
            case .span(let span): .uint64(UInt64(max(0, span.nanoseconds)) / 1000)
            case .presence(let presence): .uint32(presence.rawValue)
            case .metadata(let object): BusValue(metadata: object)
            }
    }
}
