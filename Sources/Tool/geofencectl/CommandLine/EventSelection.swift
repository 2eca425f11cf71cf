import Model
import Program
import Time

extension OptionRule {
    /// Options that select events, of the log or of a replay.
    static let eventFilters = [
        OptionRule("fence", value: "ID", repeats: true, "only of this fence"),
        OptionRule(
            "kind", value: "KIND", repeats: true, "only enter, exit, dwell, initial, …",
            completion: .words(EventKind.allCases.map(\.name))),
        OptionRule("after", value: "TIME", "only what happened at this time or after it"),
        OptionRule("before", value: "TIME", "only what happened before this time"),
    ]
}

/// Which events are selected.
struct EventSelection {
    /// Ids; none: of all fences, and of none.
    let ids: [String]
    private let fences: Set<FenceKey>
    var kinds: Set<EventKind> = []
    var after: UTCTime?
    var before: UTCTime?

    init(_ invocation: Invocation) throws {
        ids = invocation.values("fence")
        fences = Set(ids.map(FenceKey.init))
        for name in invocation.values("kind") {
            guard let kind = EventKind(name: name) else {
                let names = EventKind.allCases.map(\.name).joined(separator: ", ")
                throw Failure.usage("not one of \(names)", "--kind \(name)")
            }
            kinds.insert(kind)
        }
        after = try Self.time(invocation, "after")
        before = try Self.time(invocation, "before")
    }

    func admits(_ event: Event) -> Bool {
        if !kinds.isEmpty, !kinds.contains(event.kind) { return false }
        if !fences.isEmpty {
            guard let fence = event.fence, fences.contains(FenceKey(fence)) else { return false }
        }
        if let after, event.time < after { return false }
        if let before, event.time >= before { return false }
        return true
    }

    /// A time of the command line; nil without that option.
    static func time(_ invocation: Invocation, _ option: String) throws -> UTCTime? {
        guard let text = invocation.value(option) else { return nil }
        let whole = text.utf8.count == 10 ? text + "T00:00:00Z" : text
        guard let time = UTCTime(iso8601: whole) else {
            throw Failure.usage("not a time such as 2026-11-20T07:14:03Z", "--\(option) \(text)")
        }
        return time
    }
}
