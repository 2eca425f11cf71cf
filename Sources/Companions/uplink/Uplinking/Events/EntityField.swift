import Bytes
import Formats
import JSON
import Model
import Time

/// What an entity may have of an event: the box with its log, and every field of
/// ``EventField/all`` but the metadata.
enum EntityField: Sendable {
    case tenant
    case box
    case log
    case event(EventField)

    /// In the order of output.
    static let all: [EntityField] =
        [.tenant, .box, .log]
        + EventField.all.filter { $0 !== EventField.metadata }.map(EntityField.event)

    /// In `[Fields]`, and without that in the entity: `FixTime`, of `fix_time`.
    var name: String {
        switch self {
        case .tenant: "Tenant"
        case .box: "Box"
        case .log: "Log"
        case .event(let field):
            field.name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
                .joined()
        }
    }

    /// Whether entities have it where no field is named: a service knows no objects.
    var isUsual: Bool {
        if case .event(let field) = self { field.form != .object } else { true }
    }

    /// Its value; nil if the event has none, or if it may not leave.
    func value(
        in event: LoggedEvent, log: String, _ box: BoxName, _ filter: UplinkFilter
    ) -> EventValue? {
        switch self {
        case .tenant: .text(box.tenant)
        case .box: .text(box.box)
        case .log: .text(log)
        case .event(let field): filter.value(of: field, in: event)
        }
    }

    /// Unless the file says another one.
    func type(in version: EntityTable.Version) -> EntityType {
        guard case .event(let field) = self else { return .string }
        return switch field.form {
        case .text, .presence, .object: .string
        case .flag: .boolean
        case .integer: .int64
        case .real, .span: .double
        case .time: version == .two ? .dateTime : .dateTimeOffset
        }
    }
}

/// Types of properties (OData 2.0, "Primitive Data Types"; OData 4.01 JSON Format, section 7.1).
enum EntityType: String, CaseIterable, Sendable {
    case string
    case int32
    case int64
    case double
    case decimal
    case boolean
    case dateTime = "datetime"
    case dateTimeOffset = "datetimeoffset"

    /// A key may have it: its values are written in one way only.
    var isKey: Bool { self == .string || self == .int32 || self == .int64 }

    /// In an entity. Version 2 has large and broken numbers as text.
    func json(of value: EventValue, _ version: EntityTable.Version) -> JSONValue {
        let plain = value.json
        let text = plain.string ?? plain.text
        switch self {
        case .string: return .string(text)
        case .boolean: return .bool(plain == .bool(true))
        case .dateTime, .dateTimeOffset:
            guard version == .two, case .time(let time) = value else { return .string(text) }
            let zone = self == .dateTimeOffset ? "+0000" : ""
            return .string("/Date(\(time.nanoseconds / 1_000_000)\(zone))/")
        case .int32, .int64:
            let whole = plain.double.flatMap { Int64(exactly: $0.rounded()) }
            let number = plain.integer ?? whole ?? 0
            if version == .two, self == .int64 { return .string("\(number)") }
            return .number(JSONNumber(number))
        case .double, .decimal:
            return version == .two || plain.double == nil ? .string(text) : plain
        }
    }

    /// In the address of an entity; nil for what cannot stand there.
    func literal(of json: JSONValue, _ version: EntityTable.Version) -> String? {
        switch self {
        case .string:
            return json.string?.quoted(by: "'")
        case .int32: return json.integer.map { "\($0)" }
        case .int64:
            let number = json.integer ?? json.string.flatMap { Int64($0) }
            return number.map { version == .two ? "\($0)L" : "\($0)" }
        default: return nil
        }
    }
}

extension EventValue {
    /// As in the event's JSON, a text without its quotes.
    var plainText: String { json.string ?? json.text }

    /// As in the event's JSON.
    fileprivate var json: JSONValue {
        var json = JSONWriter()
        EventJSON.write(self, to: &json)
        return (try? JSONValue(parsing: json.bytes)) ?? .null
    }
}
