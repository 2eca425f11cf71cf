package import Systemd
package import Time

/// A durable consumer, as `ListConsumers` tells it.
package struct KnownConsumer {
    /// Its well-known name on the bus.
    package var name: String
    /// It has dealt with everything up to this number.
    package var acknowledged: UInt64
    /// Events of the log after that; those that it does not want are among them.
    package var pending: UInt64
    /// When the first of these happened.
    package var oldestPending: ReceiverTime?
    /// When it last acknowledged something new, by the wall clock; nil: not since the daemon began.
    package var lastAcknowledged: ReceiverTime?
    /// The D-Bus error with which it was last called; nil where it has answered.
    package var lastError: String?

    package init?(bus value: BusValue) {
        guard let members = value.asStructure, members.count == 2,
            let name = members[0].asString, let details = members[1].asDictionary
        else { return nil }
        self.name = name
        acknowledged = details["acked"]?.asUInt64 ?? 0
        pending = details["pending"]?.asUInt64 ?? 0
        oldestPending = details["oldest_pending"]?.asUInt64.map(ReceiverTime.init(microseconds:))
        lastAcknowledged = details["last_ack"]?.asUInt64.map(ReceiverTime.init(microseconds:))
        lastError = details["last_error"]?.asString
    }
}

extension DaemonClient {
    /// The durable consumers, by name.
    package func consumers() throws(ClientError) -> [KnownConsumer] {
        let answer = try call("ListConsumers", interactive: asksUser)
        return (answer.first?.asArray ?? []).compactMap(KnownConsumer.init(bus:))
    }

    /// Removes a consumer; one that is not there is no error.
    package func removeConsumer(_ name: String) throws(ClientError) {
        _ = try call("UnregisterConsumer", [.string(name)], interactive: true)
    }
}
