package import Model

/// The sightings that are requested. While it is empty, the radio is not used, and no connection to
/// the bus is open.
package struct BeaconDemand: Hashable, Sendable {
    /// The patterns of the regions and of the ranging sessions; BlueZ reports no other beacons.
    package var patterns: Set<BeaconPattern> = []
    /// Every sighting is needed, with its strength: scans actively, without pause.
    package var isActive = false

    package init() {}

    /// Nothing is requested.
    package var isEmpty: Bool { patterns.isEmpty }
}
