import Geodesy
package import Law
package import Model
package import Time

/// A vehicle on a straight road, with beacons that are heard when the test says so.
package struct BeaconDrive {
    /// The events of the engine, oldest first.
    package private(set) var events: [Event] = []
    /// The monotonic clock.
    package private(set) var now = Uptime(nanoseconds: 1_000_000_000_000)
    /// The distance driven, m.
    package private(set) var way = 0.0
    /// The engine.
    package private(set) var tracker: Tracker
    /// Whether there are fixes, one a second.
    package var hasPosition = true

    private let store = MemoryFenceStore()
    private let start = Coordinate(latitude: 48, longitude: 11)
    /// Receiver time of the monotonic clock's zero.
    private var zero = Self.firstZero
    private static let firstZero = UTCTime(nanoseconds: 1_700_000_000_000_000_000)

    /// The UUID of all beacons.
    package static let uuid = BeaconUUID(high: 1, low: 2)

    /// - Parameter hasListened: the radio has listened for a minute, so that a stay opens with
    ///   `enter`.
    package init(_ regions: [BeaconRegion], hasListened: Bool = true) {
        tracker = .fresh(store)
        give(.start)
        give(.beacons(regions))
        guard hasListened else { return }
        radio(.listening)
        pass(60)
    }

    /// A region of the beacon with that minor number.
    package static func region(_ id: String, minor: UInt16 = 1) -> BeaconRegion {
        BeaconRegion(id: id, added: 1, pattern: .minor(uuid, major: 0, minor: minor))
    }

    /// Kinds, regions and reasons of the events.
    package var told: [String] {
        events.map { event in
            [event.kind.name, event.fence, event.reason?.name].compactMap(\.self).joined(
                separator: " ")
        }
    }

    /// The clock of the receiver, s since the beginning.
    package var time: Double { (now - Uptime(nanoseconds: 1_000_000_000_000)).seconds }

    /// When an event happened, on the same clock.
    package func time(of event: Event) -> Double {
        (event.time - Self.firstZero).seconds - 1_000
    }

    /// Gives the engine an input now.
    package mutating func give(_ input: Input) {
        events += tracker.events(input, at: now, committingTo: store)
    }

    /// The open stays of the store.
    package var openStays: [OpenStay] { store.openStays }

    /// A power cut of that many seconds: the engine resumes from the store, on a monotonic clock
    /// that starts again, and before the radio listens.
    package mutating func cutPower(for seconds: Double, regions: [BeaconRegion]) {
        let receiver = receiverTime + .seconds(seconds)
        now = Uptime(nanoseconds: 10_000_000_000)
        zero = receiver + (.boot - now)
        let engine = Engine(
            settings: EngineSettings(), generation: 0, known: 1, stays: store.openStays,
            beacons: regions)
        tracker = tracker.continuing(with: engine)
        give(.start)
        radio(.deaf)
    }

    package mutating func radio(_ state: RadioState) {
        give(.radio(state, clock: receiverTime))
    }

    /// A sighting now.
    package mutating func hear(_ minor: UInt16 = 1, rssi: Int? = -70) {
        let identity = BeaconIdentity.proximity(Self.uuid, major: 0, minor: minor)
        give(.sighting(BeaconSighting(identity, rssi: rssi)))
    }

    /// Lets time pass, at a speed in m/s, with timers and fixes once a second and at the end.
    /// - Parameter hearing: the beacons that are heard at an interval in seconds.
    package mutating func pass(
        _ seconds: Double, speed: Double = 0, hearing: (every: Double, minors: [UInt16])? = nil
    ) {
        let end = now + .seconds(seconds)
        var fix = now + .seconds(1)
        var sighting = hearing.map { now + .seconds($0.every) }
        while now < end {
            let next = min(end, fix, sighting ?? end)
            way += (next - now).seconds * speed
            now = next
            if now == fix || now == end {
                if hasPosition { report(speed: speed) } else { give(.timer) }
                if now == fix { fix = now + .seconds(1) }
            }
            if now == sighting, let hearing {
                for minor in hearing.minors { hear(minor) }
                sighting = now + .seconds(hearing.every)
            }
        }
    }

    /// Kills the process; it resumes from its checkpoint that many seconds later.
    package mutating func kill(for seconds: Double, regions: [BeaconRegion]) {
        guard let checkpoint = tracker.engine.checkpoint else { return }
        now = now + .seconds(seconds)
        let engine = Engine(
            settings: EngineSettings(), generation: 0, checkpoint: checkpoint, entries: [],
            stays: [], beacons: regions)
        tracker = tracker.continuing(with: engine)
        give(.start)
    }

    /// The receiver's time of now.
    package var receiverTime: UTCTime { zero + (now - .boot) }

    private mutating func report(speed: Double) {
        let report = PositionReport(
            time: receiverTime, hasFix: true,
            coordinate: start.moved(by: way, toward: 90), error: 5, speed: speed, course: 90)
        give(.report(report))
    }
}
