package import Time

/// The status that was published last, and when it is no longer true enough.
package struct PublishedStatus: Hashable, Sendable {
    /// The daemon has changed since.
    package var isOld = false
    /// When it is compared with what is then.
    package private(set) var next: Uptime
    private let state: String
    private let waiting: Int
    private let time: Uptime

    /// From a change to its status.
    package static let delay = TimeSpan.seconds(5)
    /// A status is never older: the office takes a box that says nothing for longer as lost.
    package static let longest = TimeSpan.seconds(900)
    /// How often the number of waiting events is looked at while there are some.
    private static let pause = TimeSpan.seconds(60)

    /// - Parameters:
    ///   - state: word of an ``UplinkState``.
    ///   - waiting: events.
    package init(_ state: String, waiting: Int, at now: Uptime) {
        self.state = state
        self.waiting = waiting
        time = now
        next = now + (waiting > 0 ? Self.pause : Self.longest)
    }

    /// Nothing is known that it does not say.
    package func isTrue(of state: String) -> Bool { !isOld && self.state == state }

    /// Whether another one is to be published: it is old, or what waits has doubled or halved.
    package mutating func look(_ state: String, waiting: Int, at now: Uptime) -> Bool {
        next = min(now + Self.pause, time + Self.longest)
        let isFar = waiting >= 2 * self.waiting || 2 * waiting <= self.waiting
        return !isTrue(of: state) || now >= time + Self.longest
            || (isFar && waiting != self.waiting)
    }
}
