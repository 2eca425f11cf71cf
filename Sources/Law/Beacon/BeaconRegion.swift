package import Model
package import Time

/// A beacon fence as the engine monitors it. It is not in the window, but found by the identity of
/// a sighting.
package struct BeaconRegion: Hashable, Sendable {
    /// The id, as for every fence: text, 1…255 bytes of UTF-8.
    package var id: String
    /// The generation of the catalogue in which this id appeared, see ``CatalogueEntry/added``.
    package var added: Generation
    /// Which beacons, and the conditions for a stay.
    package var rule: BeaconRule
    /// The title, at most 1024 bytes of UTF-8; empty if there is none.
    package var title = ""
    /// How long a stay must last for a `dwell` event; zero or less for no such event.
    package var dwell = TimeSpan.zero
    /// Announce `enter` (and `initial`)?
    package var notifyOnEntry = true
    /// Announce `exit`?
    package var notifyOnExit = true
    /// Whether a vehicle that is found inside at the start gives an `enter` instead of an
    /// `initial`.
    package var initialEnter = false
    /// All other properties: the text of one JSON object.
    package var metadata = "{}"

    package init(id: String, added: Generation, pattern: BeaconPattern) {
        self.id = id
        self.added = added
        rule = BeaconRule(pattern)
    }

    /// Nil for a fence with an area.
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

    /// The greatest number in a catalogue: all of them are monitored all the time.
    package static let most = 1_024
}
