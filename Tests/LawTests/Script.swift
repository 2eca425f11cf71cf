import EngineTestKit
import Geodesy
import Law
import Model
import Time

/// A scripted drive: reports along a straight line to the east, `x` metres from the origin, so that
/// a test can be read as a table of time, position, error and speed.
struct Script {
    static let origin = Coordinate(latitude: 48, longitude: 11)
    static let epoch: Int64 = 1_700_000_000

    var settings = EngineSettings()
    private(set) var store: MemoryFenceStore
    private(set) var tracker: Tracker
    private(set) var events: [Event] = []

    init(_ fences: [Fence], settings: EngineSettings = EngineSettings()) {
        self.settings = settings
        store = MemoryFenceStore(fences)
        tracker = Tracker(
            engine: Engine(settings: settings, generation: store.generation), store: store
        ) { _ in }
        events = tracker.events(.start, at: Uptime(nanoseconds: 0))
    }

    static func place(_ x: Double, _ y: Double = 0) -> Coordinate {
        origin.moved(by: x.magnitude, toward: x < 0 ? 270 : 90)
            .moved(by: y.magnitude, toward: y < 0 ? 180 : 0)
    }

    /// A circle whose centre is `x` metres east of the origin.
    static func circle(
        _ id: String, x: Double, radius: Double, dwell: Double = 0
    ) throws -> Fence {
        Fence(
            id: id, area: try Area(.circle(center: place(x), radius: radius)),
            dwell: .seconds(dwell))
    }

    static func report(
        _ seconds: Double, x: Double, y: Double = 0, error: Double? = 5, speed: Double? = nil
    ) -> PositionReport {
        PositionReport(
            time: time(seconds), hasFix: true, coordinate: place(x, y), error: error, speed: speed)
    }

    static func time(_ seconds: Double) -> UTCTime {
        UTCTime(nanoseconds: epoch * 1_000_000_000) + .seconds(seconds)
    }

    static func uptime(_ seconds: Double) -> Uptime {
        Uptime(nanoseconds: 1_000_000_000_000) + .seconds(seconds)
    }

    /// One report; it arrives at its receiver time, unless `arriving` is given.
    mutating func at(
        _ seconds: Double, x: Double, y: Double = 0, error: Double? = 5, speed: Double? = nil,
        arriving: Double? = nil
    ) {
        send(
            Self.report(seconds, x: x, y: y, error: error, speed: speed),
            arriving: arriving ?? seconds)
    }

    mutating func send(_ report: PositionReport, arriving: Double) {
        events += tracker.events(.report(report), at: Self.uptime(arriving))
    }

    /// Time passes without a report.
    mutating func wait(until seconds: Double) {
        events += tracker.events(.timer, at: Self.uptime(seconds))
    }

    mutating func change(upserts: [Fence] = [], removing ids: [String] = []) throws {
        _ = try store.apply(upserts: upserts, removing: ids)
        let now = tracker.engine.lastFix?.arrival ?? Uptime(nanoseconds: 0)
        events += tracker.events(.catalogueChanged(store.generation), at: now)
    }

    /// Continues with another engine.
    mutating func restart(with engine: Engine) {
        tracker = tracker.continuing(with: engine)
        events += tracker.events(.start, at: Self.uptime(0))
    }

    /// Any other input.
    mutating func take(_ input: Input, at seconds: Double) {
        events += tracker.events(input, at: Self.uptime(seconds))
    }

    /// `kind fence reason`, one per event.
    var told: [String] {
        events.map { event in
            [event.kind.name, event.fence, event.reason?.name].compactMap { $0 }
                .joined(separator: " ")
        }
    }

    /// Seconds of the events since the epoch of the script.
    var times: [Double] { events.map { ($0.time - Self.time(0)).seconds } }

    var counters: GateCounters { tracker.engine.counters }
}
