package import Model
package import Time

/// Which stages are announced, and which of them together. One for all hazards.
package struct Announcer: Hashable, Sendable {
    /// Until then the advisory of this hazard waits until the last escape is near.
    struct Hush: Hashable, Sendable {
        /// Id of the fence: compared with that of every hazard at every fix.
        let fence: FenceKey
        /// Receiver UTC.
        var until: UTCTime
    }

    var hushes: [Hush] = []
    /// When the first of the last group was due.
    var lastGroup: UTCTime?

    /// After `turned-off` nothing is said for this long of the same hazard while it is far.
    static let silence = TimeSpan.seconds(300)
    /// Stages due within this after the first are one group.
    static let together = TimeSpan.seconds(3)

    package init() {}

    /// Completes the events of one instant, in their order.
    package mutating func group(_ events: inout [Event]) {
        var due: [Int] = []
        for index in events.indices {
            let event = events[index]
            switch event.kind {
            case .clear where event.reason == .turnedOff: hush(event)
            case .advisory, .urgent: due.append(index)
            default: break
            }
        }
        guard let first = due.first else { return }
        let time = events[first].time
        if let lastGroup, lastGroup <= time, time - lastGroup <= Self.together {
            for index in due { events[index].approach?.group = 0 }
            return
        }
        lastGroup = time
        guard due.count > 1 else { return }
        for index in due.dropFirst() { events[index].approach?.group = 0 }
        events[first].approach?.group = UInt32(due.count - 1)
    }

    private mutating func hush(_ event: Event) {
        guard let fence = event.fence.map(FenceKey.init) else { return }
        hushes.removeAll { $0.until <= event.time || $0.fence == fence }
        hushes.append(Hush(fence: fence, until: event.time + Self.silence))
    }

    /// Whether the vehicle has turned off the approach of this hazard so shortly before `time` that
    /// only a near escape is worth another advisory.
    func isQuiet(_ fence: FenceKey, at time: UTCTime) -> Bool {
        guard !hushes.isEmpty else { return false }
        return hushes.contains { time < $0.until && $0.fence == fence }
    }

    /// A re-base: translates the stored receiver times to the new time base.
    package mutating func shift(by span: TimeSpan) {
        for index in hushes.indices { hushes[index].until = hushes[index].until + span }
        lastGroup = lastGroup.map { $0 + span }
    }
}
