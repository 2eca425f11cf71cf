package import JSON
package import Model
import Time

/// An event as one JSON object: the only form of events in files, from the daemon's log and from a
/// replay.
package enum EventJSON {
    /// Appends the object, without a newline.
    package static func write(_ logged: LoggedEvent, to json: inout JSONWriter) {
        json.beginObject()
        writeMembers(of: logged, to: &json)
        json.endObject()
    }

    /// Appends its members, for an object that has others, too.
    package static func writeMembers(of logged: LoggedEvent, to json: inout JSONWriter) {
        for field in EventField.all {
            let value = field.value(of: logged)
            if value == nil, field.isLeftOut { continue }
            json.key(field.name)
            write(value, to: &json)
        }
    }

    /// The object as a line, with a newline.
    package static func line(_ logged: LoggedEvent) -> [UInt8] {
        var json = JSONWriter()
        write(logged, to: &json)
        json.endLine()
        return json.bytes
    }

    /// Appends the value of a field.
    package static func write(_ value: EventValue?, to json: inout JSONWriter) {
        switch value {
        case .text(let text)?: json.string(text)
        case .flag(let flag)?: json.bool(flag)
        case .integer(let number)?: json.integer(number)
        case .real(let number, let decimals)?: json.number(number, decimals: decimals)
        case .time(let time)?: json.string(time.iso8601)
        case .span(let span)?: json.number(span.roundedSeconds)
        case .presence(let presence)?: json.string(presence.name)
        case .metadata(let object)?: json.raw(object)
        case .object(let object)?: json.value(object)
        case nil: json.null()
        }
    }
}

extension EventField {
    /// A missing value is left out instead of being null.
    fileprivate var isLeftOut: Bool {
        switch rule {
        case .whereKnown, .inLog, .location, .driver: true
        case .always, .ofFence, .motion: false
        }
    }
}
