/// A restricted section of road, or a point of one.
package struct Hazard: Sendable {
    /// Where a vehicle must not go.
    package enum Section: Sendable {
        /// Edges, ascending, which hang together.
        case edges([RoadEdge])
        /// A vertex, for instance with a barrier.
        case vertex(Int)
        /// Places on edges, for instance where a list says that a bridge is.
        case positions([RoadPosition])
        /// A point to which no road is known; the direction of travel in degrees from north, nil:
        /// both.
        case point(RoadPoint, direction: Double?)
    }

    /// Of the fence: unique in a set.
    package internal(set) var id: String
    /// What may not pass.
    package let limit: Limit
    /// Its road.
    package let section: Section
    /// Of the object that it was read from, `OpenStreetMap way 25494427`, or a row of a list.
    package let source: String
    /// When its data were last changed, `2024-09-08`; nil: unknown.
    package let date: String?
    /// What it is called.
    package let title: String
    /// Into the network's ways, where its name and class come from; nil for one without a road.
    package let way: Int?
    /// Only on service roads, or where not everybody may drive.
    package let isPrivate: Bool
}

/// What counts as a hazard.
package struct HazardOptions: Sendable {
    /// Those on service roads and private ground too.
    package var includesPrivate = false
    /// What a way with `maxheight=default` is taken for, m; nil: no hazard.
    package var defaultHeight: Double?
    /// Only limits of these kinds.
    package var kinds: Set<LimitKind> = Set(LimitKind.allCases)
    /// By kind: higher limits than this, m or t, are left out.
    package var most: [LimitKind: Double] = [:]

    package init() {}

    /// Whether a hazard is wanted. Those that are not block the way of vehicles all the same.
    package func admits(_ hazard: Hazard) -> Bool {
        let limit = hazard.limit
        guard includesPrivate || !hazard.isPrivate, kinds.contains(limit.kind) else { return false }
        guard let most = most[limit.kind], let value = limit.value else { return true }
        return value <= most
    }
}
