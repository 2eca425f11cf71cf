package import Engine

/// What somebody wants to hear. Nobody: the radio is not used, and no connection is open.
package struct BeaconDemand: Hashable, Sendable {
    /// Of the regions and of the ranging sessions; those of other beacons are not reported to us.
    package var patterns: Set<BeaconPattern> = []
    /// How strong each sighting is, and all of them: scans actively, without pause.
    package var isActive = false

    package init() {}

    /// Nobody asks.
    package var isEmpty: Bool { patterns.isEmpty }
}
