import Model
import Time

/// A stage of an approach that has become due, or its end.
struct ApproachFinding: Hashable, Sendable {
    /// Nil for the end.
    var stage: ApproachStage?
    /// Receiver UTC.
    var time: UTCTime
    var reason: EventReason?
    /// By dead reckoning.
    var inferred = false
    @Boxed var details: ApproachDetails?
}
