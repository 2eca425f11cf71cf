package import Time

/// A fence without an area: the vehicle is inside while its beacons are heard. Not in the window:
/// found by the identity of what is heard.
package struct BeaconRegion: Hashable, Sendable {
    /// As of a fence: text, 1…255 bytes of UTF-8.
    package var id: String
    /// The generation of the catalogue in which this id appeared, see ``CatalogueEntry/added``.
    package var added: Generation
    /// Whose beacons it holds; any number of them is one stay.
    package var pattern: BeaconPattern
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
    /// How many sightings open a stay, 1…10.
    package var sightings = 2
    /// Only sightings at least this strong open a stay, dBm; asks for active scanning.
    package var leastRSSI: Int?
    /// It goes where the vehicle goes: it is inside only after 500 m together.
    package var isCompanion = false
    /// Companions of the same group exclude each other; nil where it has none.
    package var group: String?

    package init(id: String, added: Generation, pattern: BeaconPattern) {
        self.id = id
        self.added = added
        self.pattern = pattern
    }
}

extension BeaconRegion {
    /// More regions than this are not monitored.
    package static let most = 256
    /// Of `min_rssi`, dBm.
    package static let strengths = -127...20
    /// Of `sightings`.
    package static let counts = 1...10

    /// What is wrong with a region; nil for a good one.
    package var flaw: String? {
        if let flaw = FenceRules.flaw(id: id) { return flaw }
        if !Self.counts.contains(sightings) { return "sightings \(sightings) is not 1 to 10" }
        if let leastRSSI, !Self.strengths.contains(leastRSSI) {
            return "min_rssi \(leastRSSI) is not -127 to 20"
        }
        if group != nil, !isCompanion { return "a group without companion" }
        if group?.isEmpty == true { return "the group is empty" }
        return nil
    }
}
