package import Geodesy
package import Model
package import Schedules
import Time

/// A fence with an area, as read from the store. Copies share their content: a window is composed
/// of entries that were read before, and a fence has a handful of texts.
package struct CatalogueEntry: Hashable, Sendable {
    fileprivate final class Content: Sendable {
        let fence: Fence
        /// That of the fence.
        let area: Area
        let added: Generation
        let key: FenceKey
        /// See ``CatalogueEntry/lineBoxes``.
        let lineBoxes: [GeoBox]
        let hours: OpeningHours?
        let hasTerms: Bool
        let expires: UTCTime?
        /// See ``CatalogueEntry/arriveReach``.
        let arriveReach: Double
        /// Held as long as the content is in memory.
        let lease: (any AnyObject & Sendable)?

        init(
            _ fence: Fence, _ area: Area, _ added: Generation, _ hours: OpeningHours? = nil,
            _ lease: (any AnyObject & Sendable)? = nil
        ) {
            self.lease = lease
            self.fence = fence
            self.area = area
            self.hours = hours
            hasTerms = fence.hasTerms
            expires = hasTerms ? UTCTime(iso8601: fence.terms.expires) : nil
            arriveReach = hasTerms ? Arrival.reach(fence.terms.arrive) : 0
            self.added = added
            key = FenceKey(fence.id)
            guard let approach = fence.approach, case .lines(let lines, _) = area.geometry else {
                lineBoxes = []
                return
            }
            lineBoxes = (lines.prefix(approach.legs.count) + approach.rivals).map {
                GeoBox(bounding: $0) ?? GeoBox(west: -180, south: -90, east: 180, north: 90)
            }
        }
    }

    fileprivate var content: Content

    /// The fence as it was stored.
    package var fence: Fence { content.fence }
    /// The generation in which this id appeared. A fence is `unknown` to the engine until the first
    /// accepted fix after it; an edit keeps the number, a removal and a new addition do not.
    package var added: Generation { content.added }
    /// That of the fence, without a copy of all of it.
    package var id: String { content.fence.id }
    /// That of the fence.
    package var area: Area { content.area }
    /// That of the fence.
    package var approach: Approach? { content.fence.approach }
    /// Around the lines of the legs of its approach, then around the rivals: most of a tree lies
    /// far from any fix.
    var lineBoxes: [GeoBox] { content.lineBoxes }
    /// Whether some terms of the fence differ from the defaults.
    package var hasTerms: Bool { content.hasTerms }
    /// When it expires; nil for never.
    var expires: UTCTime? { content.expires }
    /// How near its boundary the way to it is followed, m; 0 where it is not.
    var arriveReach: Double { content.arriveReach }
    /// Whether the way to it is followed: then it is in every window.
    package var isFollowed: Bool { content.arriveReach > 0 }
    /// The hours of the fence; nil for always.
    package var hours: OpeningHours? { content.hours }
    /// The id of the fence.
    var key: FenceKey { content.key }
    /// Hash of the id.
    var digest: UInt64 { content.key.digest }

    /// Nil for a beacon fence, which the engine is given separately: see ``BeaconRegion``.
    /// - Parameter lease: held as long as any copy is.
    package init?(
        fence: Fence, added: Generation, lease: (any AnyObject & Sendable)? = nil
    ) {
        guard let area = fence.area else { return nil }
        content = Content(fence, area, added, nil, lease)
    }

    fileprivate init(_ content: Content) { self.content = content }

    /// The same, with the hours of its ``FenceTerms/active``.
    package func keeping(_ hours: OpeningHours?) -> CatalogueEntry {
        guard hours != content.hours else { return self }
        var entry = self
        entry.content = Content(fence, area, added, hours, content.lease)
        return entry
    }

    /// That of the fence, m.
    package func signedDistance(to point: SurfacePoint) -> Double {
        content.area.signedDistance(to: point)
    }

    /// Whether it is the fence that was added in that generation: one that was removed and added again
    /// is another one, and has a later generation. An earlier one has only an older catalogue that was
    /// put back.
    func isOne(added generation: Generation) -> Bool { added <= generation }

    func hasID(of other: CatalogueEntry) -> Bool {
        content === other.content || content.key == other.content.key
    }

    package static func == (a: CatalogueEntry, b: CatalogueEntry) -> Bool {
        a.content === b.content
            || (a.added == b.added && a.fence == b.fence && a.hours == b.hours)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(fence)
        hasher.combine(added)
    }
}

/// A fence and its distance from the point of the query.
package struct RankedEntry: Hashable, Sendable {
    /// The fence.
    package var entry: CatalogueEntry
    /// m, negative inside.
    package var signedDistance: Double

    package init(entry: CatalogueEntry, signedDistance: Double) {
        self.entry = entry
        self.signedDistance = signedDistance
    }
}

/// A weak reference to an entry.
package struct WeakCatalogueEntry: Sendable {
    private weak let content: CatalogueEntry.Content?

    package init(_ entry: CatalogueEntry) { content = entry.content }

    /// Nil once no strong copy is left.
    package var entry: CatalogueEntry? { content.map { CatalogueEntry($0) } }
}

extension Sequence where Element == CatalogueEntry {
    /// The entries by id.
    var byKey: [FenceKey: CatalogueEntry] {
        Dictionary(map { ($0.key, $0) }) { first, _ in first }
    }
}
