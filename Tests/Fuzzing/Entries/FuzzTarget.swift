/// A component that takes arbitrary bytes: from libFuzzer (`make fuzz`), and from the corpus in the
/// tests.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// NMEA of a receiver.
    case nmea
    /// JSON of gpsd.
    case gpsd
    /// A server instead of gpsd, with connections that end.
    case gpsdSession = "gpsd-session"
    /// Fence files of every format.
    case fences
    /// Values of tags that limit what may pass.
    case limits
    /// Answers of services of fences.
    case sources
    /// Messages, dates and files of a box and of its back office.
    case fleet
    /// Areas that are accepted, and the records of the catalogue.
    case areas
    /// Fences and fixes, windowed and not.
    case engine
    /// Advertisements of beacons.
    case beacon
    /// The law of beacons.
    case beaconLaw = "beacon-law"
    /// Calls over D-Bus.
    case bus
    /// Requests to the live map, and its settings.
    case web
    /// Hours of a fence.
    case hours
    /// Frames of the vehicle's network.
    case can

    /// The failure with these bytes, other than a trap; nil if there is none. On the main thread.
    package func flaw(_ bytes: [UInt8]) -> String? {
        switch self {
        case .nmea: NmeaFuzz.flaw(bytes)
        case .gpsd: GpsdFuzz.flaw(bytes)
        case .gpsdSession: GpsdSessionFuzz.flaw(bytes)
        case .fences: FenceFileFuzz.flaw(bytes)
        case .limits: LimitFuzz.flaw(bytes)
        case .sources: SourceFuzz.flaw(bytes)
        case .fleet: FleetFuzz.flaw(bytes)
        case .areas: AreaFuzz.flaw(bytes)
        case .engine: EngineFuzz.flaw(bytes)
        case .beacon: BeaconFuzz.flaw(bytes)
        case .beaconLaw: BeaconLawFuzz.flaw(bytes)
        case .hours: HoursFuzz.flaw(bytes)
        case .can: CanFuzz.flaw(bytes)
        // On the main thread, as libFuzzer and the tests are.
        case .bus: MainActor.assumeIsolated { BusFuzz.flaw(bytes) }
        case .web: WebFuzz.flaw(bytes)
        }
    }
}
