package import JSON

extension JSONWriter {
    /// A hazard with its approach as a GeoJSON Feature, which geofenced imports.
    package mutating func write(_ hazard: Hazard, _ approach: Approach) {
        beginFeature(hazard.id)
        key("geometry")
        beginObject()
        key("type")
        string("MultiLineString")
        key("coordinates")
        lines(approach.legs.map(\.points))
        endObject()
        key("properties")
        beginObject()
        write(hazard, approach: "corridor")
        key("legs")
        beginArray()
        for leg in approach.legs { write(leg) }
        endArray()
        key("section")
        lines(approach.section)
        key("rivals")
        lines(approach.rivals)
        endObject()
        endObject()
    }

    /// A hazard as a point, to which no road is known.
    /// - Parameter direction: of travel, degrees from north; nil: both.
    package mutating func write(_ hazard: Hazard, at point: RoadPoint, direction: Double?) {
        beginFeature(hazard.id)
        key("geometry")
        beginObject()
        key("type")
        string("Point")
        key("coordinates")
        write(point)
        endObject()
        key("properties")
        beginObject()
        write(hazard, approach: "cone")
        if let direction {
            key("direction_deg")
            number(direction, decimals: 1)
        }
        endObject()
        endObject()
    }

    private mutating func beginFeature(_ id: String) {
        beginObject()
        key("type")
        string("Feature")
        key("id")
        string(id)
    }

    /// What both forms of approach have.
    private mutating func write(_ hazard: Hazard, approach: String) {
        key("title")
        string(hazard.title)
        key("approach")
        string(approach)
        if let hours = hazard.limit.hours { member("active", hours) }
        key("limits")
        beginObject()
        let limit = hazard.limit
        if let value = limit.value {
            key(limit.kind.property)
            number((value * 10_000).rounded() / 10_000)
        } else {
            key("kind")
            string(limit.kind.rawValue)
        }
        if !limit.sign.isEmpty { member("sign", limit.sign) }
        member("basis", limit.basis.rawValue)
        if let date = hazard.date { member("date", date) }
        member("source", hazard.source)
        if let condition = limit.condition { member("condition", condition) }
        if limit.doubt != nil {
            key("doubtful")
            bool(true)
        }
        endObject()
    }

    private mutating func write(_ leg: Leg) {
        beginObject()
        key("end_m")
        number(leg.end, decimals: 1)
        key("chance")
        number(leg.chance)
        key("next")
        if let next = leg.next { integer(next) } else { null() }
        if let escape = leg.escape {
            key("escape_m")
            number(escape.metres, decimals: 1)
        }
        if let turn = leg.turn {
            key("turn")
            beginArray()
            number(turn.metres, decimals: 1)
            number(turn.angle.rounded())
            endArray()
        }
        if leg.isCut {
            key("cut")
            bool(true)
        }
        if !leg.road.isEmpty { member("road", leg.road) }
        if let escape = leg.escape {
            key("escape")
            beginObject()
            if !escape.road.isEmpty { member("road", escape.road) }
            member("side", escape.side.rawValue)
            endObject()
        }
        endObject()
    }

    private mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    private mutating func lines(_ lines: [[RoadPoint]]) {
        beginArray()
        for line in lines {
            beginArray()
            for point in line { write(point) }
            endArray()
        }
        endArray()
    }

    private mutating func write(_ point: RoadPoint) {
        beginArray()
        number(Double(point.longitude) / 1e7, decimals: 7)
        number(Double(point.latitude) / 1e7, decimals: 7)
        endArray()
    }
}
