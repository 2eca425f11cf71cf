package import Geodesy
package import Schedules
package import Time

/// The area or the beacons of a fence.
package enum FenceSubject: Hashable, Sendable {
    /// An area, checked and measured: no fence has an invalid area.
    case area(Area)
    /// Beacons; in GeoJSON a Feature whose geometry is null.
    case beacons(BeaconRule)
}

/// A catalogue entry: an area or beacons, with an id, and the events that it gives.
package struct Fence: Hashable, Sendable {
    /// Text, unique in the catalogue, 1…255 bytes of UTF-8; 7 and "7" are the same.
    package var id: String
    /// The area or the beacons.
    package var subject: FenceSubject
    /// At most 1024 bytes of UTF-8; empty where there is none.
    package var title: String
    package var description: String
    /// How long a stay must last for a `dwell` event; zero or less is none.
    package var dwell: TimeSpan
    /// Announce `enter` (and `initial`)?
    package var notifyOnEntry: Bool
    /// Announce `exit`?
    package var notifyOnExit: Bool
    /// Found inside at the first fix: an `enter` instead of an `initial`.
    package var initialEnter: Bool
    /// All other properties, unchanged: the text of one JSON object, "{}" when empty.
    package var metadata: String
    /// How the hazard is reached that the fence is. Such a fence gives `advisory`, `urgent` and
    /// `clear`, and neither `enter` nor `exit`; nil for an ordinary fence. Only for areas.
    package var approach: Approach?
    /// Nil if all terms have their default values, as for most fences.
    @Boxed private var unusualTerms: FenceTerms? = nil

    /// The terms of the fence.
    package var terms: FenceTerms {
        get { unusualTerms ?? FenceTerms() }
        set { unusualTerms = newValue == FenceTerms() ? nil : newValue }
    }

    /// Whether some terms differ from the defaults.
    package var hasTerms: Bool { if case .present = _unusualTerms { true } else { false } }

    /// Whether the way to it is followed, see ``CatalogueEntry/isFollowed``.
    package var isFollowed: Bool { hasTerms && terms.arrive > .zero }

    package init(
        id: String, subject: FenceSubject, title: String = "", description: String = "",
        dwell: TimeSpan = .zero, notifyOnEntry: Bool = true, notifyOnExit: Bool = true,
        initialEnter: Bool = false, metadata: String = "{}", approach: Approach? = nil
    ) {
        self.id = id
        self.subject = subject
        self.title = title
        self.description = description
        self.dwell = dwell
        self.notifyOnEntry = notifyOnEntry
        self.notifyOnExit = notifyOnExit
        self.initialEnter = initialEnter
        self.metadata = metadata
        self.approach = approach
    }

    /// Makes a fence with an area.
    package init(
        id: String, area: Area, title: String = "", description: String = "",
        dwell: TimeSpan = .zero, notifyOnEntry: Bool = true, notifyOnExit: Bool = true,
        initialEnter: Bool = false, metadata: String = "{}", approach: Approach? = nil
    ) {
        self.init(
            id: id, subject: .area(area), title: title, description: description, dwell: dwell,
            notifyOnEntry: notifyOnEntry, notifyOnExit: notifyOnExit, initialEnter: initialEnter,
            metadata: metadata, approach: approach)
    }

    /// Its area; nil for a beacon fence.
    package var area: Area? {
        if case .area(let area) = subject { area } else { nil }
    }

    /// Its beacons; nil for a fence with an area.
    package var beacons: BeaconRule? {
        if case .beacons(let rule) = subject { rule } else { nil }
    }
}

/// The number of a state of the catalogue: every change that is committed raises it.
package typealias Generation = UInt64

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

/// A weak reference to an entry.
package struct WeakCatalogueEntry: Sendable {
    private weak let content: CatalogueEntry.Content?

    package init(_ entry: CatalogueEntry) { content = entry.content }

    /// Nil once no strong copy is left.
    package var entry: CatalogueEntry? { content.map { CatalogueEntry($0) } }
}
