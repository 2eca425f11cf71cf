import Configuration
import Monitoring
import Systemd
import VehicleInputs

/// The inputs of the vehicle that the settings name: its ignition, as a signal on the bus or as a
/// GPIO line, and the signal that it has been moved.
@MainActor
final class VehicleLink {
    private let monitoring: MonitoringService
    private let reporting: Reporting
    private let moved: () -> Void
    private var ignitionSignal: SignalWatch?
    private var ignitionLine: LineWatch?
    private var motionSignal: SignalWatch?

    /// - Parameters:
    ///   - address: the bus of the signals.
    ///   - moved: called when the vehicle may have been moved.
    init(
        _ parking: Settings.Parking, on address: BusAddress, loop: EventLoop,
        monitoring: MonitoringService, reporting: Reporting, moved: @escaping () -> Void
    ) throws(SystemError) {
        self.monitoring = monitoring
        self.reporting = reporting
        self.moved = moved
        let (signal, line) = (parking.ignitionSignal, parking.ignitionLine)
        // Until the source speaks: the vehicle may have been started since the last process.
        monitoring.ignitionSourceChanged(isGone: signal != nil || line != nil)
        if let signal {
            ignitionSignal = try SignalWatch(on: loop, address: address, line: signal) {
                [weak self] in self?.heardIgnition($0)
            }
        }
        if let line {
            ignitionLine = try LineWatch(on: loop, line: line) { [weak self] in
                self?.heardIgnition($0)
            }
        }
        if let motion = parking.motionSignal {
            motionSignal = try SignalWatch(on: loop, address: address, line: motion) {
                [weak self] in self?.heardMotion($0)
            }
        }
    }

    private func heardIgnition(_ reading: InputReading) {
        reporting.input("ignition", reading)
        switch reading {
        case .on: monitoring.readIgnition(true, at: EventLoop.uptime)
        case .off: monitoring.readIgnition(false, at: EventLoop.uptime)
        case .unclear, .absent: monitoring.ignitionSourceChanged(isGone: true)
        }
    }

    private func heardMotion(_ reading: InputReading) {
        switch reading {
        case .on, .unclear: moved()
        case .off: break
        case .absent: reporting.input("motion", reading)
        }
    }
}
