import BeaconSource
import Model
import Monitoring
import Systemd
import Time

/// The radio that receives beacons. It is used only while beacon fences or ranging sessions need
/// it, and scans actively only while that is needed.
@MainActor
final class BeaconLink {
    private let monitoring: MonitoringService
    private var source: BeaconSource?
    /// The demand of the ranging sessions.
    private var ranged: Set<BeaconPattern> = []
    private var review: TimerSource?

    /// How often the need for active scanning is checked while nothing is heard.
    private static let reviewInterval = TimeSpan.seconds(5)

    /// - Parameters:
    ///   - address: the bus that BlueZ is on.
    ///   - adapter: the only one that may be used; nil for any.
    init(
        _ address: BusAddress, adapter: String?, loop: EventLoop, monitoring: MonitoringService
    ) throws(SystemError) {
        self.monitoring = monitoring
        let handlers = BeaconSource.Handlers { [weak monitoring] sightings in
            monitoring?.hear(sightings, at: EventLoop.uptime)
        } status: { [weak monitoring] status in
            monitoring?.radioChanged(to: status, at: EventLoop.uptime)
        }
        source = try BeaconSource(
            on: loop, address: address, adapter: adapter, handlers: handlers)
        review = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.ask() }
    }

    /// Passes the present demand to the source.
    func ask() {
        var demand = BeaconDemand()
        demand.patterns = monitoring.beaconPatterns.union(ranged)
        demand.isActive = !ranged.isEmpty || monitoring.wantsActiveScan(at: EventLoop.uptime)
        source?.ask(for: demand)
        // Nothing calls this when a beacon is no longer heard, so a timer does.
        if demand.isActive, ranged.isEmpty {
            review?.arm(at: EventLoop.uptime + Self.reviewInterval)
        } else {
            review?.disarm()
        }
    }

    /// Replaces the demand of the ranging sessions.
    func range(_ patterns: Set<BeaconPattern>) {
        guard patterns != ranged else { return }
        ranged = patterns
        ask()
    }

    /// Releases the radio.
    func stop() { source?.stop() }
}
