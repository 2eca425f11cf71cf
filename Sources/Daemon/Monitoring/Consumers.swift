package import Engine
import Storage

// Durable consumers: their positions are kept with the log.
extension MonitoringService {
    /// By name.
    package func consumers() throws -> [Consumer] { try store.consumers() }

    /// Adds a consumer, or changes all but its position if it is there already.
    package func register(_ consumer: Consumer) throws { try store.register(consumer) }

    /// Forgets a consumer and its position; nothing happens where there is none of the name.
    package func unregister(consumer name: String) throws {
        try store.unregister(consumer: name)
    }

    /// The consumer has dealt with everything up to `seq`.
    package func acknowledge(_ seq: UInt64, consumer name: String) throws {
        try store.acknowledge(min(seq, store.lastSeq), consumer: name)
    }
}
