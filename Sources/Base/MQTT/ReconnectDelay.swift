package import Time

/// When a connection is tried again: doubling delays, each spread over its whole length ("full
/// jitter"), so that a fleet does not come back in step.
package struct ReconnectDelay: Hashable, Sendable {
    /// The first and the greatest delay after failures of the network.
    private static let network = (first: TimeSpan.seconds(1), limit: TimeSpan.seconds(600))
    /// After a denial: accounts are locked by hammering.
    private static let denial = (first: TimeSpan.seconds(60), limit: TimeSpan.seconds(3600))
    /// A connection that lasted so long has succeeded.
    private static let lasting = TimeSpan.seconds(30)

    private var failures: Int64 = 0
    private var denials: Int64 = 0
    /// The first try after the broker has said goodbye lies within this.
    private let spread: TimeSpan

    package init(spread: TimeSpan = .seconds(60)) { self.spread = spread }

    /// The length of the delay after a connection has ended.
    /// - Parameters:
    ///   - end: why it ended.
    ///   - lasted: how long it was connected; nil: it never was.
    ///   - random: from 0 to 1.
    package mutating func next(
        after end: MQTTEnd, lasted: TimeSpan?, random: Double
    ) -> TimeSpan {
        if case .broker(let reason) = end, reason.isDenial || reason == .sessionTakenOver {
            failures = 0
            denials += 1
            // Never at once, however the dice fall.
            let limit = Self.doubled(Self.denial, denials)
            return TimeSpan.seconds(limit.seconds * (0.5 + random / 2))
        }
        denials = 0
        if let lasted, lasted >= Self.lasting {
            failures = 0
            // The broker is restarting, and everybody has lost it.
            if case .broker = end { return .seconds(spread.seconds * random) }
        }
        failures += 1
        return TimeSpan.seconds(Self.doubled(Self.network, failures).seconds * random)
    }

    private static func doubled(
        _ bounds: (first: TimeSpan, limit: TimeSpan), _ count: Int64
    ) -> TimeSpan {
        min(bounds.limit, bounds.first * (1 << min(count - 1, 20)))
    }
}
