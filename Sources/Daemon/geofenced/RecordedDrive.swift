import FixSources
import Law
import Model
import Monitoring
import Time

/// A recording as the source: its reports are the clock, and drive the timers. They arrive one by
/// one, and recorded beacons are inserted in the order of their times.
@MainActor
final class RecordedDrive {
    private var clock = ReplayClock()
    private var sightings: ArraySlice<ReplaySighting>
    private let hasBeacons: Bool

    /// Nil for a source that is not a recording.
    /// - Throws: `TrackError` for sightings that cannot be read.
    init?(_ uri: FixSourceURI) throws {
        guard case .replay(_, _, let beacons) = uri else { return nil }
        hasBeacons = beacons != nil
        sightings =
            try beacons.map { path in
                try SightingFile.read(path: path).sorted { $0.time < $1.time }[...]
            } ?? []
    }

    var now: Uptime { clock.now }

    /// Before the first report.
    func begin(_ monitoring: MonitoringService) {
        if hasBeacons { monitoring.radioChanged(to: BeaconRadioStatus(.ranging), at: now) }
    }

    func receive(_ reports: [ArrivedReport], _ monitoring: MonitoringService) {
        for report in reports.lazy.map(\.report) {
            let arrival = clock.arrival(of: report, engine: monitoring.engine)
            // Beacons of the same instant come after the fix.
            while let next = sightings.first, next.time < arrival {
                sightings.removeFirst()
                monitoring.hear(next.sightings, at: next.time)
            }
            monitoring.receive(report, at: arrival)
            clock.follow(monitoring.engine)
        }
    }
}
