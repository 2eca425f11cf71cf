package import Geodesy
package import Model

/// The one source of truth: which fences there are, which of them the vehicle is inside of, and
/// which events have been recorded. Two implementations: SQLite on a file (`Storage`), and plain
/// arrays (`EngineTestKit`), with which tests compare it.
package protocol FenceStore: AnyObject {
    /// Raised by every committed change of the catalogue; 0 is the empty catalogue.
    var generation: Generation { get }

    /// How many fences there are.
    var count: Int { get }

    /// Every fence whose bounding box meets `box`, in any order; more is allowed. If there are more
    /// than `limit`, then of those that `isWanted` the first by id as UTF-8 bytes: `limit` of them.
    func entries(
        meeting box: GeoBox, limit: Int, where isWanted: (CatalogueEntry) -> Bool
    ) throws -> [CatalogueEntry]

    /// Those of `ids` that exist. Any order.
    func entries(ids: [String]) throws -> [CatalogueEntry]

    /// The `limit` fences of least signed distance from `anchor`, in that order, ties by id as
    /// UTF-8 bytes; all of them when there are not that many.
    func nearest(to anchor: SurfacePoint, limit: Int) throws -> [RankedEntry]

    /// The fences whose way is followed, in any order: see ``CatalogueEntry/isFollowed``. No more than
    /// ``Arrival/most``, all of which are in every window.
    func followed() throws -> [CatalogueEntry]

    /// Whether fences may be missing in answers that nobody has removed: they were lost, or lie in a
    /// part of the file that cannot be read.
    var mayLackFences: Bool { get }

    /// Fences that are missing in answers, and were not removed: nothing says when they are there, since the
    /// system does not have their time zone.
    var heldFences: Set<FenceKey> { get }

    /// One durable transaction: the events get the next sequence numbers, the stays they open and
    /// close are written with them. Nothing of it is stored when it throws.
    func commit(_ record: EventRecord) throws -> [LoggedEvent]
}

extension FenceStore {
    package var mayLackFences: Bool { false }
    package var heldFences: Set<FenceKey> { [] }
}

/// What becomes durable together.
package struct EventRecord: Sendable {
    /// In the order in which they get their numbers.
    package var events: [Event]
    /// Stays that are open after this record and were not before, or changed.
    package var opened: [OpenStay]
    /// Ids of fences whose stay is over.
    package var closed: [String]
    /// The generation whose fences are no longer `unknown`; never falls.
    package var known: Generation
    /// The position is lost. Stored, so that `position-regained` follows after a power cut.
    package var positionLost: Bool
    /// Fences that have ended, to be removed from the catalogue.
    package var spent: [SpentFence] = []
    /// Of the vehicle itself; nil if that is unchanged.
    package var vehicle: VehicleRecord?
    /// `fences-lost` has been told and `fences-back` has not, or the other way round; nil if that is
    /// unchanged.
    package var fencesLost: Bool?
    /// What the odometer shows; nil if that is unchanged.
    package var driven: OdometerReading?

    package init(
        events: [Event], opened: [OpenStay], closed: [String], known: Generation,
        positionLost: Bool
    ) {
        self.events = events
        self.opened = opened
        self.closed = closed
        self.known = known
        self.positionLost = positionLost
    }
}

extension EventRecord {
    /// This record and the one after it, as one transaction.
    package func followed(by next: EventRecord) -> EventRecord {
        let touched = Set((next.closed + next.opened.map(\.fence)).map(FenceKey.init))
        var both = EventRecord(
            events: events + next.events,
            opened: opened.filter { !touched.contains(FenceKey($0.fence)) } + next.opened,
            closed: closed.filter { !touched.contains(FenceKey($0)) } + next.closed,
            known: max(known, next.known), positionLost: next.positionLost)
        both.spent = spent + next.spent
        both.vehicle = next.vehicle ?? vehicle
        both.fencesLost = next.fencesLost ?? fencesLost
        both.driven = next.driven ?? driven
        return both
    }

    /// The same with that driver in its events; `number` as of ``RecordedDriver``, nil for none.
    package func driven(by number: Int64?) -> EventRecord {
        guard let number else { return self }
        var record = self
        for index in record.events.indices { record.events[index].driver = number }
        return record
    }

    /// Those that are open once this record has been stored, of the stays that were before.
    package func openStays(after stays: [OpenStay]) -> [OpenStay] {
        let touched = Set((closed + opened.map(\.fence)).map(FenceKey.init))
        return stays.filter { !touched.contains(FenceKey($0.fence)) } + opened
    }
}
