import Bytes
import JSON
package import Model
package import Systemd

/// The events that a subscription or a consumer wants: the options `ids` (`as`), `kinds` (`au`) and
/// `metadata` (`a{sv}`, every entry of which the fence must have). A missing option matches
/// everything; `position-lost` and `position-regained` have neither id nor metadata.
package struct EventFilter: Hashable, Sendable {
    private var ids: Set<ExactText>?
    private var kinds: Set<UInt32>?
    private var metadata: [ExactText: JSONValue] = [:]

    /// Matches everything.
    package init() {}

    static let idLimit = 1000
    static let metadataLimit = 32

    /// Removes the options it knows from `options` and reads them.
    /// - Throws: ``FenceProblem`` with the option and the reason.
    package init(taking options: inout [String: BusValue]) throws(FenceProblem) {
        if let value = options.removeValue(forKey: "ids") {
            guard let ids = value.asStrings, ids.count <= Self.idLimit else {
                throw FenceProblem("ids must be at most \(Self.idLimit) strings")
            }
            self.ids = Set(exactly: ids)
        }
        if let value = options.removeValue(forKey: "kinds") {
            let kinds = value.asArray?.compactMap(\.asUInt32) ?? []
            guard !kinds.isEmpty, kinds.count == value.asArray?.count,
                // Also those of a newer version, whose programs may ask an older daemon.
                !kinds.contains(0)
            else { throw FenceProblem("kinds must be numbers of event kinds") }
            self.kinds = Set(kinds)
        }
        if let value = options.removeValue(forKey: "metadata") {
            guard let entries = value.asDictionary, entries.count <= Self.metadataLimit else {
                throw FenceProblem("metadata must be at most \(Self.metadataLimit) entries")
            }
            for (key, value) in entries {
                guard let json = JSONValue(value) else {
                    throw FenceProblem("metadata \"\(key.echoed())\" is nothing that JSON can say")
                }
                metadata[key] = json
            }
        }
    }

    /// Whether the event matches every given option.
    package func admits(_ event: Event) -> Bool {
        if let kinds, !kinds.contains(event.kind.rawValue) { return false }
        if let ids {
            guard let fence = event.fence, ids.contains(fence) else { return false }
        }
        guard !metadata.isEmpty else { return true }
        guard let present = try? JSONValue(parsing: event.metadata) else { return false }
        return metadata.allSatisfy { key, wanted in
            guard let value = present[key.text] else { return false }
            return value == wanted
        }
    }

    // MARK: As text, to be kept with a consumer

    /// A JSON object.
    package var text: String { JSONValue.object(members).text }

    /// Of ``text``.
    var members: [JSONMember] {
        var members: [JSONMember] = []
        if let ids {
            members.append(JSONMember("ids", .array(ids.sorted().map { .string($0.text) })))
        }
        if let kinds {
            members.append(
                JSONMember(
                    "kinds", .array(kinds.sorted().map { .number(JSONNumber(Int64($0))) })))
        }
        if !metadata.isEmpty {
            members.append(
                JSONMember(
                    "metadata",
                    .object(
                        metadata.sorted { $0.key < $1.key }.map {
                            JSONMember($0.key.text, $0.value)
                        })))
        }
        return members
    }

    /// Reads ``text``; matches everything if it is not a filter.
    package init(text: String) {
        guard let json = try? JSONValue(parsing: text) else { return }
        ids = json["ids"]?.array.map { Set(exactly: $0.compactMap(\.string)) }
        kinds = json["kinds"]?.array.map {
            Set($0.compactMap { $0.integer.flatMap { UInt32(exactly: $0) } })
        }
        for member in json["metadata"]?.object ?? [] { metadata[member.key] = member.value }
    }
}
