import BusClient
package import Systemd

/// Asks the driver, once each time that it is missing, for what nobody else knows: the height of the
/// vehicle.
@MainActor
package struct VehicleReminder {
    private let units: AlertUnits
    /// What was asked for last.
    private var asked: Set<String> = []

    package init(units: AlertUnits) { self.units = units }

    /// What to ask for now; nil if nothing is missing, or it was asked for before.
    package mutating func line(_ properties: [String: BusValue]) -> String? {
        let status = DaemonStatus(properties: properties)
        let missing = Set(status.degraded).intersection(["vehicle-unset", "height-not-confirmed"])
        defer { asked = missing }
        guard !missing.isSubset(of: asked), let vehicle = status.vehicle else { return nil }
        let height = vehicle.heightText(isImperial: units.isImperial ?? false)
        return missing.contains("vehicle-unset")
            ? "The height of the vehicle is not set. \(height) is assumed."
            : "Please confirm the height of the vehicle: \(height)."
    }
}
