import Engine
package import Time

// The ignition, and what follows from it.
extension MonitoringService {
    /// As it was last said to be; nil where nobody has.
    package var ignition: Bool? { tracker.engine.parking.ignition }

    /// The alarm for a vehicle that is towed is armed.
    package var isTowAlarmArmed: Bool { tracker.engine.parking.place != nil }

    /// The ignition is on, or off: durable as an event is.
    package func setIgnition(_ isOn: Bool, at now: Uptime) {
        handle(.ignition(isOn), at: now)
        onStateChanged()
    }
}
