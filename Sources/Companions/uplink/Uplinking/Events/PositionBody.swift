import BusClient
package import Geofence1
import JSON
import Time

/// Where the vehicle is, as it leaves it between events; nothing that must arrive.
package enum PositionBody {
    /// `{"v":2,"position":{"time":…,"latitude":…,"longitude":…,"error_m":…}}`, with the names, units and
    /// decimals of the event's JSON.
    package static func bytes(_ position: ToldPosition) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("v")
        json.integer(2)
        json.key("position")
        json.beginObject()
        json.key("time")
        json.string(position.time.iso8601)
        ToldPosition.place.write(position, to: &json)
        if let speed = position.speed {
            json.key("speed_mps")
            json.number(speed, decimals: 1)
        }
        if let course = position.course {
            json.key("course_deg")
            json.number(course, decimals: 1)
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }
}
