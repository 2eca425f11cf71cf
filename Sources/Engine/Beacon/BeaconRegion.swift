package import Time

/// A fence of beacons as the engine monitors it. It is not in the window: it is found by the identity
/// of what is heard.
package struct BeaconRegion: Hashable, Sendable {
    /// As of a fence: text, 1…255 bytes of UTF-8.
    package var id: String
    /// The generation of the catalogue in which this id appeared, see ``CatalogueEntry/added``.
    package var added: Generation
    /// Which beacons, and what is asked of them.
    package var rule: BeaconRule
    /// At most 1024 bytes of UTF-8; empty where there is none.
    package var title = ""
    /// How long a stay must last for a `dwell` event; zero or less is none.
    package var dwell = TimeSpan.zero
    /// Announce `enter` (and `initial`)?
    package var notifyOnEntry = true
    /// Announce `exit`?
    package var notifyOnExit = true
    /// Found inside at the start: an `enter` instead of an `initial`.
    package var initialEnter = false
    /// All other properties: the text of one JSON object.
    package var metadata = "{}"

    package init(id: String, added: Generation, pattern: BeaconPattern) {
        self.id = id
        self.added = added
        rule = BeaconRule(pattern)
    }

    /// Nil for a fence of an area.
    package init?(_ fence: Fence, added: Generation) {
        guard let rule = fence.beacons else { return nil }
        self.init(id: fence.id, added: added, pattern: rule.pattern)
        self.rule = rule
        title = fence.title
        dwell = fence.dwell
        notifyOnEntry = fence.notifyOnEntry
        notifyOnExit = fence.notifyOnExit
        initialEnter = fence.initialEnter
        metadata = fence.metadata
    }

    /// The catalogue has no more than this, for every sighting is compared with them.
    package static let most = 256
}
