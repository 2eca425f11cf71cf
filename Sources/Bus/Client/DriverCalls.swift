package import Geofence1
import Systemd

extension DaemonClient {
    /// Sets who drives, nil for nobody; polkit may ask the user.
    package func setDriver(_ id: String?) throws(ClientError) {
        _ = try call(.setDriver, [.string(id ?? ""), .dictionary([])], interactive: true)
    }

    /// Who drives; nil if nobody is set.
    package func driver() throws(ClientError) -> ToldDriver? {
        ToldDriver(bus: try call(.getDriver, interactive: asksUser))
    }

    /// Deletes the id of that driver from the log; false if there is none of that id.
    package func forgetDriver(_ id: String) throws(ClientError) -> Bool {
        try call(.forgetDriver, [.string(id)], interactive: true).first?.asBool ?? false
    }
}
