import Law
import Model
import Time

/// Sightings of as many regions as that, in turn, all of whose stays are open, and of a beacon of
/// none. There is no position, so that every region may fall silent.
/// - Parameter text: how many, or `most`.
func runBeacons(regions text: String, _ options: Options) {
    let most = BeaconRegion.most
    guard let regions = text == "most" ? most : Int(text), (1...most).contains(regions) else {
        fail("1 to \(most) regions: \(text)")
    }
    var drive = HeardRegions(regions)
    // Two sightings open a stay; then the radio has listened for longer than it takes to learn.
    for _ in 0..<40 { drive.pass(over: regions) }
    let count = options.number("count", otherwise: 200_000)
    let passes = max(1, count / regions)
    let (events, watch) = (drive.events, Stopwatch())
    for _ in 0..<passes { drive.pass(over: regions) }
    say("cpu_us_per_sighting", watch.processorSeconds / Double(passes * regions) * 1e6)
    let strangers = Stopwatch()
    for _ in 0..<count { drive.hear(regions) }
    say("cpu_us_per_stranger", strangers.processorSeconds / Double(count) * 1e6)
    say("stays", events)
    say("events", drive.events - events)
}

/// An engine that hears beacons, and what the daemon asks it at each.
private struct HeardRegions {
    private(set) var events = 0
    private var engine = Engine(settings: EngineSettings(), generation: 0)
    private var now = Uptime(nanoseconds: 1_000_000_000_000)
    private var wantsActive = false

    private static let uuid = BeaconUUID(high: 1, low: 2)

    init(_ count: Int) {
        let regions = (0..<count).map { number in
            BeaconRegion(
                id: "dock-\(number)", added: 1,
                pattern: .minor(Self.uuid, major: 0, minor: UInt16(number)))
        }
        take(.start)
        take(.radio(.listening, clock: UTCTime(nanoseconds: 1_700_000_000_000_000_000)))
        take(.beacons(regions))
    }

    private mutating func take(_ input: Input) {
        for case .record(let record) in engine.handle(input, at: now) {
            events += record.events.count
        }
    }

    mutating func hear(_ number: Int) {
        wantsActive = engine.beacons.wantsActiveScan(at: now)
        let identity = BeaconIdentity.proximity(
            Self.uuid, major: 0, minor: UInt16(truncatingIfNeeded: number))
        take(.sighting(BeaconSighting(identity, rssi: -70)))
        if engine.beacons.wantsActiveScan(at: now) != wantsActive { events += 1 }
    }

    /// Each is heard once, within a second.
    mutating func pass(over count: Int) {
        for number in 0..<count {
            hear(number)
            now = now + .seconds(1 / Double(count))
        }
    }
}
