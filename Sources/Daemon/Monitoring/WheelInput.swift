package import Law
package import Model
package import Time

// The wheels of the vehicle, as its own network tells of them.
extension MonitoringService {
    /// Takes one word of the vehicle on its motion. Gives the reason where it is refused, or a part of
    /// it: see ``WheelRefusal``.
    /// - Parameter motion: nil is refused.
    package func hearWheels(_ motion: VehicleMotion?, at now: Uptime) -> String? {
        guard let motion else { return wheels.refuse(.incomplete).rawValue }
        return wheels.take(motion, at: now)?.rawValue
    }

    /// Who spoke for the wheels is not on the bus any more, or is another.
    package func wheelsGone() { wheels.forget() }

    /// Whether the wheels speak, and what they do.
    package func wheelState(at now: Uptime) -> Wheels.State { wheels.state(at: now) }

    /// What the vehicle's own odometer shows, m; nil where it does not say.
    package var vehicleOdometer: Double? { wheels.odometer }

    /// What was taken and refused of the wheels, by name.
    package var wheelCounters: [(name: String, count: UInt64)] {
        [("accepted", wheels.taken)]
            + WheelRefusal.allCases.map { ($0.rawValue, wheels.refused[$0] ?? 0) }
    }

    /// The report as it came, with what the wheels say when it arrived; gives what
    /// ``handle(_:at:_:)`` does.
    func handleWithWheels(
        _ report: PositionReport, at arrival: Uptime, _ record: inout EventRecord?
    ) -> Bool {
        guard wheels.taken > 0 else { return handle(.report(report), at: arrival, &record) }
        var report = report
        report.wheels = wheels.reading(at: arrival)
        let accepted = tracker.engine.counters.accepted
        let isUneventful = handle(.report(report), at: arrival, &record)
        if tracker.engine.counters.accepted > accepted { wheels.accepted() }
        return isUneventful
    }
}
