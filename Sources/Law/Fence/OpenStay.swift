package import Model
package import Time

/// What a part has found at one instant, to be recorded together.
struct Findings {
    var events: [Event] = []
    /// Stays that are open now and were not before, or changed.
    var opened: [OpenStay] = []
    /// Ids of fences whose stay is over.
    var closed: [String] = []
    /// Fences that have ended.
    var spent: [SpentFence] = []
    /// What is kept of the vehicle itself has changed.
    var ofVehicle = false

    var isEmpty: Bool {
        events.isEmpty && opened.isEmpty && closed.isEmpty && spent.isEmpty && !ofVehicle
    }

    /// A change of the vehicle itself, with its event, if there is one.
    static func ofVehicle(_ event: Event?) -> Findings {
        Findings(events: event.map { [$0] } ?? [], ofVehicle: true)
    }
}

/// A stay, or what was said of an approach, that has begun and not ended: what must outlive a power
/// cut.
package struct OpenStay: Hashable, Sendable {
    /// Id of the fence.
    package var fence: String
    /// Of the fence it belongs to, see ``CatalogueEntry/added``.
    package var added: Generation
    /// Receiver UTC of the event that opened it.
    package var began: UTCTime
    /// `dwell` has been recorded.
    package var dwellTold: Bool
    /// It is no stay but an approach, of which this was said and no `clear` yet.
    package var stage: ApproachStage?
    /// The end of a presence by hand; nil for any other stay.
    package var manualUntil: UTCTime?
    /// The state of the stay for the terms of the fence.
    @Boxed package var watch: StayWatch?
    /// Its metres so far; nil for an approach, a stay of beacons, and one of before metres.
    @Boxed package var way: StayWay?

    package init(
        fence: String, added: Generation, began: UTCTime, dwellTold: Bool,
        stage: ApproachStage? = nil, manualUntil: UTCTime? = nil
    ) {
        self.fence = fence
        self.added = added
        self.began = began
        self.dwellTold = dwellTold
        self.stage = stage
        self.manualUntil = manualUntil
        watch = nil
        way = nil
    }
}
