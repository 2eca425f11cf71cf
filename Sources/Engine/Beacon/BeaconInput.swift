package import Time

/// One reception of a beacon. When it was heard is the time of the input.
package struct BeaconSighting: Hashable, Sendable {
    /// Which beacon it was.
    package var identity: BeaconIdentity
    /// dBm; nil where the radio did not say.
    package var rssi: Int?
    /// See ``BeaconFrame/measuredPower``, dBm; nil where nobody knows. The law does not use it.
    package var measuredPower: Int?

    /// - Parameter rssi: as the radio reports it: 127, 0 and more mean that it does not know, and so
    ///   does less than -127.
    package init(_ identity: BeaconIdentity, rssi: Int?, measuredPower: Int? = nil) {
        self.identity = identity
        self.rssi = rssi.flatMap { (-127 ... -1).contains($0) ? $0 : nil }
        self.measuredPower = measuredPower
    }

    /// Of one frame of an advertisement.
    package init(_ frame: BeaconFrame, rssi: Int?) {
        self.init(frame.identity, rssi: rssi, measuredPower: frame.measuredPower)
    }
}

/// What the radio does: silence counts only while it listens.
package enum RadioState: UInt8, CaseIterable, Sendable {
    /// Off, blocked, absent, or without anybody who serves it.
    case deaf = 0
    /// On purpose, for a while: clocks stand still, and nothing is lost.
    case resting = 1
    /// Now and then, without the monitor of advertisements: patience is longer.
    case limited = 2
    /// All the time.
    case listening = 3

    /// What is not heard is silent.
    package var hears: Bool { self == .listening || self == .limited }
}

/// What somebody says of a region by hand.
package struct ManualPresence: Hashable, Sendable {
    /// Inside or outside; `unknown` takes back what was said.
    package var presence: Presence
    /// For how long; nil is ``BeaconSettings/manualFor``.
    package var duration: TimeSpan?

    package init(_ presence: Presence, for duration: TimeSpan? = nil) {
        self.presence = presence
        self.duration = duration
    }
}
