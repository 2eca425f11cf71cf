package import Time

/// Section 3 of the law: what is a path, and what is motion.
package struct WaySettings: Hashable, Sendable {
    /// Two reported speeds in a row above this are motion, m/s.
    package var movingSpeed = 3.0
    /// Two fixes further apart than their errors, within this time, are motion.
    package var movingWindow = TimeSpan.seconds(10)
    /// Fixes further apart in time are not joined by a path.
    package var pathGap = TimeSpan.seconds(30)

    package init() {}
}
