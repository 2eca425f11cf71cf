package import Systemd
package import Time

/// A durable consumer, in the answer of `ListConsumers`.
package struct ToldConsumer {
    /// Its well-known name on the bus.
    package var name: String
    /// It has processed everything up to this number.
    package var acknowledged: UInt64 = 0
    /// Events of the log after that, including those that it does not want.
    package var pending: UInt64 = 0
    /// When the first of these happened.
    package var oldestPending: UTCTime?
    /// When it last acknowledged something new, by the wall clock; nil: not since the daemon
    /// started.
    package var lastAcknowledged: UTCTime?
    /// The same since the boot.
    package var lastAcknowledgedUptime: Uptime?
    /// The D-Bus error of its last call; nil if it answered.
    package var lastError: String?

    package init(name: String) { self.name = name }

    /// From `(sa{sv})`; nil for anything else.
    package init?(bus value: BusValue) {
        guard let (name, details) = value.asNamed else { return nil }
        self.init(name: name)
        Self.told.read(details, into: &self)
    }

    /// Its members beside its name.
    package static let told: [ToldMember<Self>] = [
        ToldMember("acked", .count, \.acknowledged),
        ToldMember("pending", .count, \.pending),
        ToldMember("oldest_pending", .instant, \.oldestPending),
        ToldMember("last_ack", .instant, \.lastAcknowledged),
        ToldMember(onBus: "last_ack_monotonic", .monotonic, \.lastAcknowledgedUptime),
        ToldMember("last_error", .word, \.lastError),
    ]
}
