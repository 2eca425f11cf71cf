import GeoJSON
package import Geodesy
package import JSON
package import Model

/// The approach of a fence as the members of a JSON object: among the properties of a GeoJSON
/// Feature, and as one text on the bus. The lines of the legs are not in it but in the geometry.
package enum ApproachJSON {
    /// The members, in the order of output.
    package static let keys = [
        "approach", "direction_deg", "limits", "legs", "section", "rivals",
    ]

    /// Whether an object with this value of `approach` is an approach.
    package static func isApproach(_ json: JSONValue) -> Bool {
        json.string == "corridor" || json.string == "cone"
    }

    /// Writes the members into the object that has been begun.
    static func write(_ approach: Approach, of area: Area, to writer: inout JSONWriter) {
        writer.key("approach")
        switch approach.course {
        case .cone(let direction):
            writer.string("cone")
            if let direction {
                writer.key("direction_deg")
                writer.number(direction)
            }
        case .legs: writer.string("corridor")
        }
        writer.key("limits")
        writer.value(json(approach.limits))
        let legs = approach.legs
        guard !legs.isEmpty, case .lines(let lines, _) = area.geometry else { return }
        writer.key("legs")
        writer.value(.array(legs.map(json)))
        writer.key("section")
        writer.write(Array(lines[min(legs.count, lines.count)...]))
        writer.key("rivals")
        writer.write(approach.rivals)
    }

    /// The members as the text of one object.
    package static func text(_ approach: Approach, of area: Area) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        write(approach, of: area, to: &writer)
        writer.endObject()
        return writer.text
    }

    /// The lines of the legs alone, as the geometry of a Feature; that of the area for a cone.
    package static func geometry(_ approach: Approach, of area: Area) -> Geometry {
        guard case .lines(let lines, let width) = area.geometry else { return area.geometry }
        return .lines(Array(lines.prefix(approach.legs.count)), width: width)
    }

    private static func json(_ limits: Limits) -> JSONValue {
        var members: [JSONMember] = []
        func add(_ key: String, _ text: String) {
            if !text.isEmpty { members.append(JSONMember(key, .string(text))) }
        }
        for kind in limits.kinds {
            members.append(JSONMember(kind.vehicleKey, JSONValue(limits[kind] ?? .nan)))
        }
        if !limits.basis.hasNumber { add("kind", limits.unnumbered.name) }
        add("sign", limits.sign)
        add("basis", limits.basis.name)
        add("date", limits.date)
        add("source", limits.source)
        add("condition", limits.condition)
        if limits.isDoubtful { members.append(JSONMember("doubtful", true)) }
        return .object(members)
    }

    private static func json(_ leg: Approach.Leg) -> JSONValue {
        var members = [
            JSONMember("end_m", JSONValue(leg.endToGo)),
            JSONMember("chance", JSONValue(leg.chance)),
            JSONMember("next", leg.next.map { .number(JSONNumber(Int64($0))) } ?? .null),
        ]
        if let escape = leg.escapeToGo { members.append(JSONMember("escape_m", JSONValue(escape))) }
        if let turn = leg.turn {
            members.append(
                JSONMember("turn", .array([JSONValue(turn.toGo), JSONValue(turn.angle)])))
        }
        if leg.isCut { members.append(JSONMember("cut", true)) }
        if !leg.road.isEmpty { members.append(JSONMember("road", .string(leg.road))) }
        if let escape = leg.escape {
            var way = [JSONMember("road", .string(escape.road))]
            if let side = escape.side { way.append(JSONMember("side", .string(side.name))) }
            members.append(JSONMember("escape", .object(way)))
        }
        return .object(members)
    }
}

/// Why an approach cannot be read.
package struct ApproachFlaw: Error, CustomStringConvertible {
    /// A phrase without a full stop.
    package let description: String

    init(_ description: String) { self.description = description }
}
