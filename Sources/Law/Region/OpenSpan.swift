import Bytes
import Schedules
import Time

/// A span in which the hours of a fence do not change, kept because looking them up takes longer
/// than judging a fix. It follows from the fence, and is not part of the state.
struct OpenSpan: Hashable, Sendable {
    /// Empty if nothing was looked up.
    fileprivate var range = UTCTime(nanoseconds: 0)..<UTCTime(nanoseconds: 0)
    fileprivate var isOpen = true

    static func == (a: OpenSpan, b: OpenSpan) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

extension RegionMonitor {
    /// Whether the fence is within its hours at that time.
    func isOpen(at time: UTCTime) -> Bool {
        if openSpan.range.contains(time) { return openSpan.isOpen }
        if let expires = entry.expires, time >= expires { return false }
        guard let hours = entry.hours else { return true }
        return InHand.mark(.fence, entry.id) { hours.isOpen(at: time) }
    }

    /// The first moment from `start` to `end` at which the fence is outside its hours.
    func firstClosed(
        from start: UTCTime, through end: UTCTime
    ) -> UTCTime? {
        if openSpan.range.contains(start), openSpan.range.contains(end) {
            return openSpan.isOpen ? nil : start
        }
        guard start <= end else { return nil }
        let closed = entry.hours.flatMap { hours in
            InHand.mark(.fence, entry.id) { hours.firstClosed(from: start, through: end) }
        }
        guard let expires = entry.expires, expires <= end else { return closed }
        return min(closed ?? expires, max(expires, start))
    }

    /// When it closes after a moment at which it is open, or some moment up to then, at which to
    /// ``extend(from:to:)`` what was looked up; nil for never.
    func closes(after time: UTCTime) -> UTCTime? {
        let end =
            openSpan.range.contains(time) ? openSpan.range.upperBound : changes(after: time)
        return end == .last ? nil : end
    }

    /// Looks up the hours around a time, and keeps them.
    mutating func lookUp(_ time: UTCTime) {
        guard !openSpan.range.contains(time) else { return }
        let isOpen = isOpen(at: time)
        let end = changes(after: time) ?? .last
        openSpan.range = time..<max(time, end)
        openSpan.isOpen = isOpen
    }

    /// Looks further: the fence is open from `start` to `end`, both included.
    mutating func extend(from start: UTCTime, to end: UTCTime) {
        let next = changes(after: end) ?? .last
        // At the end of representable time there is no later moment.
        openSpan.range = start..<(next > end ? next : .last)
        openSpan.isOpen = true
    }

    /// Until when the state at `time` lasts, or some moment before that; nil for ever.
    private func changes(after time: UTCTime) -> UTCTime? {
        let change = entry.hours.map { hours in
            InHand.mark(.fence, entry.id) { hours.changes(after: time) }
        }
        guard let expires = entry.expires, expires > time else {
            // An expired fence does not open again.
            return entry.expires == nil ? change : nil
        }
        return min(change ?? expires, expires)
    }
}

extension UTCTime {
    /// The end of representable time.
    fileprivate static let last = UTCTime(nanoseconds: .max)
}
