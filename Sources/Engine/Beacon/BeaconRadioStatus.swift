/// What the radio does for us.
package enum BeaconRadioState: String, CaseIterable, Sendable {
    case off
    /// In the background: half of the time, and strengths in steps of 8 dB.
    case passive
    /// All the time, with the strength of each sighting.
    case ranging
    /// Now and then: BlueZ has no monitor of advertisements.
    case limited
}

/// Why it does not do what was asked.
package enum BeaconRadioReason: String, CaseIterable, Sendable {
    /// It does; or, while it is off, it has been asked just now.
    case none = ""
    /// Nobody asks.
    case noRegions = "no-regions"
    /// By the settings.
    case disabled
    /// No bus, or bluetoothd does not run; it is not started.
    case noBluez = "no-bluez"
    case noAdapter = "no-adapter"
    /// Power is the administrator's.
    case poweredOff = "powered-off"
    /// By rfkill.
    case blocked
    /// BlueZ gave an error; it is tried again.
    case refused
}

/// The state of the radio, with its reason.
package struct BeaconRadioStatus: Hashable, Sendable {
    /// What it does.
    package var state: BeaconRadioState
    /// Why it does not do more.
    package var reason: BeaconRadioReason

    package init(_ state: BeaconRadioState, _ reason: BeaconRadioReason = .none) {
        self.state = state
        self.reason = reason
    }

    /// Beacons can be heard. Nobody knows it while nobody asks.
    package var isAvailable: Bool { state != .off }

    /// What that means to the law.
    package var radio: RadioState {
        switch state {
        case .off: .deaf
        case .passive, .ranging: .listening
        case .limited: .limited
        }
    }
}
