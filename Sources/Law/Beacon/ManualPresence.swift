package import Model
package import Time

/// A presence that is set by hand.
package struct ManualPresence: Hashable, Sendable {
    /// Inside or outside; `unknown` withdraws the statement.
    package var presence: Presence
    /// How long it holds; nil is ``BeaconSettings/manualFor``.
    package var duration: TimeSpan?

    package init(_ presence: Presence, for duration: TimeSpan? = nil) {
        self.presence = presence
        self.duration = duration
    }
}
