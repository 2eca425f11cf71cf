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
        let places = RegionPlaces(old)
        var isKept = Array(repeating: false, count: old.count)
        self.init(generation: generation, added: [], removed: [], reason: reason)
        added.reserveCapacity(new.count)
        removed.reserveCapacity(old.count)
        for index in new.indices {
            let place = places.place(of: new[index].entry)
            if let place { isKept[place] = true }
            guard let place, old[place].entry == new[index].entry else {
                added.append(new[index].entry.fence.id)
                continue
            }
        }
        for index in old.indices where !isKept[index] { removed.append(old[index].entry.fence.id) }
    }

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }
}
