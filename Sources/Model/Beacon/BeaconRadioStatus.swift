/// The activity of the radio for the daemon.
package enum BeaconRadioState: String, CaseIterable, Sendable {
    case off
    /// Listens in the background: half of the time, and strengths in steps of 8 dB.
    case passive
    /// Listens all the time, with the strength of each sighting.
    case ranging
    /// Listens now and then: BlueZ has no advertisement monitors.
    case limited
}

/// Why it does not do what was requested.
package enum BeaconRadioReason: String, CaseIterable, Sendable {
    /// It does; or, while it is off, it is being started.
    case none = ""
    /// Nothing is requested.
    case noRegions = "no-regions"
    /// Disabled by the settings.
    case disabled
    /// No bus, or bluetoothd does not run; the daemon does not start it.
    case noBluez = "no-bluez"
    case noAdapter = "no-adapter"
    /// No powered adapter among as many objects of BlueZ as are read; it is asked again.
    case tooManyObjects = "too-many-objects"
    /// The adapter is off; the daemon does not change that.
    case poweredOff = "powered-off"
    /// Blocked by rfkill.
    case blocked
    /// BlueZ returned an error; the call is repeated.
    case refused
}

/// The state of the radio, with its reason.
package struct BeaconRadioStatus: Hashable, Sendable {
    /// The activity.
    package var state: BeaconRadioState
    /// Why it does not do more.
    package var reason: BeaconRadioReason

    package init(_ state: BeaconRadioState, _ reason: BeaconRadioReason = .none) {
        self.state = state
        self.reason = reason
    }

    /// Whether beacons can be heard; not known, and false, while nothing is requested.
    package var isAvailable: Bool { state != .off }

    /// The corresponding input of the law.
    package var radio: RadioState {
        switch state {
        case .off: .deaf
        case .passive, .ranging: .listening
        case .limited: .limited
        }
    }
}

/// The state of the radio: silence counts only while it listens.
package enum RadioState: UInt8, CaseIterable, Sendable {
    /// Off, blocked, absent, or without bluetoothd.
    case deaf = 0
    /// Paused on purpose: clocks stand still, and nothing is lost.
    case resting = 1
    /// Listens now and then, without advertisement monitors: patience is longer.
    case limited = 2
    /// Listens all the time.
    case listening = 3

    /// Whether a beacon that is not heard counts as silent.
    package var hears: Bool { self == .listening || self == .limited }
}
