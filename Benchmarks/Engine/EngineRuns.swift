import FixSources
import Geodesy
import Glibc
import Law
import Model
import Storage
import Time

/// A recorded drive as a live source would deliver it: each report arrives at its receiver time, so
/// that nothing is stale.
struct RecordedDrive {
    let reports: [(report: PositionReport, arrival: Uptime)]

    /// - Parameters:
    ///   - every: only every n-th report.
    ///   - first: at most this many reports of the recording.
    init(_ path: String, every: Int, first: Int = .max) throws {
        let reader = try TrackReader(path: path)
        var reports: [(PositionReport, Uptime)] = []
        var index = 0
        while index < first, let report = try reader.next() {
            defer { index += 1 }
            guard index.isMultiple(of: every), let time = report.time else { continue }
            reports.append((report, Uptime(nanoseconds: time.nanoseconds)))
        }
        guard !reports.isEmpty else { fail("no report with a time: \(path)") }
        self.reports = reports
    }
}

/// Counts the engine's queries to the store.
final class CountingStore: FenceStore {
    private let store: Store
    /// Windows composed.
    private(set) var recentres = 0
    private(set) var questions = 0

    init(_ store: Store) { self.store = store }

    var generation: Generation { store.generation }
    var count: Int { store.count }

    func entries(
        meeting box: GeoBox, limit: Int, where isWanted: (CatalogueEntry) -> Bool
    ) throws -> [CatalogueEntry] {
        questions += 1
        return try store.entries(meeting: box, limit: limit, where: isWanted)
    }

    func entries(ids: [String]) throws -> [CatalogueEntry] {
        questions += 1
        return try store.entries(ids: ids)
    }

    func nearest(to anchor: SurfacePoint, limit: Int) throws -> [RankedEntry] {
        questions += 1
        recentres += 1
        return try store.nearest(to: anchor, limit: limit)
    }

    func followed() throws -> [CatalogueEntry] { try store.followed() }

    func commit(_ record: EventRecord) throws -> [LoggedEvent] { [] }
}

func open(_ state: String) throws -> Store {
    try Store(directory: state, bootID: nil)
}

/// An engine in its initial state, on this store.
private func tracker(_ store: CountingStore) -> Tracker {
    Tracker(
        engine: Engine(settings: EngineSettings(), generation: store.generation), store: store
    ) { if let error = $0 { fail("\(error)") } }
}

/// Drives the engine as fast as it goes; a fresh one on every pass, on a store that stays warm.
func runEngine(state: String, track: String, _ options: Options) throws {
    let drive = try RecordedDrive(
        track, every: options.number("every", otherwise: 1),
        first: options.number("first", otherwise: .max))
    let store = CountingStore(try open(state))
    let passes = options.number("passes", otherwise: 1)
    var events = 0
    var accepted: UInt64 = 0
    let watch = Stopwatch()
    for _ in 0..<passes {
        var tracker = tracker(store)
        _ = tracker.handle(.start, at: drive.reports[0].arrival)
        for (report, arrival) in drive.reports {
            let outcome = tracker.handle(.report(report), at: arrival)
            for case .record(let record) in outcome.directives {
                events += record.events.count
            }
        }
        accepted += tracker.engine.counters.accepted
    }
    let fixes = Double(passes * drive.reports.count)
    say("fixes_per_s", fixes / watch.seconds)
    say("cpu_ns_per_fix", watch.processorSeconds / fixes * 1e9)
    say("fences", store.count)
    say("fixes", drive.reports.count)
    say("accepted_per_pass", Double(accepted) / Double(passes))
    say("events_per_pass", Double(events) / Double(passes))
    say("recentres_per_pass", Double(store.recentres) / Double(passes))
    say("questions_per_pass", Double(store.questions) / Double(passes))
}

/// How long the fixes that compose the window again take, everything included.
func runRecentres(state: String, track: String, _ options: Options) throws {
    let drive = try RecordedDrive(track, every: options.number("every", otherwise: 1))
    let store = CountingStore(try open(state))
    var latencies = Latencies()
    for pass in 0..<3 {
        var tracker = tracker(store)
        _ = tracker.handle(.start, at: drive.reports[0].arrival)
        for (report, arrival) in drive.reports {
            let before = store.recentres
            let begin = clock(CLOCK_MONOTONIC)
            _ = tracker.handle(.report(report), at: arrival)
            // The first pass warms the store.
            if store.recentres > before, pass > 0 { latencies.add(since: begin) }
        }
    }
    say("recentres", latencies.count)
    latencies.report("recentre")
}
