package import Time

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
    package var rebaseFixes = 2
    /// A position bit-identical for this long, while the fix claims to move, is frozen.
    package var frozenAfter = TimeSpan.seconds(3)
    /// Claims to move: above this, m/s.
    package var frozenSpeed = 2.0
    /// Without an accepted fix for longer than this, the position is lost.
    package var lostAfter = TimeSpan.seconds(30)
    /// How long the fixes of a doubtful position must agree among themselves; zero where none is
    /// doubted.
    package var doubtfulFor = TimeSpan.seconds(1800)
    /// An indicator of jamming above this counts: see ``PositionReport/jam``.
    package var jamLimit: UInt8 = 127
    /// In a replay, time moves on over a longer gap only with an accepted fix.
    package var replayLeap = TimeSpan.seconds(3600)
    /// A replay: arrival is derived from receiver time, so that nothing is ever stale and a leap
    /// ahead is a gap.
    package var arrivalIsDerived = false

    package init() {}
}
