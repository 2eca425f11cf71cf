import Bytes
package import Formats
import JSON
package import Model
import Settings
import SharedLimits

/// What leaves the vehicle: which events, and which of their metadata.
package struct UplinkFilter: Hashable, Sendable {
    /// Ids of fences, or their beginnings where a `*` follows; empty: all.
    package var ids: [String] = []
    /// Names of kinds; empty: all.
    package var kinds: Set<String> = []
    /// Metadata that the fence must have, as text; empty: none.
    package var metadata: [String: String] = [:]
    /// Keys of the metadata that may leave; nothing else of it does.
    package var allowed: Set<String> = []
    /// Whether positions leave.
    package var hasPosition = false
    /// Whether it leaves who drove.
    package var hasDriver = false

    package init() {}

    /// Takes `[Filter]`, and of `[Fields]` what may leave.
    init(from file: inout ProgramSettings) {
        ids = file.list("Filter", "Ids")
        kinds = Set(file.list("Filter", "Kinds"))
        for kind in kinds.subtracting(EventKind.allCases.map(\.name)).sorted() {
            file.refuse("Filter", "Kinds", "\(kind): no kind of event")
        }
        for entry in file.list("Filter", "Metadata") {
            let parts = entry.split(separator: "=", maxSplits: 1)
            if parts.count == 2 {
                metadata[String(parts[0])] = String(parts[1])
            } else {
                file.refuse("Filter", "Metadata", "\(entry): not KEY=VALUE")
            }
        }
        allowed = Set(file.list("Fields", "Metadata"))
    }

    /// Whether the event leaves. An event that is only for the log, a recorded position where positions do
    /// not leave, or one of a fence whose property
    /// `uplink` says no, does not.
    package func admits(_ logged: LoggedEvent) -> Bool {
        let event = logged.event
        // A recorded position is never announced, and without its position it is nothing.
        let isForAll =
            event.kind == .position
            ? hasPosition && event.coordinate != nil : event.announced
        guard isForAll, kinds.isEmpty || kinds.contains(event.kind.name) else {
            return false
        }
        return admits(fence: event.fence, event.metadata)
    }

    /// Whether it may be told where the vehicle is: who may not hear each coming and going, may not know
    /// that either.
    package var tellsPresence: Bool { kinds.isEmpty || kinds.isSuperset(of: ["enter", "exit"]) }

    /// Whether it may be told that the vehicle is in a place.
    package func admits(place fence: Fence) -> Bool { admits(fence: fence.id, fence.metadata) }

    private func admits(fence: String?, _ text: String) -> Bool {
        if !ids.isEmpty {
            guard let fence, ids.contains(where: { Self.matches(fence, $0) }) else { return false }
        }
        let properties = Self.json(text)
        if Self.stays(properties) { return false }
        return metadata.allSatisfy { key, wanted in
            properties[key].map { Self.text($0) == wanted } ?? false
        }
    }

    /// What leaves of a field; nil: nothing. No place of a trip whose fence stays does. Of the metadata it is what was allowed, and nothing that
    /// is nested deeper than every reader goes.
    package func value(of field: EventField, in logged: LoggedEvent) -> EventValue? {
        if field === EventField.driver { return hasDriver ? field.value(of: logged) : nil }
        if let place = field.place(in: logged.event), Self.stays(Self.json(place.metadata)) {
            return nil
        }
        guard field === EventField.metadata else {
            return field.value(leaving: logged, withLocation: hasPosition)
        }
        let members = metadata(of: logged)
        return members.isEmpty ? nil : .object(.object(members))
    }

    /// The metadata that leaves, in the order of the fence's.
    func metadata(of logged: LoggedEvent) -> [JSONMember] {
        guard !allowed.isEmpty else { return [] }
        return (Self.metadata(of: logged).object ?? []).filter {
            allowed.contains($0.key) && $0.value.isAtMost(deep: SharedLimits.metadataDepth)
        }
    }

    /// Whether a fence with these properties stays in the vehicle.
    private static func stays(_ properties: JSONValue) -> Bool {
        let uplink = properties["uplink"]
        return uplink?.bool == false || uplink?.string == "no"
    }

    private static func metadata(of logged: LoggedEvent) -> JSONValue {
        json(logged.event.metadata)
    }

    private static func json(_ metadata: String) -> JSONValue {
        guard metadata != "{}" else { return .object([]) }
        return (try? JSONValue(parsing: Array(metadata.utf8))) ?? .object([])
    }

    /// By bytes, as ids are told apart.
    private static func matches(_ id: String, _ pattern: String) -> Bool {
        pattern.utf8.last == UInt8(ascii: "*")
            ? id.utf8.starts(with: pattern.utf8.dropLast())
            : id.isExactly(pattern)
    }

    private static func text(_ value: JSONValue) -> String { value.string ?? value.text }
}
