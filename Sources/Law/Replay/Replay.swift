import Geodesy
package import Model
package import Time

/// Runs a recorded drive through the engine as the daemon would have: no clock, no bus, and nothing
/// is stored; only the catalogue of `store` is used. Two replays give the same events.
package struct Replay {
    private var tracker: Tracker
    private let store: CountingStore
    private var clock = ReplayClock()
    private var lastSeq: UInt64 = 0
    private var counts = ReplaySummary()
    /// The remaining sightings, in the order of their times.
    private var sightings: ArraySlice<ReplaySighting> = []
    /// What is still to come of the vehicle's motion.
    private var motions: ArraySlice<ReplayMotion> = []
    private var wheels = Wheels()

    /// - Parameters:
    ///   - settings: of the engine; arrival is derived from receiver time whatever they say.
    ///   - onStoreError: called with the reason when the catalogue cannot answer.
    package init(
        settings: EngineSettings = EngineSettings(), store: any FenceStore,
        onStoreError: @escaping (any Error) -> Void
    ) {
        var settings = settings
        settings.gates.arrivalIsDerived = true
        self.store = CountingStore(store)
        tracker = Tracker(
            engine: Engine(settings: settings, generation: store.generation), store: self.store
        ) { if let error = $0 { onStoreError(error) } }
        _ = handle(.start)
    }

    /// Adds recorded beacons to the drive, in the order of their times. To be called before the
    /// first report.
    package mutating func listen(to recorded: [ReplaySighting], for regions: [BeaconRegion]) {
        sightings = recorded.sorted { $0.time < $1.time }[...]
        _ = handle(.beacons(regions))
        _ = handle(.radio(.listening, clock: UTCTime(nanoseconds: 0)))
    }

    /// Adds what the vehicle said of its motion, in the order of the times. To be called before the
    /// first report.
    package mutating func listen(to recorded: [ReplayMotion]) { motions = recorded[...] }

    /// What was refused of the vehicle's motion, by its reason.
    package var refusedMotions: [WheelRefusal: UInt64] { wheels.refused }

    /// The next report of the recording; gives the events it makes known.
    package mutating func handle(_ report: PositionReport) -> [LoggedEvent] {
        let report = withWheels(report)
        return handle(report, at: clock.arrival(of: report, engine: tracker.engine))
    }

    /// The same, and what becomes of the report.
    package mutating func judge(
        _ report: PositionReport
    ) -> (events: [LoggedEvent], verdict: ReportVerdict) {
        let report = withWheels(report)
        let now = clock.arrival(of: report, engine: tracker.engine)
        let verdict = ReportVerdict(report, at: now, before: tracker.engine.gates)
        return (handle(report, at: now), verdict)
    }

    /// Fixes that are still held, and do not count if the recording ends here.
    package var doubted: [ReportVerdict.Dropped] { tracker.engine.gates.doubted }

    private mutating func handle(_ report: PositionReport, at now: Uptime) -> [LoggedEvent] {
        counts.reports += 1
        counts.duration = now - Uptime(nanoseconds: 0)
        let heard = hear(before: now)
        let before = tracker.engine.gates
        let events = heard + handle(.report(report), at: now)
        clock.follow(tracker.engine)
        if tracker.engine.counters.accepted > before.counters.accepted { wheels.accepted() }
        measure(from: before, to: tracker.engine.gates)
        return events
    }

    /// The report with what the wheels say at it: by the time of the receiver, and of the frames.
    private mutating func withWheels(_ report: PositionReport) -> PositionReport {
        guard let time = report.time, wheels.taken > 0 || !motions.isEmpty else { return report }
        while let next = motions.first, next.time <= time {
            motions.removeFirst()
            _ = wheels.take(next.motion, at: Uptime(nanoseconds: next.time.nanoseconds))
        }
        var report = report
        report.wheels = wheels.reading(at: Uptime(nanoseconds: time.nanoseconds))
        return report
    }

    /// Sets the ignition from here on.
    package mutating func setIgnition(_ isOn: Bool) { _ = handle(.ignition(isOn)) }

    /// Sets the route from here on.
    package mutating func setRoute(_ route: Route) {
        let engine = tracker.engine
        let progress = RouteProgress(
            number: route.number, deadline: clock.now + engine.settings.route.lifetime,
            drivenBefore: engine.odometer.reading.metres, asOf: clock.now)
        _ = handle(.route(FollowedRoute(route, progress)))
    }

    /// The recording is over: counts what the gates still hold.
    package mutating func finish() { tracker.finish() }

    /// The monotonic time of the replay.
    package var now: Uptime { clock.now }

    /// The engine after the last report.
    package var engine: Engine { tracker.engine }

    /// What has been seen so far.
    package var summary: ReplaySummary {
        var summary = counts
        summary.fixes = tracker.engine.counters
        summary.refills = store.refills
        return summary
    }

    /// Beacons of the same instant come after the fix.
    private mutating func hear(before now: Uptime) -> [LoggedEvent] {
        var events: [LoggedEvent] = []
        while let next = sightings.first, next.time < now {
            sightings.removeFirst()
            for sighting in next.sightings { events += handle(.sighting(sighting), at: next.time) }
        }
        return events
    }

    private mutating func handle(_ input: Input, at now: Uptime? = nil) -> [LoggedEvent] {
        var logged: [LoggedEvent] = []
        for directive in tracker.handle(input, at: now ?? clock.now).directives {
            guard case .record(let record) = directive else { continue }
            for event in record.events {
                lastSeq += 1
                counts.events[event.kind, default: 0] += 1
                logged.append(LoggedEvent(seq: lastSeq, event: event, bootID: nil))
            }
        }
        return logged
    }

    /// Adds the segments that became part of the path. None joins a new path to the fix before.
    private mutating func measure(from before: Gates, to after: Gates) {
        guard let end = after.last, let accepted = Int(exactly: after.accepted(since: before))
        else { return }
        switch accepted {
        case 0: return
        case 1:
            if let start = before.last { counts.distance += start.point.distance(to: end.point) }
        default:
            let doubted = after.rebases == before.rebases ? before.held : before.strays
            let path = doubted.suffix(accepted - 1).map(\.point) + [end.point]
            for (start, end) in zip(path, path.dropFirst()) {
                counts.distance += start.distance(to: end)
            }
        }
    }
}

