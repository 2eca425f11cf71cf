import Fencing
import Geodesy
import JSON

/// The properties of a Feature. What is taken has a meaning; the rest is metadata.
struct GeoJSONProperties {
    private var members: [(key: String, json: String)]

    init(_ members: [(key: String, json: String)]) { self.members = members }

    /// `properties.id`, for a Feature that has none itself.
    mutating func takeID() throws(EntryFlaw) -> String? {
        guard let json = take("id") else { return nil }
        return try Self.identifier(json)
    }

    /// A length that the geometry needs, m.
    mutating func takeLength(_ key: String, for geometry: String) throws(EntryFlaw) -> Double {
        guard let json = take(key), json != "null" else {
            throw EntryFlaw(reason: "a \(geometry) without \(key)")
        }
        return try number(key, json)
    }

    /// The fence, once the geometry has taken what it needs.
    mutating func fence(_ id: String, _ area: Area) throws(EntryFlaw) -> Fence {
        let title = try takeText("title")
        let description = try takeText("description")
        let dwell = try takeNumber("dwell") ?? 0
        let entry = try takeFlag("notify_on_entry") ?? true
        let exit = try takeFlag("notify_on_exit") ?? true
        let initial = try takeFlag("initial_enter") ?? false
        var writer = JSONWriter()
        writer.beginObject()
        for member in members {
            writer.key(member.key)
            writer.raw(member.json)
        }
        writer.endObject()
        return Fence(
            id: id, area: area, title: title ?? "", description: description ?? "",
            dwell: .seconds(dwell), notifyOnEntry: entry, notifyOnExit: exit,
            initialEnter: initial, metadata: writer.text)
    }

    /// Text, or a number as its digits: 7, 7.0 and "7" are the same id, and a whole number of any
    /// length is exact.
    static func identifier(_ json: String) throws(EntryFlaw) -> String? {
        if json == "null" { return nil }
        if let whole = wholeNumber(json) { return whole }
        switch parsed(json) {
        case .string(let text)?: return text
        case .number(let number)?: return number.text
        default: throw EntryFlaw(reason: "the id is neither a string nor a number")
        }
    }

    /// The digits of a number that is written without an exponent and has no fraction.
    private static func wholeNumber(_ json: String) -> String? {
        var digits = json[...]
        let isNegative = digits.first == "-"
        if isNegative { digits = digits.dropFirst() }
        if let point = digits.firstIndex(of: ".") {
            guard digits[digits.index(after: point)...].allSatisfy({ $0 == "0" }) else {
                return nil
            }
            digits = digits[..<point]
        }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return isNegative && digits != "0" ? "-\(digits)" : String(digits)
    }

    /// Text of the reader is one valid value; of two members with one name the last counts.
    private mutating func take(_ key: String) -> String? {
        guard let last = members.last(where: { $0.key == key }) else { return nil }
        members.removeAll { $0.key == key }
        return last.json
    }

    private mutating func takeText(_ key: String) throws(EntryFlaw) -> String? {
        guard let json = take(key), json != "null" else { return nil }
        guard case .string(let text)? = Self.parsed(json) else {
            throw EntryFlaw(reason: "\(key) is no string")
        }
        return text
    }

    private mutating func takeNumber(_ key: String) throws(EntryFlaw) -> Double? {
        guard let json = take(key), json != "null" else { return nil }
        return try number(key, json)
    }

    private mutating func takeFlag(_ key: String) throws(EntryFlaw) -> Bool? {
        switch take(key) {
        case nil, "null"?: return nil
        case "true"?: return true
        case "false"?: return false
        default: throw EntryFlaw(reason: "\(key) is neither true nor false")
        }
    }

    /// A number in a string is refused: who writes "50" may mean feet.
    private func number(_ key: String, _ json: String) throws(EntryFlaw) -> Double {
        guard case .number(let number)? = Self.parsed(json) else {
            throw EntryFlaw(reason: "\(key) is no number")
        }
        return number.double
    }

    private static func parsed(_ json: String) -> JSONValue? { try? JSONValue(parsing: json) }
}
