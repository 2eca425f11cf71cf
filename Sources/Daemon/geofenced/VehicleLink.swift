import Configuration
import Law
import Model
import Monitoring
import Systemd
import VehicleInputs

/// The inputs of the vehicle that the settings name: its ignition, as a signal on the bus or as a
/// GPIO line, the signal that it has been moved, and its wheels.
@MainActor
final class VehicleLink {
    private let monitoring: MonitoringService
    private let reporting: Reporting
    private let moved: () -> Void
    private var ignitionSignal: SignalWatch?
    private var ignitionLine: LineWatch?
    private var motionSignal: SignalWatch?
    private var wheels: SignalWatch?

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
        let isConfigured = signal != nil || line != nil
        monitoring.awaitIgnition(
            isConfigured ? "its source has said nothing yet" : nil, at: EventLoop.uptime)
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
        monitoring.wheelsGone()
        guard parking.hearsWheels else { return }
        wheels = try SignalWatch(
            on: loop, address: address, line: .wheels, raw: { [weak self] in self?.heardWheels($0) }
        ) { [weak self] reading in
            self?.monitoring.wheelsGone()
            self?.reporting.input("motion of the wheels", reading)
        }
    }

    private func heardWheels(_ value: BusValue) {
        let motion = VehicleMotion(value)
        let wereStanding = monitoring.wheelState(at: EventLoop.uptime) == .standing
        if let refusal = monitoring.hearWheels(motion, at: EventLoop.uptime) {
            reporting.wheels(refused: refusal)
        } else if wereStanding, motion?.isStanding == false {
            moved()
        }
    }

    private func heardIgnition(_ reading: InputReading) {
        reporting.input("ignition", reading)
        switch reading {
        case .on: monitoring.readIgnition(true, at: EventLoop.uptime)
        case .off: monitoring.readIgnition(false, at: EventLoop.uptime)
        case .unclear(let why), .absent(let why):
            monitoring.awaitIgnition(why, at: EventLoop.uptime)
        case .silent: monitoring.ignitionIsSilent()
        }
    }

    private func heardMotion(_ reading: InputReading) {
        switch reading {
        case .on, .unclear: moved()
        case .off: break
        case .absent, .silent: reporting.input("motion", reading)
        }
    }
}
