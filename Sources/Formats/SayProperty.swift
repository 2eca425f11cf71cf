package import JSON
package import Model
package import Sentences

/// `say` of a fence: which of its events the driver hears. It is metadata, which comes back with the
/// events, since nobody but the one who says them needs it.
extension SayList {
    /// The name of the property.
    package static let property = "say"

    /// - Parameter json: a text, or an array of texts.
    package init(_ json: JSONValue) throws(SayFlaw) {
        switch json {
        case .string(let text): try self.init(text)
        case .array(let words): try self.init(words.map { $0.string ?? $0.text })
        default: try self.init([json.text])
        }
    }

    /// What is wrong with the value of the property; nil if nothing is. A null counts as missing.
    package static func flaw(of value: JSONValue?) -> String? {
        guard let value, value != .null else { return nil }
        do throws(SayFlaw) { _ = try SayList(value) } catch { return "say: \(error)" }
        return nil
    }

    /// Of a fence with that metadata, a JSON object; nil where it says nothing, or what nobody
    /// understands.
    package init?(metadata: String) {
        guard metadata != "{}",
            let members = (try? JSONValue(parsing: metadata))?.object,
            let value = members.last(where: { $0.key == Self.property })?.value,
            let list = try? SayList(value)
        else { return nil }
        self = list
    }
}

extension Event {
    /// What the driver hears of it when it is no hazard: one or two sentences; nil for a kind that has
    /// none.
    package func notice(as wording: Wording) -> String? {
        let name = wording.name(title.isEmpty ? fence ?? "" : title)
        if kind == .overspeed, let terms, let limit = terms.speedLimit {
            let speed = wording.speed(limit, isMiles: terms.speedUnit == "mph")
            return wording.text(.tooFast, ["speed": speed])
        }
        return kind.sentence.map { wording.text($0, ["name": name]) + "." }
    }
}
