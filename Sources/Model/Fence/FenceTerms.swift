package import Time

/// The terms of a fence: section 11 of the law. Texts as given; ``flaw`` checks on input that they
/// can be read.
package struct FenceTerms: Hashable, Sendable {
    /// The hours of the fence: a schedule, see `Schedule`; empty for always.
    package var active = ""
    /// The time zone of ``active``; empty for the default zone.
    package var timezone = ""
    /// How fast the vehicle may be inside, km/h; 0 for no limit.
    package var speedLimit = 0.0
    /// The unit of the sign, for display: `km/h` or `mph`; empty if not given. The limit itself is
    /// always in km/h.
    package var speedUnit = ""
    /// How long a vehicle has to stand inside before it leaves; zero or less for not at all.
    package var stop = TimeSpan.zero
    /// How long it may stay; zero or less for as long as it likes.
    package var maxStay = TimeSpan.zero
    /// When it expires: ISO 8601, UTC without an offset; empty for never.
    package var expires = ""
    /// How long before the vehicle is there `arriving` tells of it; zero or less for never. Section 14.
    package var arrive = TimeSpan.zero
    /// Whether it ends with its first exit.
    package var once = false

    package init() {}
}