/// The sightings in one recorded advertisement.
package struct ReplaySighting: Hashable, Sendable {
    /// The time since the first report of the drive that has one.
    package var time: Uptime
    /// A sighting for each frame.
    package var sightings: [BeaconSighting]

    package init(time: Uptime, sightings: [BeaconSighting]) {
        self.time = time
        self.sightings = sightings
    }
}

/// The totals of a replay.
package struct ReplaySummary: Hashable, Sendable {
    /// Epochs in the recording, with or without a fix.
    package var reports: UInt64 = 0
    /// Accepted and refused fixes.
    package var fixes = GateCounters()
    /// Events by kind; kinds that did not occur are left out.
    package var events: [EventKind: UInt64] = [:]
    /// Length of the path of accepted fixes, m; jumps and re-bases not counted.
    package var distance = 0.0
    /// How often the window was composed from the catalogue.
    package var refills: UInt64 = 0
    /// From the first report that has a time to the last, by the clock of the replay.
    package var duration = TimeSpan.zero

    package init() {}
}

extension Gates {
    fileprivate func accepted(since before: Gates) -> UInt64 {
        counters.accepted - min(before.counters.accepted, counters.accepted)
    }
}

/// Passes questions on and counts those that compose the window.
private final class CountingStore: FenceStore {
    private let store: any FenceStore
    private(set) var refills: UInt64 = 0

    init(_ store: any FenceStore) { self.store = store }

    var generation: Generation { store.generation }
    var count: Int { store.count }

    func entries(
        meeting box: GeoBox, limit: Int, where isWanted: (CatalogueEntry) -> Bool
    ) throws -> [CatalogueEntry] {
        try store.entries(meeting: box, limit: limit, where: isWanted)
    }

    func entries(ids: [String]) throws -> [CatalogueEntry] { try store.entries(ids: ids) }

    func nearest(to anchor: SurfacePoint, limit: Int) throws -> [RankedEntry] {
        refills += 1
        return try store.nearest(to: anchor, limit: limit)
    }

    func followed() throws -> [CatalogueEntry] { try store.followed() }

    func commit(_ record: EventRecord) throws -> [LoggedEvent] { try store.commit(record) }
}

/// What the vehicle said of its motion on a recorded drive.
package struct ReplayMotion: Hashable, Sendable {
    /// When its frame was received.
    package var time: UTCTime
    /// As it was told.
    package var motion: VehicleMotion

    package init(time: UTCTime, motion: VehicleMotion) {
        self.time = time
        self.motion = motion
    }
}
