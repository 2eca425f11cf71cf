import Time

/// The next time at which silence, or the end of a presence by hand, is due at each region: a
/// sighting changes that of few regions, and the earliest of all is known without asking each.
struct BeaconDues: Sendable {
    /// By place among the monitors, ``never`` where nothing is due.
    private var times: [Uptime] = []
    private var least = Self.never
    /// With which they were computed, see ``BeaconLaw/due(hasPosition:)``.
    private(set) var hasPosition = false
    /// Nothing on which they depend has changed.
    private(set) var areKnown = false

    private static let never = Uptime(nanoseconds: .max)

    /// The earliest; nil where nothing is due.
    var earliest: Uptime? { least == Self.never ? nil : least }

    /// Something has changed on which all of them may depend.
    mutating func forget() { areKnown = false }

    /// Sets all of them, by place.
    mutating func set(_ new: [Uptime?], hasPosition: Bool) {
        times = new.map { $0 ?? Self.never }
        least = times.min() ?? Self.never
        self.hasPosition = hasPosition
        areKnown = true
    }

    /// They were known, and nothing has changed since but these regions.
    mutating func set(_ changed: [(place: Int, time: Uptime?)]) {
        for (place, time) in changed {
            let (old, new) = (times[place], time ?? Self.never)
            times[place] = new
            if new <= least {
                least = new
            } else if old == least {
                least = times.min() ?? Self.never
            }
        }
        areKnown = true
    }
}

extension Uptime {
    /// The earlier of those that are there.
    static func earlier(_ a: Uptime?, _ b: Uptime?) -> Uptime? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }
}
