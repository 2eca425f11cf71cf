package import Geodesy
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
