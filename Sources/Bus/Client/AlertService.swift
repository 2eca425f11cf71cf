/// geofenced-alert as others see it: its name on the bus, its unit, and what it says to the service
/// manager.
package enum AlertService {
    /// As a consumer of events.
    package static let name = "org.geofenced.Alert1"
    /// Of the system, or of a user.
    package static let unit = "geofenced-alert.service"

    /// Its `STATUS=`, a line.
    /// - Parameters:
    ///   - silence: why the driver does not hear it; nil: the driver does, as far as one knows.
    ///   - flaw: why nothing watches for hazards; nil: something does, as far as one knows.
    ///   - isRegistered: whether the daemon has taken it on.
    package static func status(silence: String?, flaw: String?, isRegistered: Bool) -> String {
        // One does not hide the other.
        let flaws = [
            silence.map { "\(unheard): \($0)" }, flaw.map { "nothing watches: \($0)" },
        ].compactMap { $0 }
        guard flaws.isEmpty else { return flaws.joined(separator: "; ") }
        return isRegistered ? "waiting for alerts" : "waiting to be taken on by geofenced"
    }

    /// Whether the driver does not hear it, by its `STATUS=`.
    package static func isSilent(_ status: String) -> Bool { status.hasPrefix(unheard) }

    private static let unheard = "cannot be heard"
}
