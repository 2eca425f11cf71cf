package import Time

/// Section 11 of the law: terms of fences.
package struct TermsSettings: Hashable, Sendable {
    /// How long every fix must be above a speed limit before that is reported, and none before its
    /// end is.
    package var overspeedHold = TimeSpan.seconds(5)
    /// The error of a speed that a receiver reports, m/s.
    package var speedError = 0.5

    package init() {}
}
