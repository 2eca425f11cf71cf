/// geofenced-alert as others see it: its name on the bus, its unit, and what it says to the service
/// manager.
package enum AlertService {
    /// As a consumer of events.
    package static let name = "org.geofenced.Alert1"
    /// Of the system, or of a user.
    package static let unit = "geofenced-alert.service"

    /// Its `STATUS=`, a line.
    /// - Parameter silence: why the driver does not hear it; nil: the driver does, as far as one knows.
    package static func status(silence: String?) -> String {
        silence.map { "\(unheard): \($0)" } ?? "waiting for alerts"
    }

    /// Whether the driver does not hear it, by its `STATUS=`.
    package static func isSilent(_ status: String) -> Bool { status.hasPrefix(unheard) }

    private static let unheard = "cannot be heard"
}
