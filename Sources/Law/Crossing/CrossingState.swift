import Time

/// Presence in one area, and what is kept to judge the next fix.
package enum CrossingState: Hashable, Sendable {
    /// No accepted fix since the fence was added.
    case unknown
    /// Outside; the value is there while the last fix has d ≤ 0.
    case outside(PendingEnter?)
    case inside(Stay)

    /// A re-base: translates the stored receiver times to the new time base.
    mutating func shift(by span: TimeSpan) {
        switch self {
        case .unknown, .outside(nil): break
        case .outside(var pending?):
            pending.crossedIn = pending.crossedIn + span
            pending.settling?.shift(by: span)
            self = .outside(pending)
        case .inside(var stay):
            stay.began = stay.began + span
            stay.crossedOut = stay.crossedOut.map { $0 + span }
            stay.settling?.shift(by: span)
            self = .inside(stay)
        }
    }
}
