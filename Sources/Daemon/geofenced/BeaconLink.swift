import BeaconSource
import Engine
import Monitoring
import Systemd
import Time

/// The radio that hears beacons. It is used only while somebody asks: for fences of beacons, or in
/// a session of ranging; actively only while that is needed.
@MainActor
final class BeaconLink {
    private let tracking: MonitoringService
    private var source: BeaconSource?
    /// What sessions of ranging want to hear.
    private var ranged: Set<BeaconPattern> = []
    private var review: TimerSource?

    /// What is needed of active scanning is looked at this often while nothing is heard.
    private static let reviewInterval = TimeSpan.seconds(5)

    /// - Parameters:
    ///   - address: of the bus that BlueZ is on.
    ///   - adapter: the only one that may be used; nil for any.
    init(
        _ address: BusAddress, adapter: String?, loop: EventLoop, tracking: MonitoringService
    ) throws(SystemError) {
        self.tracking = tracking
        let handlers = BeaconSource.Handlers { [weak tracking] sightings in
            tracking?.hear(sightings, at: EventLoop.uptime)
        } status: { [weak tracking] status in
            tracking?.radioChanged(to: status, at: EventLoop.uptime)
        }
        source = try BeaconSource(
            on: loop, address: address, adapter: adapter, handlers: handlers)
        review = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.ask() }
        tracking.onBeaconsWanted = { [weak self] in self?.ask() }
    }

    /// Asks for what is wanted now, and for nothing else.
    func ask() {
        var demand = BeaconDemand()
        demand.patterns = tracking.beaconPatterns.union(ranged)
        demand.isActive = !ranged.isEmpty || tracking.wantsActiveScan(at: EventLoop.uptime)
        source?.ask(for: demand)
        // What is no longer heard says nothing of it.
        if demand.isActive, ranged.isEmpty {
            review?.arm(at: EventLoop.uptime + Self.reviewInterval)
        } else {
            review?.disarm()
        }
    }

    /// Sessions of ranging want to hear these from now on.
    func range(_ patterns: Set<BeaconPattern>) {
        guard patterns != ranged else { return }
        ranged = patterns
        ask()
    }

    /// The radio is left alone.
    func stop() { source?.stop() }
}
