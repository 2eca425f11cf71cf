/// Why the window was composed anew. The raw values are those of the D-Bus interface.
package enum WindowReason: UInt32, Sendable {
    case start = 0
    /// A fix outside the metafence.
    case metafence = 1
    case heartbeat = 2
    /// Fences were added, edited or removed.
    case catalogue = 3
    /// Somebody asked.
    case request = 4

    /// The name in the log.
    package var name: String {
        switch self {
        case .start: "start"
        case .metafence: "metafence"
        case .heartbeat: "heartbeat"
        case .catalogue: "catalogue"
        case .request: "request"
        }
    }
}

/// What a new window has that the old one had not, and the other way round.
package struct WindowChange: Hashable, Sendable {
    package var generation: Generation
    /// Ids, edited fences among them.
    package var added: [String]
    package var removed: [String]
    package var reason: WindowReason
}

extension WindowChange {
    /// By id and content: an unchanged fence is in neither list.
    init(
        from old: [FenceMonitor], to new: [FenceMonitor], generation: Generation,
        reason: WindowReason
    ) {
        let before = old.map(\.entry).byKey
        let after = Set(new.map(\.key))
        self.init(
            generation: generation,
            added: new.filter { before[$0.key] != $0.entry }.map(\.entry.fence.id),
            removed: old.filter { !after.contains($0.key) }.map(\.entry.fence.id),
            reason: reason)
    }

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }
}
