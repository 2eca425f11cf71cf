import Formats
import JSON
package import Model
package import Systemd
import Time

/// An event on D-Bus: `t seq, s fence, u kind, a{sv} details`.
///
/// The details are those of ``EventField/all``, named as in the event's JSON, except that times and
/// durations (`time`, `fix_time`, `stay`) are `t` in microseconds; values that are null in JSON are
/// left out. Without `withLocation` they contain nothing about the vehicle's position: no
/// `latitude`, `longitude`, `speed_mps`, `course_deg`; nor do they say who drives, which signals never
/// do. `distance_m` stays: the event itself says that the vehicle is at the boundary.
package struct EventMessage {
    private let logged: LoggedEvent
    private let withLocation: Bool
    private let log: String?

    /// - Parameter log: the log that the number belongs to, for readers of more than one; nil in
    ///   signals, which are always of the present log.
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

    /// One element of the answer of `ReadEvents`.
    package var structure: BusValue { .structure(arguments) }

    /// The signature of ``structure``.
    package static let signature = "(tsua{sv})"

    private var details: BusValue {
        var options: [BusOption] = []
        options.reserveCapacity(EventField.all.count + 1)
        for field in EventField.all {
            if case .inLog = field.rule, log == nil { continue }
            guard let key = field.bus,
                let value = field.value(
                    of: logged, withLocation: withLocation,
                    withDriver: withLocation && log != nil)
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
            case .object(let object): BusValue(object) ?? .options([])
            }
    }
}
