package import Engine
package import Systemd
import Time

/// Beacons, as BlueZ hears them. While nobody asks there is no connection and no wake-up; a radio
/// that is missing is a state, and it is found again by itself.
@MainActor
package final class BeaconSource {
    /// What it gives.
    package struct Handlers {
        /// What was heard together; not empty.
        package var heard: @MainActor ([BeaconSighting]) -> Void
        /// The state of the radio, at every change.
        package var status: @MainActor (BeaconRadioStatus) -> Void

        package init(
            heard: @escaping @MainActor ([BeaconSighting]) -> Void,
            status: @escaping @MainActor (BeaconRadioStatus) -> Void
        ) {
            self.heard = heard
            self.status = status
        }
    }

    /// What the radio does now.
    package private(set) var status = BeaconRadioStatus(.off, .noRegions)
    private let loop: EventLoop
    private let address: BusAddress
    private let adapter: String?
    private let handlers: Handlers
    private var demand = BeaconDemand()
    private var session: BlueZSession?
    private var backOff = BackOff()
    private var retry: TimerSource?

    /// Behind the fixes: a flood of sightings delays none.
    private static let priority: Int32 = 10

    /// - Parameters:
    ///   - address: of the bus that BlueZ is on.
    ///   - adapter: the only one that may be used, such as `hci1`; nil for any.
    package init(
        on loop: EventLoop, address: BusAddress, adapter: String? = nil, handlers: Handlers
    ) throws(SystemError) {
        self.loop = loop
        self.address = address
        self.adapter = adapter
        self.handlers = handlers
        retry = try TimerSource(loop) { [weak self] in self?.connect() }
    }

    /// From now on this is wanted, and nothing else.
    package func ask(for demand: BeaconDemand) {
        self.demand = demand
        guard !demand.isEmpty else {
            end()
            return tell(.init(.off, .noRegions))
        }
        // Somebody asks: what the radio does is not known yet.
        if status.reason == .noRegions { tell(.init(.off)) }
        if let session { session.want(demand) } else if retry?.isEnabled != true { connect() }
    }

    /// Stops: nothing is called any more, and the radio is left alone.
    package func stop() {
        demand = BeaconDemand()
        end()
    }

    private func end() {
        retry?.disarm()
        session?.close()
        session = nil
    }

    private func connect() {
        guard !demand.isEmpty, session == nil else { return }
        let handlers = BlueZSession.Handlers { [weak self] heard in
            self?.handlers.heard(heard)
        } status: { [weak self] status in
            self?.backOff.succeed()
            self?.tell(status)
        } ended: { [weak self] in
            self?.lost()
        }
        do throws(SystemError) {
            session = try BlueZSession(
                demand, on: loop, address: address, adapter: adapter, priority: Self.priority,
                handlers: handlers)
        } catch {
            lost()
        }
    }

    /// There is no bus.
    private func lost() {
        session?.close()
        session = nil
        let now = EventLoop.uptime
        backOff.fail(at: now)
        if let until = backOff.until { retry?.arm(at: until) }
        tell(.init(.off, .noBluez))
    }

    private func tell(_ status: BeaconRadioStatus) {
        guard status != self.status else { return }
        self.status = status
        handlers.status(status)
    }
}
