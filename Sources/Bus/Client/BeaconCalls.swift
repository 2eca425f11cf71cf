import Formats
package import Geofence1
package import JSON
package import Model
package import Systemd
package import Time

extension ToldBeacon {
    /// `{"id":…,"title":…,"uncertain":…,"since":…}`, for a list of where the vehicle is.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("id")
        json.string(id)
        json.key("title")
        json.string(title)
        json.key("uncertain")
        json.bool(presence.isUncertain)
        json.key("since")
        json.optional(since?.iso8601)
        json.endObject()
    }
}

extension [ToldBeacon] {
    /// Reads the answer of `ListBeacons`, without entries that this version does not understand.
    package init(bus answer: [BusValue]) {
        self = (answer.first?.asArray ?? []).compactMap(\.asNamed).compactMap {
            ToldBeacon(id: $0.name, $0.details)
        }
    }
}

extension DaemonClient {
    /// The beacon fences, in order of id.
    package func beacons() throws(ClientError) -> [ToldBeacon] {
        [ToldBeacon](bus: try call(.listBeacons, interactive: asksUser))
    }

    /// Sets by hand whether the vehicle is inside; polkit may ask the user.
    /// - Parameters:
    ///   - presence: ``Presence/unknown`` withdraws the statement.
    ///   - until: UTC; nil for the default time.
    package func statePresence(
        _ presence: Presence, at fence: String, until: UTCTime? = nil
    ) throws(ClientError) {
        var options: [(String, BusValue)] = []
        if let until { options.append(("until", .uint64(until.microseconds))) }
        _ = try call(
            .setPresence,
            [.string(fence), .uint32(presence.rawValue), .dictionary(options)],
            interactive: true)
    }

    /// Creates a ranging session, which lives as long as this connection or until it is closed.
    /// `heard` and `changed` are called from the loop.
    /// - Parameters:
    ///   - interval: the least time between two lists, 1 s or more.
    ///   - changed: with the state of the radio and its reason, at every change.
    package func range(
        _ patterns: [BeaconPattern], interval: TimeSpan = .seconds(1),
        heard: @escaping @MainActor ([RangedBeacon]) -> Void,
        changed: @escaping @MainActor (_ state: String, _ reason: String) -> Void
    ) throws(ClientError) -> RangingCalls {
        let milliseconds = UInt32(clamping: interval.nanoseconds / 1_000_000)
        let (answer, sender) = try callWithSender(
            .createRangingSession,
            [
                .dictionary([
                    ("beacons", BeaconMessage.value(of: patterns)),
                    ("interval", .uint32(milliseconds)),
                ])
            ], interactive: true)
        guard let path = answer.first?.asString, let sender else { throw unreadableAnswer }
        return try RangingCalls(self, sender, path: path, heard: heard, changed: changed)
    }
}

/// A ranging session, on the client's side.
@MainActor
package final class RangingCalls {
    private let daemon: DaemonClient
    private let path: String
    private var slots: [BusSlot] = []

    fileprivate init(
        _ daemon: DaemonClient, _ sender: String, path: String,
        heard: @escaping @MainActor ([RangedBeacon]) -> Void,
        changed: @escaping @MainActor (String, String) -> Void
    ) throws(ClientError) {
        self.daemon = daemon
        self.path = path
        do throws(SystemError) {
            // Signals that arrived earlier are not yet dispatched. By the unique name, since what
            // they say is believed; the session ends with its owner.
            let ranged = BusMatch(
                sender: sender, path: path, interface: Geofence1.rangingInterface,
                member: "Ranged")
            slots.append(
                try daemon.connection.subscribe(ranged) { message in
                    guard let values = try? message.values(), values.count == 2 else { return }
                    heard(BeaconMessage.beacons(values[1]))
                })
            let properties = BusMatch(
                sender: sender, path: path, interface: Self.properties,
                member: "PropertiesChanged")
            slots.append(
                try daemon.connection.subscribe(properties) { message in
                    guard let values = try? message.values(), values.count == 3,
                        let present = values[1].asDictionary
                    else { return }
                    changed(
                        present["State"]?.asString ?? "", present["Reason"]?.asString ?? "")
                })
        } catch {
            throw .noBus(error, bus: daemon.busName)
        }
    }

    private static let properties = "org.freedesktop.DBus.Properties"

    /// The state of the radio for this session, and why it does not do more.
    package func state() throws(ClientError) -> (state: String, reason: String) {
        let answer = try call(
            Self.properties, "GetAll", [.string(Geofence1.rangingInterface)])
        let values = answer.first?.asDictionary ?? [:]
        return (values["State"]?.asString ?? "", values["Reason"]?.asString ?? "")
    }

    /// The radio is not used for it until ``resume()``.
    package func pause() throws(ClientError) {
        _ = try call(Geofence1.rangingInterface, "Pause")
    }

    /// Continues after ``pause()``.
    package func resume() throws(ClientError) {
        _ = try call(Geofence1.rangingInterface, "Resume")
    }

    /// Ends the session; no handler is called any more.
    package func close() throws(ClientError) {
        slots = []
        _ = try call(Geofence1.rangingInterface, "Close")
    }

    private func call(
        _ interface: String, _ member: String, _ arguments: [BusValue] = []
    ) throws(ClientError) -> [BusValue] {
        let peer = BusPeer(destination: Geofence1.name, path: path, interface: interface)
        return try daemon.call(peer, member, arguments, false)
    }
}
