package import Model
package import Systemd
import Time

/// Receives beacons through BlueZ. While nothing is requested there is no connection and no
/// wake-up. A missing radio is a state; the source recovers by itself when it appears.
@MainActor
package final class BeaconSource {
    /// What the source reports.
    package struct Handlers {
        /// Sightings that arrived together; not empty.
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

    /// The present state of the radio.
    package private(set) var status = BeaconRadioStatus(.off, .noRegions)
    /// The timing of the next connection.
    var settings = BeaconRadioSettings()
    private let loop: EventLoop
    private let address: BusAddress
    private let adapter: String?
    private let handlers: Handlers
    private var demand = BeaconDemand()
    private var session: BlueZSession?
    private var backOff = BackOff()
    private var retry: TimerSource?

    /// A lower priority than the fixes have, which a flood of sightings must not delay.
    private static let priority: Int32 = 10

    /// - Parameters:
    ///   - address: the bus that BlueZ is on.
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

    /// Replaces the demand.
    package func ask(for demand: BeaconDemand) {
        self.demand = demand
        guard !demand.isEmpty else {
            end()
            return tell(.init(.off, .noRegions))
        }
        // The first demand: the state of the radio is not yet known.
        if status.reason == .noRegions { tell(.init(.off)) }
        if let session { session.want(demand) } else if retry?.isEnabled != true { connect() }
    }

    /// Stops: no handler is called any more, and the radio is released.
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
                settings: settings, handlers: handlers)
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
