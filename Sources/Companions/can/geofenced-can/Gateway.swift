import CANGateway
import Program
import Service
import Systemd

/// The wiring: the network, and the bus on which it is told, on one loop.
@MainActor
final class Gateway {
    private let service: Service
    private let bus: BusConnection
    private var object: CANObject?
    private var listener: CANListener?

    init(_ address: BusAddress, _ settings: CANSettings, _ service: Service) throws {
        self.service = service
        // The service manager starts it again.
        bus = try BusConnection(
            to: address, loop: service.loop,
            disconnected: { [service] in service.fail("the bus has gone") })
        object = try CANObject(
            bus, interface: settings.interface,
            counters: { [weak self] in (self?.listener?.frames ?? 0, self?.listener?.ignored ?? 0)
            },
            ready: { [weak self] in self?.listen(settings) },
            failed: { [service] in service.fail($0) })
    }

    /// Until a signal ends it; returns the exit status.
    func run() throws -> ExitStatus { try service.run() }

    private func listen(_ settings: CANSettings) {
        service.manager.ready()
        do {
            listener = try CANListener(
                service.loop, settings,
                .init(
                    moved: { [weak self] in self?.object?.tell($0) },
                    ignition: { [weak self] in self?.object?.tell(ignition: $0) },
                    state: { [weak self] state, why in
                        self?.object?.tell(state: state.rawValue)
                        self?.service.manager.status("\(state.rawValue): \(why)")
                        self?.service.log.write(.notice, "\(state.rawValue): \(why)")
                    }))
        } catch { service.fail("cannot start: \(error)") }
    }
}
