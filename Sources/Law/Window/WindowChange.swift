package import Model

/// Why the window was composed again. The raw values are those of the D-Bus interface.
package enum WindowReason: UInt32, Sendable {
    case start = 0
    /// A fix outside the metafence.
    case metafence = 1
    case heartbeat = 2
    /// Fences were added, edited or removed.
    case catalogue = 3
    /// A client called `Recenter`.
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

/// How a new window differs from the one before.
package struct WindowChange: Hashable, Sendable {
    /// Generation of the catalogue that the new window was composed from.
    package var generation: Generation
    /// Ids, edited fences among them.
    package var added: [String]
    /// Ids, edited fences among them.
    package var removed: [String]
    /// Why it was composed.
    package var reason: WindowReason
}

extension WindowChange {
    /// By id and content: an unchanged fence is in neither list.
    init(
        from old: [RegionMonitor], to new: [RegionMonitor], generation: Generation,
        reason: WindowReason
    ) {
        let known = RegionIndex(old)
        var isKept = Array(repeating: false, count: old.count)
        self.init(generation: generation, added: [], removed: [], reason: reason)
        added.reserveCapacity(new.count)
        removed.reserveCapacity(old.count)
        for index in new.indices {
            let before = known.index(of: new[index].entry)
            if let before { isKept[before] = true }
            guard let before, old[before].entry == new[index].entry else {
                added.append(new[index].entry.id)
                continue
            }
        }
        for index in old.indices where !isKept[index] { removed.append(old[index].entry.id) }
    }

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }
}
