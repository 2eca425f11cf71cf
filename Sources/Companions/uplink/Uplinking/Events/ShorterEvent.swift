import Formats
import JSON

/// What remains of an event that is longer than its destination takes.
extension EventFormat {
    /// Members that an event can do without. Which of them were there is said in ``cut``.
    private static let dispensable = Set(
        EventField.all.filter { $0.form == .object || $0.name == "title" }.map(\.name))
    /// Names of what was left out, for people.
    private static let cut = "cut"

    /// The event without what it can do without; of one that was shortened already, its number alone,
    /// as a gap. Nil: there is nothing shorter.
    package func shorter(_ body: [UInt8]) -> [UInt8]? {
        guard let json = try? JSONValue(parsing: body) else { return nil }
        let found: [UInt8]?
        switch self {
        case .fleet: found = Self.shorter(json).map { Array($0.text.utf8) } ?? gap(of: json)
        case .cloudEvents:
            guard let data = json["data"] else { return nil }
            found =
                Self.shorter(data).map { Array(json.replacing("data", $0).text.utf8) }
                ?? gap(of: data)
        case .ownTracks, .entity, .homeAssistant, .query: found = nil
        }
        return found.flatMap { $0.count < body.count ? $0 : nil }
    }

    /// - Parameter envelope: the fleet's JSON.
    private static func shorter(_ envelope: JSONValue) -> JSONValue? {
        guard let members = envelope["event"]?.object, envelope["event"]?[cut] == nil else {
            return nil
        }
        let names = members.map(\.key).filter(dispensable.contains)
        guard !names.isEmpty else { return nil }
        let kept = members.filter { !dispensable.contains($0.key) }
        let event = kept + [JSONMember(cut, .array(names.map { .string($0) }))]
        return envelope.replacing("event", .object(event))
    }

    /// - Parameter envelope: the fleet's JSON.
    private func gap(of envelope: JSONValue) -> [UInt8]? {
        guard let log = envelope["log"]?.string,
            let previous = envelope["prev"]?.integer.flatMap({ UInt64(exactly: $0) }),
            let last = envelope["event"]?["seq"]?.integer.flatMap({ UInt64(exactly: $0) })
        else { return nil }
        return body(of: .gap, to: last, log: log, previous: previous)
    }
}

extension JSONValue {
    /// An object with another value of that member.
    fileprivate func replacing(_ key: String, _ value: JSONValue) -> JSONValue {
        .object((object ?? []).map { $0.key == key ? JSONMember(key, value) : $0 })
    }
}
