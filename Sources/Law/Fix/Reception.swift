package import Model
package import Time

/// Whether fixes come: `position-lost`, section 2 of the law. During a rest of the receiver none is
/// expected.
struct Reception: Hashable, Sendable {
    /// No accepted fix for too long.
    var isLost = false
    /// The receiver may sleep.
    var isResting = false
    /// When the last rest ended, from when on fixes are expected; nil if there was none.
    var restEnded: Uptime?

    init(isLost: Bool) { self.isLost = isLost }

    /// A rest begins or ends.
    mutating func rest(_ isOn: Bool, at now: Uptime) {
        guard isResting != isOn else { return }
        isResting = isOn
        restEnded = isOn ? nil : now
    }

    /// "More than" 30 s: the first moment after them. Never before the first fix.
    @inline(__always)
    func due(after last: Uptime?, _ lostAfter: TimeSpan) -> Uptime? {
        guard !isLost, !isResting, let last else { return nil }
        return (restEnded.map { max(last, $0) } ?? last) + lostAfter + TimeSpan(nanoseconds: 1)
    }

    /// The event, if the position is lost then; `last` is the last accepted fix.
    mutating func fire(at due: Uptime, after last: Fix, _ lostAfter: TimeSpan) -> Event? {
        guard self.due(after: last.arrival, lostAfter) == due else { return nil }
        isLost = true
        let waited = max((restEnded ?? last.arrival) - last.arrival, .zero)
        return .position(.positionLost, time: last.time + waited + lostAfter, fix: last)
    }

    /// A fix has come; whether the position was lost.
    @inline(__always)
    mutating func regain() -> Bool {
        defer { isLost = false }
        return isLost
    }
}

extension Event {
    /// An event of the position itself, such as `position-lost` and `position-doubtful`.
    package static func position(_ kind: EventKind, time: UTCTime, fix: Fix) -> Event {
        Event(
            kind: kind, fence: nil, time: time, fixTime: fix.time, presence: nil,
            error: fix.error, speed: fix.speed, course: fix.course, coordinate: fix.coordinate)
    }
}
