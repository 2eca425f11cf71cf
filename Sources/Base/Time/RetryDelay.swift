/// Delays of which each is twice as long as the one before, up to a limit.
package struct DoublingDelay: Hashable, Sendable {
    /// The first one.
    package let first: TimeSpan
    /// The longest one.
    package let limit: TimeSpan

    package init(first: TimeSpan, limit: TimeSpan) {
        self.first = first
        self.limit = limit
    }

    /// The delay after that many failures, from 1.
    package func after(_ failures: Int64) -> TimeSpan {
        min(limit, first * (1 << max(0, min(failures - 1, 20))))
    }
}

/// When a server on the network is tried again: doubling delays with chance in them, so that a fleet
/// does not come back in step.
package struct RetryDelay: Hashable, Sendable {
    /// What has failed.
    package enum Failure: Hashable, Sendable {
        /// The network or the server: 1 s … 10 min, spread over the whole length ("full jitter").
        case passing
        /// Who we are or what we may do: 1 min … 1 h, since accounts are locked by hammering.
        case denial
    }

    private static let passing = DoublingDelay(first: .seconds(1), limit: .seconds(600))
    private static let denial = DoublingDelay(first: .seconds(60), limit: .seconds(3600))

    private var last = Failure.passing
    private var count: Int64 = 0

    package init() {}

    /// The next failure is the first one.
    package mutating func succeed() { count = 0 }

    /// The length of a delay for which the server has asked: that long, and little more, so that those
    /// who were told the same do not come in step. A second at least, an hour at most.
    /// - Parameter random: from 0 to 1.
    package static func asked(_ wait: TimeSpan, random: Double) -> TimeSpan {
        let wait = max(wait, .seconds(1)).seconds
        return .seconds(min(wait * (1 + min(max(random, 0), 1) / 10), 3600))
    }

    /// The length of the delay after another failure.
    /// - Parameter random: from 0 to 1.
    package mutating func next(after failure: Failure, random: Double) -> TimeSpan {
        if failure != last { count = 0 }
        last = failure
        count += 1
        switch failure {
        case .passing: return .seconds(Self.passing.after(count).seconds * random)
        // Never at once, however the dice fall.
        case .denial: return .seconds(Self.denial.after(count).seconds * (0.5 + random / 2))
        }
    }
}
