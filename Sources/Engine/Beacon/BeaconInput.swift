package import Time

/// One reception of a beacon. Its time is that of the input.
package struct BeaconSighting: Hashable, Sendable {
    /// Which beacon it was.
    package var identity: BeaconIdentity
    /// dBm; nil if the radio did not report it.
    package var rssi: Int?
    /// See ``BeaconFrame/measuredPower``, dBm; nil if not known. The law does not use it.
    package var measuredPower: Int?

    /// - Parameter rssi: as the radio reports it; 127, values from 0 on, and values below -127 mean
    ///   that it is not known.
    package init(_ identity: BeaconIdentity, rssi: Int?, measuredPower: Int? = nil) {
        self.identity = identity
        self.rssi = rssi.flatMap { (-127 ... -1).contains($0) ? $0 : nil }
        self.measuredPower = measuredPower
    }

    /// Makes the sighting of one frame of an advertisement.
    package init(_ frame: BeaconFrame, rssi: Int?) {
        self.init(frame.identity, rssi: rssi, measuredPower: frame.measuredPower)
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

/// A presence that is set by hand.
package struct ManualPresence: Hashable, Sendable {
    /// Inside or outside; `unknown` withdraws the statement.
    package var presence: Presence
    /// How long it holds; nil is ``BeaconSettings/manualFor``.
    package var duration: TimeSpan?

    package init(_ presence: Presence, for duration: TimeSpan? = nil) {
        self.presence = presence
        self.duration = duration
    }
}
