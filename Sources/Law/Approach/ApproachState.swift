import Time

/// Where the vehicle is with respect to one hazard.
package enum ApproachState: Hashable, Sendable {
    /// No accepted fix since the fence was added.
    case unknown
    /// Not on its approach.
    case away
    /// On it, or perhaps.
    indirect case near(ApproachProgress)

    /// That of what is remembered.
    init(_ progress: ApproachProgress) { self = progress.isEmpty ? .away : .near(progress) }

    /// A re-base: translates the stored receiver times to the new time base.
    mutating func shift(by span: TimeSpan) {
        guard case .near(var progress) = self else { return }
        progress.began = progress.began.map { $0 + span }
        self = .near(progress)
    }
}
