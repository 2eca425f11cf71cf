import Formats
import JSON
package import Model
package import Systemd
import Time

// The vehicle and what is ahead of it, as `a{sv}`.

extension BusValue {
    /// The property `Vehicle`. What is not known is left out; without `height_m` nobody has set
    /// one, and `assumed_height_m` is used.
    package static func vehicle(
        _ vehicle: Vehicle, certainty: Vehicle.Certainty, assumedHeight: Double,
        statedHeight: Double?, profiles: [String], hasHazards: Bool
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
        entries.append(("hazards", .bool(hasHazards)))
        entries.append(("set_by", .string(vehicle.setBy)))
        for (key, time) in [("set_at", vehicle.setAt), ("confirmed_at", vehicle.confirmedAt)] {
            // 0 stands for a height that need not be confirmed.
            guard let time, time.nanoseconds > 0 else { continue }
            entries.append((key, .uint64(time.microseconds)))
        }
        return .dictionary(entries)
    }

    /// One element of the property `Ahead`: `hazard`, `title`, `stage` (what has been announced, ""
    /// for nothing yet), and what an event would say of its approach now.
    package static func ahead(_ ahead: Ahead) -> BusValue {
        let details = ahead.details.json(of: ahead.stage?.kind ?? .advisory)
        guard case .options(let rest) = BusValue(metadata: details.text) else {
            return .options([])
        }
        return .options(
            [
                BusOption("hazard", .string(ahead.hazard)),
                BusOption("title", .string(ahead.title)),
                BusOption("stage", .string(ahead.stage?.kind.name ?? "")),
                BusOption("on_route", .bool(ahead.isOnRoute)),
            ] + rest)
    }

    /// One element of `hazards` in the answer of `SetRoute`: `hazard`, `title`, `along_m` (from the
    /// start of the route), `fit` (`breaks`, or `unknown`), and what an event would say of it.
    package static func routeHazard(_ found: RouteHazard) -> BusValue {
        var rest: [BusOption] = []
        if let details = found.details?.json(of: .advisory),
            case .options(let options) = BusValue(metadata: details.text)
        {
            rest = options
        }
        return .options(
            [
                BusOption("hazard", .string(found.hazard)),
                BusOption("title", .string(found.title)),
                BusOption("along_m", .double(found.along)),
                BusOption("fit", .string(found.fit.name)),
            ] + rest)
    }
}
