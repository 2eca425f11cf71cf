/// What is fed with arbitrary bytes: by libFuzzer (`make fuzz`), and with the corpus by the tests.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// What a receiver says.
    case nmea
    /// What gpsd says.
    case gpsd
    /// Fence files of every format.
    case fences
    /// Fences and fixes, windowed and not.
    case engine

    /// What went wrong with these bytes, short of a trap; nil where nothing did.
    package func flaw(_ bytes: [UInt8]) -> String? {
        switch self {
        case .nmea: NmeaFuzz.flaw(bytes)
        case .gpsd: GpsdFuzz.flaw(bytes)
        case .fences: FenceFileFuzz.flaw(bytes)
        case .engine: EngineFuzz.flaw(bytes)
        }
    }
}
