package import Model
package import Time

/// What was found at one region on one passage, or by a timer: a change of presence, a completed
/// dwell, a stage of an approach, a finding of the terms.
package struct Transition: Hashable, Sendable {
    /// Of a stay or of an approach. A stay begins with `enter` here; whether that becomes an
    /// event `initial` follows from the fence.
    package var kind: EventKind
    /// Which stay of this passage, from 1; 0 is the one that began before it.
    package var stay: Int
    /// When it happened, receiver UTC: the `time` of the event.
    package var time: UTCTime
    /// The `reason` of the event; nil for a dwell.
    package var reason: EventReason?
    /// No fix lies between this crossing and its neighbour.
    package var inferred = false
    /// m; nil for an approach.
    package var distance: Double?
    /// Of an exit.
    package var length: TimeSpan?
    /// What the odometer showed there; nil for the last fix that was judged.
    package var driven: OdometerReading?
    /// Of an exit.
    @Boxed package var way: StayWay?
    /// Of an approach.
    @Boxed package var details: ApproachDetails?
    /// Of an opening or exit that an inequality proved.
    @Boxed package var evidence: Evidence?
    /// The details about the terms of the fence.
    @Boxed package var terms: TermsDetails?
}
