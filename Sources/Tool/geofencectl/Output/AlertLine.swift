import BusClient
import Bytes
import Geofence1
import Systemd

/// How geofenced-alert is doing, in a line: what its unit says.
enum AlertLine {
    /// Nil if geofenced-alert is not registered as a consumer.
    @MainActor static func text(
        _ consumers: [ToldConsumer], _ connection: BusConnection
    ) -> String? {
        guard consumers.contains(where: { $0.name == AlertService.name }) else { return nil }
        return UnitStatus.text(of: AlertService.unit, connection)?.printable ?? unseen
    }

    /// The service manager of the system knows nothing of the units of users.
    static let unseen =
        "no unit of the system says more; of a user: systemctl --user status geofenced-alert"
}
