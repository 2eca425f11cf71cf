import JSON
import Model
import Time

extension StoredVehicle {
    /// One object and a newline, for people too.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("profile")
        writer.string(vehicle.profile)
        for kind in Limits.Kind.allCases {
            guard let value = vehicle[kind] else { continue }
            writer.key(kind.vehicleKey)
            writer.number(value, decimals: 3)
        }
        if let tallest {
            writer.key("tallest_m")
            writer.number(tallest, decimals: 3)
        }
        writer.key("set_by")
        writer.string(vehicle.setBy)
        for (key, time) in [("set_at", vehicle.setAt), ("confirmed_at", vehicle.confirmedAt)] {
            guard let time else { continue }
            writer.key(key)
            writer.integer(time.nanoseconds)
        }
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }

    /// Nil for anything that is not such an object with values in their ranges.
    init?(json bytes: [UInt8]) {
        guard let json = try? JSONValue(parsing: bytes), json.object != nil,
            let profile = json["profile"]?.string, let setBy = json["set_by"]?.string
        else { return nil }
        var vehicle = Vehicle(profile: profile, setBy: setBy)
        for kind in Limits.Kind.allCases {
            guard let number = json[kind.vehicleKey] else { continue }
            guard let value = number.double, Vehicle.flaw(value, of: kind) == nil else {
                return nil
            }
            vehicle[kind] = value
        }
        vehicle.setAt = json["set_at"]?.integer.map(UTCTime.init(nanoseconds:))
        vehicle.confirmedAt = json["confirmed_at"]?.integer.map(UTCTime.init(nanoseconds:))
        self.init(vehicle: vehicle)
        guard let number = json["tallest_m"] else { return }
        guard let value = number.double, Vehicle.flaw(value, of: .height) == nil else {
            return nil
        }
        tallest = value
    }
}
