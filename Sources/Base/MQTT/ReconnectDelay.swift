package import Time

/// When a connection to a broker is tried again.
package struct ReconnectDelay: Hashable, Sendable {
    /// A connection that lasted so long has succeeded.
    private static let lasting = TimeSpan.seconds(30)

    private var delay = RetryDelay()
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
            return delay.next(after: .denial, random: random)
        }
        if let lasted, lasted >= Self.lasting {
            delay.succeed()
            // The broker is restarting, and everybody has lost it.
            if case .broker = end { return .seconds(spread.seconds * random) }
        }
        return delay.next(after: .passing, random: random)
    }
}
