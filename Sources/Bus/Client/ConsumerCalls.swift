import Geofence1
package import Systemd
package import Time

/// A durable consumer, as reported by `ListConsumers`.
package struct KnownConsumer {
    /// Its well-known name on the bus.
    package var name: String
    /// It has processed everything up to this number.
    package var acknowledged: UInt64
    /// Events of the log after that, including those that it does not want.
    package var pending: UInt64
    /// When the first of these happened.
    package var oldestPending: UTCTime?
    /// When it last acknowledged something new, by the wall clock; nil: not since the daemon
    /// started.
    package var lastAcknowledged: UTCTime?
    /// The D-Bus error of its last call; nil if it answered.
    package var lastError: String?

    package init?(bus value: BusValue) {
        guard let members = value.asStructure, members.count == 2,
            let name = members[0].asString, let details = members[1].asDictionary
        else { return nil }
        self.name = name
        acknowledged = details["acked"]?.asUInt64 ?? 0
        pending = details["pending"]?.asUInt64 ?? 0
        oldestPending = details["oldest_pending"]?.asUInt64.map(UTCTime.init(microseconds:))
        lastAcknowledged = details["last_ack"]?.asUInt64.map(UTCTime.init(microseconds:))
        lastError = details["last_error"]?.asString
    }
}

extension DaemonClient {
    /// The durable consumers, in order of name.
    package func consumers() throws(ClientError) -> [KnownConsumer] {
        let answer = try call("ListConsumers", interactive: asksUser)
        return (answer.first?.asArray ?? []).compactMap(KnownConsumer.init(bus:))
    }

    /// Removes a consumer; one that does not exist is not an error.
    package func removeConsumer(_ name: String) throws(ClientError) {
        _ = try call("UnregisterConsumer", [.string(name)], interactive: true)
    }
}
