import Law
import Model
package import Time

// The ignition, and what follows from it.
extension MonitoringService {
    /// The state that was last set; nil if it was never set, or if its source has gone since.
    package var ignition: Bool? {
        awaited.isIgnitionSourceGone ? nil : tracker.engine.parking.ignition
    }

    /// Whether the alarm for a towed vehicle is armed.
    package var isTowAlarmArmed: Bool { tracker.engine.parking.place != nil }

    /// Sets the state of the ignition, as durable as an event.
    package func setIgnition(_ isOn: Bool, at now: Uptime) {
        awaited.isIgnitionSourceGone = false
        endIgnitionWait()
        handle(.ignition(isOn), at: now)
        notify(.stateChanged)
        if isOn { notify(.positionWanted) }
    }

    /// Takes a reading of a source of the ignition. The same state again is nothing new.
    package func readIgnition(_ isOn: Bool, at now: Uptime) {
        if ignition != isOn { setIgnition(isOn, at: now) }
    }

    /// What speaks for the ignition has gone, or is there again, so that what was last set counts. The
    /// alarm stays as it was: a program that ends, or a cut wire, does not disarm it.
    func ignitionSourceChanged(isGone: Bool) {
        guard awaited.isIgnitionSourceGone != isGone else { return }
        awaited.isIgnitionSourceGone = isGone
        notify(.stateChanged)
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
        fixAwaitsRest(isOn, at: now)
        noteWake()
    }
}
