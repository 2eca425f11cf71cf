/// A hazard on whose approach the vehicle is, and which it does not fit: for `window`, `watch` and
/// the bus.
package struct Ahead: Hashable, Sendable {
    /// Id of the fence.
    package var hazard: String
    /// Title of the fence; empty where it has none.
    package var title: String
    /// What has been announced; nil where nothing has been yet.
    package var stage: ApproachStage?
    /// As an event would say it now: limit, metres, seconds, way out.
    package var details: ApproachDetails

    /// The route leads there.
    package var isOnRoute: Bool

    package init(
        hazard: String, title: String, stage: ApproachStage?, details: ApproachDetails,
        isOnRoute: Bool = false
    ) {
        self.isOnRoute = isOnRoute
        self.hazard = hazard
        self.title = title
        self.stage = stage
        self.details = details
    }
}

/// What has been said of a hazard since its approach began.
package enum ApproachStage: UInt8, CaseIterable, Sendable {
    case advisory = 1
    case urgent = 2
}
