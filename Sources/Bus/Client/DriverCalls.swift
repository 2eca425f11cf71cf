import Geofence1
import Systemd
package import Time

/// Who drives.
package struct KnownDriver: Equatable, Sendable {
    /// As it was set.
    package var id: String
    /// Receiver UTC; nil if the daemon does not say.
    package var since: UTCTime?
    /// Who has said so: `call`, `signal`, `file` or `beacon`; nil if the daemon does not say.
    package var source: String?

    /// From the answer of `GetDriver`; nil if nobody is set.
    init?(bus answer: [BusValue]) {
        guard let details = answer.first?.asDictionary, let id = details["id"]?.asString else {
            return nil
        }
        self.id = id
        since = details["since"]?.asUInt64.map { UTCTime(microseconds: $0) }
        source = details["source"]?.asString
    }
}

extension DaemonClient {
    /// Sets who drives, nil for nobody; polkit may ask the user.
    package func setDriver(_ id: String?) throws(ClientError) {
        _ = try call("SetDriver", [.string(id ?? ""), .dictionary([])], interactive: true)
    }

    /// Who drives; nil if nobody is set.
    package func driver() throws(ClientError) -> KnownDriver? {
        KnownDriver(bus: try call("GetDriver", interactive: asksUser))
    }

    /// Deletes the id of that driver from the log; false if there is none of that id.
    package func forgetDriver(_ id: String) throws(ClientError) -> Bool {
        try call("ForgetDriver", [.string(id)], interactive: true).first?.asBool ?? false
    }
}
