import BusClient
import JSON
import Time

/// What an entity may have of an event, by its name in `[Fields]`.
enum EntityField: String, CaseIterable, Sendable {
    case tenant = "Tenant"
    case box = "Box"
    case log = "Log"
    case seq = "Seq"
    case kind = "Kind"
    case fence = "Fence"
    case title = "Title"
    case time = "Time"
    case fixTime = "FixTime"
    case stay = "Stay"
    case inferred = "Inferred"
    case reason = "Reason"
    case presence = "Presence"
    case distance = "Distance"
    case error = "Error"
    case latitude = "Latitude"
    case longitude = "Longitude"

    /// Its value; nil if the event has none, or if it may not leave.
    func value(
        in event: ForwardedEvent, _ box: BoxName, _ filter: UplinkFilter
    ) -> EntityValue? {
        let position = filter.hasPosition ? event.position : nil
        switch self {
        case .tenant: return .text(box.tenant)
        case .box: return .text(box.box)
        case .log: return .text(event.log)
        case .seq: return .integer(Int64(clamping: event.seq))
        case .kind: return .text(event.kind)
        case .fence: return event.fence.map(EntityValue.text)
        case .title: return event.title.isEmpty ? nil : .text(event.title)
        case .time: return .time(event.time)
        case .fixTime: return .time(event.fixTime)
        case .stay: return event.stay.map { .number(($0.seconds * 1000).rounded() / 1000) }
        case .inferred: return .flag(event.inferred)
        case .reason: return event.reason.map(EntityValue.text)
        case .presence: return event.presence.map(EntityValue.text)
        case .distance: return event.distance.map { .number(($0 * 10).rounded() / 10) }
        case .error: return event.error.map { .number(($0 * 10).rounded() / 10) }
        case .latitude: return position.map { .number(($0.latitude * 1e7).rounded() / 1e7) }
        case .longitude: return position.map { .number(($0.longitude * 1e7).rounded() / 1e7) }
        }
    }

    /// Unless the file says another one.
    func type(in version: EntityTable.Version) -> EntityType {
        switch self {
        case .seq: .int64
        case .time, .fixTime: version == .two ? .dateTime : .dateTimeOffset
        case .inferred: .boolean
        case .stay, .distance, .error, .latitude, .longitude: .double
        default: .string
        }
    }
}

/// A value of an event.
enum EntityValue: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case flag(Bool)
    case time(ReceiverTime)

    /// A number without decimals.
    var rounded: EntityValue {
        guard case .number(let number) = self else { return self }
        return .integer(Int64(exactly: number.rounded()) ?? 0)
    }

    /// Numbers as such, anything else as text.
    var json: JSONValue {
        switch self {
        case .integer(let number): .number(JSONNumber(number))
        case .number(let number): JSONValue(number)
        case .text, .flag, .time: .string(text)
        }
    }

    var text: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): JSONValue(number).text
        case .flag(let flag): flag ? "true" : "false"
        case .time(let time): time.iso8601
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
    func json(of value: EntityValue, _ version: EntityTable.Version) -> JSONValue {
        switch self {
        case .string: return .string(value.text)
        case .boolean: return .bool(value == .flag(true))
        case .dateTime, .dateTimeOffset:
            guard version == .two, case .time(let time) = value else {
                return .string(value.text)
            }
            let zone = self == .dateTimeOffset ? "+0000" : ""
            return .string("/Date(\(time.nanoseconds / 1_000_000)\(zone))/")
        case .int32, .int64:
            let whole = value.rounded
            if version == .two, self == .int64 { return .string(whole.text) }
            return whole.json
        case .double, .decimal: return version == .two ? .string(value.text) : value.json
        }
    }

    /// In the address of an entity; nil for what cannot stand there.
    func literal(of json: JSONValue, _ version: EntityTable.Version) -> String? {
        switch self {
        case .string:
            guard let text = json.string else { return nil }
            return "'" + text.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
        case .int32: return json.integer.map { "\($0)" }
        case .int64:
            let number = json.integer ?? json.string.flatMap { Int64($0) }
            return number.map { version == .two ? "\($0)L" : "\($0)" }
        default: return nil
        }
    }
}
