import FenceSync
import Systemd

/// Of mode nearby: the daemon, which says where the vehicle is and when it has left what is known.
@MainActor
final class Vehicle {
    /// Why it cannot be asked, otherwise.
    let daemon: Result<DaemonSide, SyncFailure>
    private let origin: String
    /// What the last look has put into the catalogue; nil: there was none.
    private var metafence: Metafence?

    init(
        _ settings: SourceSettings, _ paths: SyncRun.Paths, _ bus: BusAddress, _ loop: EventLoop,
        _ stop: Stop
    ) {
        origin = settings.origin
        do throws(SyncFailure) {
            daemon = .success(
                try DaemonSide(
                    bus: bus, name: settings.busName,
                    metafence: Metafence.id(of: settings.origin), loop: loop, stop: stop))
        } catch { daemon = .failure(error) }
        metafence = Self.metafence(paths, settings.origin)
    }

    private static func metafence(_ paths: SyncRun.Paths, _ origin: String) -> Metafence? {
        paths.keptSet.open().flatMap { Metafence.first(of: $0, origin: origin) }
    }

    /// The place to ask for.
    func place() throws(SyncFailure) -> NearbyFetch.Place {
        guard let place = try daemon.get().place() else {
            throw SyncFailure(
                .notStored,
                "geofenced tells no position: no fix, a doubtful one, or no read-location")
        }
        return place
    }

    /// Without a position there is nothing to ask for yet; without a daemon that is a failure, as
    /// soon as it is due.
    func isDue(_ state: SourceState, _ settings: SourceSettings, _ now: Int64) -> Bool {
        guard case .success(let daemon) = daemon else {
            return SyncSchedule.isDue(state, every: settings.everySeconds, now: now)
        }
        guard let place = try? daemon.place() else { return false }
        let depth = metafence?.depth(of: place.coordinate)
        let isDue = SyncSchedule.isDue(
            state, depth: depth, pause: settings.nearby.pauseSeconds,
            every: settings.everySeconds, now: now)
        if !isDue, let depth, depth >= 0 { try? daemon.acknowledge() }
        return isDue
    }

    /// After a look. An exit is dealt with when the vehicle is in the new metafence: one that has
    /// left it already is brought again by the daemon.
    func confirm(_ paths: SyncRun.Paths) {
        metafence = Self.metafence(paths, origin)
        guard case .success(let daemon) = daemon, let place = try? daemon.place(),
            let depth = metafence?.depth(of: place.coordinate), depth >= 0
        else { return }
        try? daemon.acknowledge()
    }
}
