import JSON

/// What remains of an event that is longer than its destination takes.
extension EventFormat {
    /// Members that an event can do without, in the order of the fleet's JSON. Which of them were
    /// there is said in ``cut``.
    private static let dispensable = ["title", "approach", "terms", "meta"]
    /// Names of what was left out, for people.
    private static let cut = "cut"

    /// The event without what it can do without; of one that was shortened already, its number alone,
    /// as a gap. Nil: there is nothing shorter.
    package func shorter(_ body: [UInt8]) -> [UInt8]? {
        guard let json = try? JSONValue(parsing: body) else { return nil }
        let found: [UInt8]?
        switch self {
        case .fleet: found = Self.shorterData(json).map { Array($0.text.utf8) } ?? gap(of: json)
        case .cloudEvents:
            guard let data = json["data"] else { return nil }
            if let shorter = Self.shorterData(data) {
                let members = (json.object ?? []).map {
                    $0.key == "data" ? JSONMember("data", shorter) : $0
                }
                found = Array(JSONValue.object(members).text.utf8)
            } else {
                found = gap(of: data)
            }
        case .ownTracks, .entity: found = nil
        }
        return found.flatMap { $0.count < body.count ? $0 : nil }
    }

    private static func shorterData(_ json: JSONValue) -> JSONValue? {
        guard let members = json.object, json[cut] == nil else { return nil }
        let names = dispensable.filter { json[$0] != nil }
        guard !names.isEmpty else { return nil }
        let kept = members.filter { !names.contains($0.key) }
        return .object(kept + [JSONMember(cut, .array(names.map { .string($0) }))])
    }

    /// Of the fleet's JSON of an event.
    private func gap(of json: JSONValue) -> [UInt8]? {
        guard let log = json["log"]?.string, let previous = json["prev"]?.integer,
            let last = json["seq"]?.integer, let kind = json["kind"]?.string, kind != "gap",
            let before = UInt64(exactly: previous), let number = UInt64(exactly: last)
        else { return nil }
        return gap(log: log, previous: before, last: number)
    }
}
