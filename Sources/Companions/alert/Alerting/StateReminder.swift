import BusClient
package import Systemd

/// Tells the driver, once each time that it begins, what keeps warnings away or makes them wrong: low
/// bridges that were lost, and the height of the vehicle, which nobody else knows.
@MainActor
package struct StateReminder {
    private let units: AlertUnits
    /// What was told last.
    private var told: Set<String> = []

    package init(units: AlertUnits) { self.units = units }

    /// What to say now; nil if nothing is missing, or it was said before.
    package mutating func line(_ properties: [String: BusValue]) -> String? {
        let status = DaemonStatus(properties: properties)
        let missing = Set(status.degraded).intersection([
            "fences-lost", "vehicle-unset", "height-not-confirmed",
        ])
        defer { told = missing }
        let fresh = missing.subtracting(told)
        var sentences: [String] = []
        if fresh.contains("fences-lost") {
            sentences.append("Fences have been lost. Low bridges may not be known.")
        }
        if let vehicle = status.vehicle {
            let height = vehicle.heightText(isImperial: units.isImperial ?? false)
            if fresh.contains("vehicle-unset") {
                sentences.append("The height of the vehicle is not set. \(height) is assumed.")
            } else if fresh.contains("height-not-confirmed") {
                sentences.append("Please confirm the height of the vehicle: \(height).")
            }
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}
