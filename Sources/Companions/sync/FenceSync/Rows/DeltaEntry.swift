package import JSON

/// An entry of an answer with changes (OData JSON Format 4.01, section 15, and 4.0, section 15).
package enum DeltaEntry: Equatable, Sendable {
    /// New or changed: an entity with its key, whose unchanged members may be missing.
    case changed(JSONValue)
    /// Removed from the set: its key, as a value.
    case removed(JSONValue)
    /// A link between two entities.
    case relation

    /// - Parameters:
    ///   - set: the entity set.
    ///   - key: the path of the key of an entity.
    /// - Throws: ``FlawedPage`` if the entity cannot be identified, or belongs to another set.
    package init(
        _ entry: JSONValue, of set: String, key: [String]
    ) throws(FlawedPage) {
        guard case .object(let members) = entry else {
            throw FlawedPage(reason: "an entry that is no object")
        }
        let id = (entry["@odata.id"] ?? entry["@id"])?.string
        let context = (entry["@odata.context"] ?? entry["@context"])?.string ?? ""
        let kind = context.split(separator: "/").last ?? ""
        if kind == "$link" || kind == "$deletedLink" {
            self = .relation
            return
        }
        // …$metadata#Place/$entity; an entry of the set itself need not have it.
        let owner = context.split(
            separator: "#", maxSplits: 1, omittingEmptySubsequences: false
        ).dropFirst().first
        let name = owner?.prefix { $0 != "/" && $0 != "(" }
        guard name == nil || name == set.split(separator: "/").last else {
            throw FlawedPage(reason: "a change in another set")
        }
        if kind == "$deletedEntity" {
            // Version 4.0 has a different name for the id here.
            self = .removed(try Self.key(of: entry, at: key, id: entry["id"]?.string ?? id))
            return
        }
        if entry["@removed"] != nil || entry["@odata.removed"] != nil {
            self = .removed(try Self.key(of: entry, at: key, id: id))
        } else if RowValue.at(key, of: entry) != nil {
            self = .changed(entry)
        } else if key.count == 1 {
            let value = try Self.key(of: entry, at: key, id: id)
            self = .changed(.object(members + [JSONMember(key[0], value)]))
        } else {
            throw FlawedPage(reason: "a change of what has no key")
        }
    }

    private static func key(
        of entry: JSONValue, at path: [String], id: String?
    ) throws(FlawedPage) -> JSONValue {
        if let value = RowValue.at(path, of: entry) { return value }
        guard let id, let name = path.last, let key = EntityKey.value(in: id, of: name) else {
            throw FlawedPage(reason: "a change of what has no key")
        }
        return key
    }
}

/// The key in the id of an entity, `https://host/svc/Place('w03')` (OData URL Conventions 4.01,
/// 4.3). By scalar: to Swift a mark with an accent on it is another character.
enum EntityKey {
    /// The value of the key of that name; nil for another key, or a text that is not an id.
    static func value(in id: String, of name: String) -> JSONValue? {
        guard let segment = id.unicodeScalars.split(separator: "/").last, segment.last == ")",
            let start = segment.firstIndex(of: "("),
            let text = decoded(Substring(segment[start...].dropFirst().dropLast()))
        else { return nil }
        let scalars = text.unicodeScalars[...]
        if let value = literal(scalars) { return value }
        for part in scalars.split(separator: ",") {
            let halves = part.split(separator: "=", maxSplits: 1)
            if halves.count == 2, String(halves[0]) == name { return literal(halves[1]) }
        }
        return nil
    }

    /// `'O''Neill'`, or a number or another word as it is.
    private static func literal(_ text: Substring.UnicodeScalarView) -> JSONValue? {
        if text.first == "'" {
            guard text.count >= 2, text.last == "'" else { return nil }
            var value = String.UnicodeScalarView()
            var isQuoted = false
            for scalar in text.dropFirst().dropLast() {
                // Within a text a quotation mark is doubled.
                if scalar == "'" {
                    isQuoted.toggle()
                    if isQuoted { continue }
                } else if isQuoted {
                    return nil
                }
                value.append(scalar)
            }
            return isQuoted || value.isEmpty ? nil : .string(String(value))
        }
        let marks = "'=,()".unicodeScalars
        guard !text.isEmpty, !text.contains(where: { marks.contains($0) }) else { return nil }
        let word = String(text)
        return Int64(word).map { .number(JSONNumber($0)) } ?? .string(word)
    }

    /// The text without percent-encoding; nil if it is not UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = Substring(rest.prefix(2))
            guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
