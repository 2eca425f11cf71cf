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
        if isOn { onAsked() }
    }

    /// The receiver is left to sleep.
    package var isResting: Bool { tracker.engine.isResting }

    /// The vehicle has been parked for as long as that, and nothing waits for a fix.
    package func mayRest(after span: TimeSpan) -> Bool {
        // Asked at every fix: while driving without a copy of the engine.
        isTowAlarmArmed && tracker.engine.mayRest(after: span)
    }

    /// The receiver is left to sleep, or is looked at again.
    package func rest(_ isOn: Bool, at now: Uptime) {
        handle(.resting(isOn), at: now)
        noteWake()
    }
}
