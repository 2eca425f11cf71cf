import Geofence1
import Systemd

// Checks made on every call before it is processed.
extension ManagerService {
    /// Bytes: ours are some sixty, and sd-bus looks up an object for each prefix of a path.
    private static let longestPath = 255
    /// Messages that wait because the bus does not read: above this, calls are not answered.
    private static let longestQueue = 2000
    /// Sizes of the answers that sd-bus gives by itself, bytes: introspection of our objects, and
    /// others.
    private static let answer = (introspection: 16 << 10, other: 512, refusal: 200)

    func admit(_ message: BusMessage) -> BusAdmission {
        guard let sender = message.sender, connection.queuedMessages < Self.longestQueue else {
            return .drop
        }
        let admission = accounts.admission(of: sender)
        switch admission {
        case .pass: break
        case .refuse:
            if message.expectsReply { accounts.sent(Self.answer.refusal, to: sender) }
            return admission
        case .taken, .drop: return admission
        }
        let path = message.path ?? ""
        guard path.utf8.count <= Self.longestPath else {
            accounts.sent(Self.answer.other, to: sender)
            return .refuse(BusError(name: BusError.unknownObject, message: "no such object"))
        }
        let interface = message.interface ?? ""
        if interface == "org.freedesktop.DBus.Properties", path == Geofence1.path {
            return readProperties(message)
        }
        // Calls of our own interfaces account for their answers themselves.
        if !interface.hasPrefix(Geofence1.name) || !message.expectsReply {
            let isLong = message.member == "Introspect" && path.hasPrefix(Geofence1.path)
            accounts.sent(
                isLong ? Self.answer.introspection : Self.answer.other, to: sender)
        }
        return .pass
    }
}
