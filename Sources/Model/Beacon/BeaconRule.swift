/// The beacons of a fence, and the conditions for a stay.
package struct BeaconRule: Hashable, Sendable {
    /// The beacons; any number of them form one stay.
    package var pattern: BeaconPattern
    /// How many sightings open a stay, 1…10.
    package var sightings = Self.usualSightings
    /// Only sightings at least this strong open a stay, dBm; needs active scanning.
    package var leastRSSI: Int?
    /// It travels with the vehicle: inside only after 500 m together.
    package var isCompanion = false
    /// Companions of the same group exclude each other, 1…255 bytes of UTF-8; nil if it has none.
    package var group: String?

    package init(_ pattern: BeaconPattern) { self.pattern = pattern }

    /// Of ``sightings``.
    package static let usualSightings = 2
    /// Of ``leastRSSI``, dBm.
    package static let strengths = -127...20
    /// Of ``sightings``.
    package static let counts = 1...10
}
