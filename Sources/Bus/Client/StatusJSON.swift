import Formats
import Geodesy
package import JSON
import Model
import Time

// What the daemon says as JSON: for the tool, and for programs that show it.

extension DaemonStatus {
    /// The object of `geofencectl --json status`.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        for (key, name) in [
            ("version", "Version"), ("state", "State"), ("source", "Source"),
            ("position_state", "PositionState"),
        ] {
            json.key(key)
            json.string(text(name))
        }
        if isUncertain {
            json.key("uncertain")
            json.bool(true)
        }
        json.key("degraded")
        json.beginArray()
        for trouble in degraded { json.string(trouble) }
        json.endArray()
        json.key("fix")
        writeFix(to: &json)
        json.key("accepted")
        json.integer(counters.accepted)
        json.key("refused")
        json.beginObject()
        for (reason, count) in counters.refused {
            json.key(reason)
            json.integer(count)
        }
        json.endObject()
        json.key("odometer_m")
        json.optional(odometer, decimals: 1)
        json.key("wheels")
        json.optional(wheels)
        json.key("vehicle_odometer_m")
        json.optional(vehicleOdometer, decimals: 1)
        json.key("regions")
        json.integer(regions.count)
        json.key("window_size")
        json.integer(number("WindowSize"))
        json.key("metafence_m")
        json.optional(metafenceRadius, decimals: 1)
        for (key, name) in [
            ("fences", "FenceCount"), ("generation", "Generation"), ("oldest_seq", "OldestSeq"),
            ("last_seq", "LastSeq"),
        ] {
            json.key(key)
            json.integer(number(name))
        }
        for (key, name) in [("beacon_state", "BeaconState"), ("beacon_reason", "BeaconReason")] {
            json.key(key)
            json.string(text(name))
        }
        json.key("vehicle")
        if let vehicle { vehicle.write(to: &json) } else { json.null() }
        json.key("route_state")
        json.string(text("RouteState"))
        json.key("ahead")
        json.beginArray()
        for hazard in ahead { hazard.write(to: &json) }
        json.endArray()
        json.key("last_event")
        if let lastEvent { EventJSON.write(lastEvent, to: &json) } else { json.null() }
        json.endObject()
    }

    /// What the caller may read of the last fix; its time at least.
    private func writeFix(to json: inout JSONWriter) {
        guard number("LastFixTimestamp") > 0 else { return json.null() }
        json.beginObject()
        json.key("time")
        json.string(UTCTime(microseconds: number("LastFixTimestamp")).iso8601)
        if let position {
            position.writePlace(to: &json)
            json.key("speed_mps")
            json.optional(position.speed, decimals: 1)
            json.key("course_deg")
            json.optional(position.course, decimals: 1)
        }
        json.endObject()
    }
}

extension KnownPosition {
    /// The members `latitude`, `longitude` and `error_m`, with the decimals of the event's JSON.
    package func writePlace(to json: inout JSONWriter) {
        json.key("latitude")
        json.number(coordinate.latitude, decimals: 7)
        json.key("longitude")
        json.number(coordinate.longitude, decimals: 7)
        json.key("error_m")
        json.number(error, decimals: 1)
    }
}

extension KnownRegion {
    /// `{"rank":…,"id":…,"distance_m":…,"presence":…}`
    package func write(rank: Int, to json: inout JSONWriter) {
        json.beginObject()
        json.key("rank")
        json.integer(rank)
        json.key("id")
        json.string(id)
        json.key("distance_m")
        json.optional(distance, decimals: 1)
        json.key("presence")
        json.string(presence.presence.name)
        if presence.isUncertain {
            json.key("uncertain")
            json.bool(true)
        }
        json.endObject()
    }
}

extension Ahead {
    /// `{"hazard":…,"title":…,"stage":…,"on_route":…,"approach":{…}}`
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("hazard")
        json.string(hazard)
        json.key("title")
        json.string(title)
        json.key("stage")
        if let stage { json.string(stage.kind.name) } else { json.null() }
        json.key("on_route")
        json.bool(isOnRoute)
        json.key("approach")
        json.value(details.json(of: stage?.kind ?? .advisory))
        json.endObject()
    }
}

extension KnownVehicle {
    /// The members of the property, times as text.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        for kind in Limits.Kind.allCases {
            json.key(kind.vehicleKey)
            json.optional(vehicle[kind], decimals: 3)
        }
        json.key("assumed_height_m")
        json.optional(vehicle.height == nil ? assumedHeight : nil, decimals: 3)
        json.key("stated_height_m")
        json.optional(statedHeight, decimals: 3)
        json.key("certainty")
        json.string(certainty.name)
        json.key("profile")
        json.string(vehicle.profile)
        json.key("profiles")
        json.beginArray()
        for profile in profiles { json.string(profile) }
        json.endArray()
        json.key("companions")
        json.beginArray()
        for companion in companions { json.string(companion.id) }
        json.endArray()
        json.key("set_by")
        json.string(vehicle.setBy)
        for (key, time) in [("set_at", vehicle.setAt), ("confirmed_at", vehicle.confirmedAt)] {
            json.key(key)
            if let time { json.string(time.iso8601) } else { json.null() }
        }
        json.endObject()
    }
}
