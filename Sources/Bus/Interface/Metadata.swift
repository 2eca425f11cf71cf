package import JSON
package import Systemd

/// A fence's metadata is a JSON object; on the bus it is `a{sv}`.
extension BusValue {
    /// `a{sv}` of a JSON object; empty for any other JSON and for invalid text. D-Bus has no null:
    /// a null member is left out.
    package init(metadata text: String) {
        // The usual case.
        if text == "{}" {
            self = .options([])
            return
        }
        let members = (try? JSONValue(parsing: text))?.object ?? []
        self = Self.dictionary(of: members, depth: 0)
    }

    private static func dictionary(of members: [JSONMember], depth: Int) -> BusValue {
        .options(
            members.compactMap { member in
                Self(member.value, depth: depth + 1).map { BusOption(member.key, $0) }
            })
    }

    /// D-Bus allows at most 32 nested arrays, and 64 containers; metadata nested deeper than this
    /// is sent as JSON text, so that no metadata can keep an event from being announced.
    private static let deepest = 8

    /// `b`, `x`, `d`, `s`, `av`, `a{sv}`; nil for null.
    init?(_ json: JSONValue, depth: Int = 0) {
        switch json {
        case .array, .object:
            if depth > Self.deepest {
                self = .string(json.text)
                return
            }
        default: break
        }
        switch json {
        case .null: return nil
        case .bool(let value): self = .bool(value)
        case .number(let number): self = number.integer.map { .int64($0) } ?? .double(number.double)
        case .string(let value): self = .string(value)
        case .array(let elements):
            self = .array(
                of: "v", elements.compactMap { Self($0, depth: depth + 1).map { .variant($0) } })
        case .object(let members): self = Self.dictionary(of: members, depth: depth)
        }
    }
}

extension BusValue {
    /// `(sa{sv})`, as lists have it: a name, and what there is of it; nil for anything else.
    package var asNamed: (name: String, details: [String: BusValue])? {
        guard let members = asStructure, members.count == 2, let name = members[0].asString,
            let details = members[1].asDictionary
        else { return nil }
        return (name, details)
    }
}

extension JSONValue {
    /// The JSON of a value from the bus; nil for what JSON cannot express: a number that is not
    /// finite, a descriptor, a dictionary whose keys are not strings.
    package init?(_ value: BusValue) {
        switch value {
        case .bool(let value): self = .bool(value)
        case .double(let value):
            guard let number = JSONNumber(value) else { return nil }
            self = .number(number)
        case .string(let value), .objectPath(let value), .signature(let value):
            self = .string(value)
        case .variant(let inner): self.init(inner)
        case .bytes(let bytes): self = .array(bytes.map { .number(JSONNumber(Int64($0))) })
        case .structure(let members): self.init(list: members)
        case .options(let options):
            var members: [JSONMember] = []
            for option in options {
                guard let value = JSONValue(option.value) else { return nil }
                members.append(JSONMember(option.key, value))
            }
            self = .object(members)
        case .array(let type, let elements):
            if type.hasPrefix("{") {
                self.init(dictionary: elements)
            } else {
                self.init(list: elements)
            }
        case .entry, .fileDescriptor: return nil
        case .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64:
            if let integer = value.asInt64 {
                self = .number(JSONNumber(integer))
            } else if let number = value.asDouble.flatMap(JSONNumber.init) {
                self = .number(number)
            } else {
                return nil
            }
        }
    }

    private init?(list: [BusValue]) {
        var elements: [JSONValue] = []
        for value in list {
            guard let element = JSONValue(value) else { return nil }
            elements.append(element)
        }
        self = .array(elements)
    }

    private init?(dictionary: [BusValue]) {
        var members: [JSONMember] = []
        for case .entry(let key, let value) in dictionary {
            guard let key = key.asString, let value = JSONValue(value) else { return nil }
            members.append(JSONMember(key, value))
        }
        self = .object(members)
    }
}
