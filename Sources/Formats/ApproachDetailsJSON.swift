package import JSON
package import Model

/// What an event says of an approach, as one JSON object: in the event's JSON, in the journal, and
/// as `a{sv}` on the bus. Members without a value are left out.
extension ApproachDetails {
    /// The object; `event` is the kind of the event that it belongs to, for the text.
    package func json(of event: EventKind) -> JSONValue {
        var members: [JSONMember] = []
        func add(_ key: String, _ text: String?) {
            if let text, !text.isEmpty { members.append(JSONMember(key, .string(text))) }
        }
        func add(_ key: String, _ number: Double?) {
            if let number { members.append(JSONMember(key, JSONValue(number))) }
        }
        add("limit", kind.name)
        add("limit_\(kind.unit)", limit)
        add("sign", sign)
        add("limit_basis", basis.name)
        add("limit_date", date)
        add("limit_source", source)
        add("condition", condition)
        if isDoubtful { members.append(JSONMember("doubtful", true)) }
        add("vehicle_\(kind.unit)", vehicle)
        add("vehicle", certainty.name)
        add("margin_\(kind.unit)", margin)
        add("short_by_\(kind.unit)", shortBy)
        add("to_go_m", toGo)
        add("to_go_s", toGoTime)
        add("to_escape_m", toEscape)
        if let escape {
            add("escape_road", escape.road)
            add("escape_side", escape.side?.name)
        }
        add("road", road)
        add("chance", chance)
        add("basis", way.name)
        if let group { members.append(JSONMember("group", .number(JSONNumber(Int64(group))))) }
        add("text", text(of: event))
        return .object(members)
    }

    /// Reads what ``json(of:)`` gave; nil for anything else. Members that are not known are
    /// ignored.
    package init?(json: JSONValue) {
        guard let kind = Limits.Kind.allCases.first(where: { $0.name == json["limit"]?.string }),
            let vehicle = json["vehicle_\(kind.unit)"]?.double,
            let toGo = json["to_go_m"]?.double
        else { return nil }
        func text(_ key: String) -> String { json[key]?.string ?? "" }
        self.init(
            kind: kind, limit: json["limit_\(kind.unit)"]?.double, sign: text("sign"),
            basis: Limits.Basis.allCases.first { $0.name == text("limit_basis") } ?? .unknown,
            date: text("limit_date"), source: text("limit_source"), condition: text("condition"),
            isDoubtful: json["doubtful"]?.bool ?? false, vehicle: vehicle,
            certainty: Vehicle.Certainty.allCases.first { $0.name == text("vehicle") }
                ?? .unconfirmed,
            margin: json["margin_\(kind.unit)"]?.double ?? 0,
            shortBy: json["short_by_\(kind.unit)"]?.double, toGo: toGo,
            toGoTime: json["to_go_s"]?.double, toEscape: json["to_escape_m"]?.double,
            road: text("road"), chance: json["chance"]?.double,
            way: Way.allCases.first { $0.name == text("basis") } ?? .corridor,
            group: json["group"]?.integer.flatMap(UInt32.init(exactly:)))
        let side = Approach.Escape.Side.allCases.first { $0.name == text("escape_side") }
        if side != nil || !text("escape_road").isEmpty {
            escape = Approach.Escape(road: text("escape_road"), side: side)
        }
    }
}
