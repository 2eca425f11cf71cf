package import Time

/// Section 11 of the law: what fences ask for beyond their crossings.
package struct TermsSettings: Hashable, Sendable {
    /// How long every fix must be above a speed limit, and how long none of them, before it is told.
    package var overspeedHold = TimeSpan.seconds(5)
    /// The error of a speed that a receiver reports, m/s.
    package var speedError = 0.5

    package init() {}
}
