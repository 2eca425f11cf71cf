import Engine
package import Time

// The ignition, and what follows from it.
extension MonitoringService {
    /// The state that was last set; nil if it was never set.
    package var ignition: Bool? { tracker.engine.parking.ignition }

    /// Whether the alarm for a towed vehicle is armed.
    package var isTowAlarmArmed: Bool { tracker.engine.parking.place != nil }

    /// Sets the state of the ignition, as durable as an event.
    package func setIgnition(_ isOn: Bool, at now: Uptime) {
        handle(.ignition(isOn), at: now)
        onStateChanged()
        if isOn { onAsked() }
    }

    /// Whether the receiver may sleep now.
    package var isResting: Bool { tracker.engine.isResting }

    /// Whether the vehicle has been parked for that long, and nothing waits for a fix.
    package func mayRest(after span: TimeSpan) -> Bool {
        // Called at every fix: while driving it returns before the engine is copied.
        isTowAlarmArmed && tracker.engine.mayRest(after: span)
    }

    /// Begins or ends the rest of the receiver.
    package func rest(_ isOn: Bool, at now: Uptime) {
        handle(.resting(isOn), at: now)
        noteWake()
    }
}
