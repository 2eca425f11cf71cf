package import Time

/// Section 4 of the law: the regions monitored at once.
package struct WindowSettings: Hashable, Sendable {
    /// Slots, the metafence included; at least 2.
    package var size = 20
    /// Regions that may have a stay, an approach, or something pending at once.
    package var mostOpen = 1_024
    /// Largest radius of the metafence, m.
    package var metafenceLimit = 50_000.0
    /// The significant change: this far from where the last one was, m.
    package var heartbeat = 500.0
    /// The heartbeat re-centres the window at most once in this time.
    package var heartbeatThrottle = TimeSpan.seconds(60)

    package init() {}
}
