import BusClient
import Geofence1
package import Sentences
package import Systemd

/// Tells the driver, once each time that it begins, what keeps warnings away or makes them wrong: low
/// bridges that were lost, and the height of the vehicle, which nobody else knows.
@MainActor
package struct StateReminder {
    /// What was told last.
    private var told: Set<String> = []

    package init() {}

    /// What to say now; nil if nothing is missing, or it was said before.
    package mutating func text(_ properties: [String: BusValue]) -> ((Wording) -> String)? {
        let status = DaemonStatus(properties: properties)
        let missing = Set(status[.degraded]).intersection([
            "fences-lost", "vehicle-unset", "height-not-confirmed",
        ])
        defer { told = missing }
        let fresh = missing.subtracting(told)
        let vehicle = status.vehicle
        guard fresh.contains("fences-lost") || vehicle != nil && !fresh.isEmpty else { return nil }
        return { wording in
            var sentences: [String] = []
            if fresh.contains("fences-lost") { sentences.append(wording.text(.fencesLost)) }
            if let vehicle {
                let height = vehicle.heightText(wording.units(isFeet: nil), wording)
                if fresh.contains("vehicle-unset") {
                    sentences.append(wording.text(.heightNotSet, ["value": height]))
                } else if fresh.contains("height-not-confirmed") {
                    sentences.append(wording.text(.confirmHeight, ["value": height]))
                }
            }
            return sentences.joined(separator: " ")
        }
    }
}
