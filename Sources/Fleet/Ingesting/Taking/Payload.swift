import JSON
import SharedLimits

/// What a box has published: one event, or an array of several.
package enum Payload {
    /// Bytes, and events, that are read of one message.
    package static let limits = (bytes: SharedLimits.message, events: SharedLimits.events)

    /// An event, or why something is none.
    package typealias Element = Result<TakenEvent, TakenEvent.Problem>

    /// Never empty.
    package static func elements(of payload: [UInt8]) -> [Element] {
        guard payload.count <= limits.bytes else {
            return [.failure(.init("more than \(limits.bytes) bytes"))]
        }
        guard let json = try? JSONValue(parsing: payload) else {
            return [.failure(.init("not JSON"))]
        }
        guard let array = json.array else { return [element(json)] }
        guard (1...limits.events).contains(array.count) else {
            return [.failure(.init("not 1 to \(limits.events) events"))]
        }
        return array.map(element)
    }

    private static func element(_ json: JSONValue) -> Element {
        do throws(TakenEvent.Problem) { return .success(try TakenEvent(json)) } catch {
            return .failure(error)
        }
    }
}
