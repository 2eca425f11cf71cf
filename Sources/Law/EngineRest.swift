import Model
package import Time

extension Engine {
    /// Whether the receiver may sleep now.
    package var isResting: Bool { rest.isOn }

    mutating func setResting(_ isOn: Bool, at now: Uptime) {
        guard rest.isOn != isOn else { return }
        rest.isOn = isOn
        rest.ended = isOn ? nil : now
    }

    /// Whether nothing is missed if the receiver sleeps: the vehicle has stood for that long where
    /// its ignition was switched off, no fence waits for a fix, and no fix is held back.
    package func mayRest(after span: TimeSpan) -> Bool {
        guard let last = motion.last?.fix, gates.last?.fix == last, gates.held.isEmpty,
            gates.strays.isEmpty, works.isEmpty, let place = parking.place, parking.leaving == nil,
            standing.since != nil,
            last.time - place.time >= span
        else { return false }
        return window?.regions.allSatisfy(\.mayRest) ?? true
    }
}

extension RegionMonitor {
    fileprivate var mayRest: Bool {
        switch machine {
        case .crossing(.inside(let stay)): stay.settling == nil && stay.crossedOut == nil
        case .crossing, .approach: isIdle || presence == .unknown
        }
    }
}
