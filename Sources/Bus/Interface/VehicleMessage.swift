package import Engine
package import Systemd
import Time

// The vehicle and what is ahead of it, as `a{sv}`.

extension BusValue {
    /// The property `Vehicle`. What is not known is left out; without `height_m` nobody has set
    /// one, and `assumed_height_m` is used.
    package static func vehicle(
        _ vehicle: Vehicle, certainty: Vehicle.Certainty, assumedHeight: Double,
        statedHeight: Double?, profiles: [String]
    ) -> BusValue {
        var entries: [(String, BusValue)] = []
        for kind in Limits.Kind.allCases {
            if let value = vehicle[kind] { entries.append((kind.vehicleKey, .double(value))) }
        }
        if vehicle.height == nil { entries.append(("assumed_height_m", .double(assumedHeight))) }
        if let statedHeight { entries.append(("stated_height_m", .double(statedHeight))) }
        entries.append(("certainty", .string(certainty.name)))
        entries.append(("profile", .string(vehicle.profile)))
        entries.append(("profiles", .strings(profiles)))
        entries.append(("set_by", .string(vehicle.setBy)))
        for (key, time) in [("set_at", vehicle.setAt), ("confirmed_at", vehicle.confirmedAt)] {
            // 0 stands for a height that need not be confirmed.
            guard let time, time.nanoseconds > 0 else { continue }
            entries.append((key, .uint64(time.microseconds)))
        }
        return .dictionary(entries)
    }

    /// One element of the property `Ahead`. The names are those of the event's fields.
    package static func ahead(_ ahead: Ahead) -> BusValue {
        let details = ahead.details
        var entries: [(String, BusValue)] = [
            ("hazard", .string(ahead.hazard)), ("title", .string(ahead.title)),
            ("stage", .string(ahead.stage?.kind.name ?? "")),
            ("kind", .string(details.kind.name)), ("basis", .string(details.way.name)),
            ("limit_basis", .string(details.basis.name)), ("sign", .string(details.sign)),
            ("vehicle", .double(details.vehicle)),
            ("certainty", .string(details.certainty.name)), ("to_go_m", .double(details.toGo)),
            ("road", .string(details.road)),
        ]
        let numbers: [(String, Double?)] = [
            ("limit", details.limit), ("short_by", details.shortBy), ("to_go_s", details.toGoTime),
            ("to_escape_m", details.toEscape), ("chance", details.chance),
        ]
        for case (let key, let number?) in numbers { entries.append((key, .double(number))) }
        if let escape = details.escape {
            entries.append(("escape_road", .string(escape.road)))
            entries.append(("escape_side", .string(escape.side?.name ?? "")))
        }
        return .dictionary(entries)
    }
}
