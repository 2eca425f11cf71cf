package import Time

/// Every number of the law that is a setting, with the defaults of the HANDBOOK.
package struct EngineSettings: Hashable, Sendable {
    package var gates = GateSettings()
    package var crossing = CrossingSettings()
    package var window = WindowSettings()

    package init() {}
}

/// Which fixes count.
package struct GateSettings: Hashable, Sendable {
    /// Error of a fix that states none, m.
    package var defaultError = 15.0
    /// Errors below this count as this, m: receivers are over-confident.
    package var errorFloor = 3.0
    /// A fix with a larger error is refused, m.
    package var errorLimit = 100.0
    /// How far back the least delay between receiver time and arrival is looked for.
    package var staleWindow = TimeSpan.seconds(60)
    /// A fix delayed by more than this above the least delay is stale.
    package var staleLimit = TimeSpan.seconds(5)
    /// No vehicle is faster, m/s.
    package var speedLimit = 90.0
    /// What a reported speed may be wrong by, m/s.
    package var speedMargin = 10.0
    /// What a vehicle may gain between two fixes, m/s².
    package var acceleration = 2.0
    /// Receiver time that goes back, or ahead of arrival, by more than this is a new time base.
    package var rebaseLimit = TimeSpan.seconds(30)
    /// How many further fixes must agree with a held one.
    package var witnesses = 2
    /// A position bit-identical for this long, while the fix claims to move, is frozen.
    package var frozenAfter = TimeSpan.seconds(3)
    /// Claims to move: above this, m/s.
    package var frozenSpeed = 2.0
    /// Without an accepted fix for longer than this, the position is lost.
    package var lostAfter = TimeSpan.seconds(30)
    /// A replay: arrival is derived from receiver time, so that nothing is ever stale and a leap
    /// ahead is a gap.
    package var arrivalIsDerived = false

    package init() {}
}

/// One fence's presence.
package struct CrossingSettings: Hashable, Sendable {
    /// Least and largest buffer between enter and exit, m; between them a tenth of the inradius.
    package var bufferFloor = 30.0
    package var bufferLimit = 100.0
    /// How long every fix must agree where none is certain.
    package var settle = TimeSpan.seconds(10)
    /// What a settle, decided by a timer because fixes stopped, waits in addition.
    package var settleGrace = TimeSpan.seconds(2)
    /// Two reported speeds in a row above this are motion, m/s.
    package var movingSpeed = 3.0
    /// Two fixes further apart than their errors, within this time, are motion.
    package var movingWindow = TimeSpan.seconds(10)
    /// Fixes further apart in time are not joined by a path.
    package var pathGap = TimeSpan.seconds(30)
    /// The largest proof bound U that a stay can have: what is assumed after a power cut, m.
    package var unknownProofBound = 100.0

    package init() {}
}

/// The regions watched at once.
package struct WindowSettings: Hashable, Sendable {
    /// Slots, the metafence included; at least 2.
    package var size = 20
    /// Largest radius of the metafence, m.
    package var metafenceLimit = 50_000.0
    /// The significant change: this far from where the last one was, m.
    package var heartbeat = 500.0
    /// The heartbeat re-centres the window at most once in this time.
    package var heartbeatThrottle = TimeSpan.seconds(60)

    package init() {}
}
