import Geodesy
import Law
import Model
import Time

/// What the wheels of the vehicle say: section 13 of the law. That the window and a kill change
/// nothing of it, the other properties show, for a third of their scenarios have wheels.
package enum OnWheels {
    package static let carried = Property(
        "standing wheels change no crossing and no doubt, and hide no tow"
    ) { seed in
        let silent = Scenario(seed: seed - seed % 3, steps: 60)
        let standing = silent.reports.map { report in
            var report = report
            report.wheels = WheelReading(speed: 0, isStanding: true, way: 0)
            return report
        }
        let plain = parked(silent, isTowed: true).events
        let carried = parked(Scenario(silent, reports: standing), isTowed: true).events
        let crossings = (plain.filter { $0.kind != .towed }, carried.filter { $0.kind != .towed })
        guard crossings.0.map(Crossing.init) == crossings.1.map(Crossing.init) else {
            return "\(silent): \(plain.count) events, \(carried.count) with standing wheels"
        }
        let isHidden =
            plain.contains { $0.kind == .towed } && !carried.contains { $0.kind == .towed }
        return isHidden ? "\(silent): standing wheels hide a tow" : nil
    }

    package static let forwards = Property(
        "whatever the wheels say, and when, the odometer never goes back"
    ) { seed in
        let scenario = Scenario(seed: seed - seed % 3 + 2, steps: 150)
        return parked(scenario).hasGoneBack ? "\(scenario): back" : nil
    }

    /// What of an event the wheels must not change.
    private struct Crossing: Equatable {
        var kind: EventKind
        var fence: String?
        var time: UTCTime
        var fixTime: UTCTime
        var reason: EventReason?
        var distance: Double?

        init(_ event: Event) {
            kind = event.kind
            fence = event.fence
            time = event.time
            fixTime = event.fixTime
            reason = event.reason
            distance = event.distance
        }
    }

    /// A vehicle whose ignition is off: its events, and whether its odometer has gone back. One that is
    /// towed stands where its drive ends and is then carried 11 km away, for longer than any hole is waited
    /// for: where its place was armed, which wheels may do before, makes no difference.
    private static func parked(
        _ scenario: Scenario, isTowed: Bool = false
    ) -> (events: [Event], hasGoneBack: Bool) {
        let store = MemoryFenceStore(scenario.fences)
        var tracker = Tracker.fresh(store, size: 5)
        var events = tracker.events(.start, at: Uptime(nanoseconds: 0))
        events += tracker.events(.ignition(false), at: Uptime(nanoseconds: 0))
        var (shown, hasGoneBack) = (0.0, false)
        for (report, arrival) in zip(scenario.reports, scenario.arrivals) {
            events += tracker.events(.report(report), at: arrival)
            let metres = tracker.engine.odometer.reading.metres
            hasGoneBack = hasGoneBack || metres < shown
            shown = metres
        }
        guard isTowed, let end = tracker.engine.lastFix else { return (events, hasGoneBack) }
        let last = scenario.arrivals.last ?? end.arrival
        let north = end.coordinate.latitude < 0 ? 1.0 : -1  // Away from the pole.
        for second in stride(from: 1.0, through: 400, by: 4) {
            let metres = 30 * max(0, second - 30)
            let span = TimeSpan.seconds(second)
            var report = PositionReport(
                time: end.time + span, hasFix: true,
                coordinate: Coordinate(
                    latitude: end.coordinate.latitude + north * metres / 111_000,
                    longitude: end.coordinate.longitude),
                error: 5, speed: metres > 0 ? 30 : 0)
            report.wheels = scenario.reports.last?.wheels
            events += tracker.events(.report(report), at: last + span)
        }
        return (events, hasGoneBack)
    }
}
