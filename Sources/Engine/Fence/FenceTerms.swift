package import Time

/// What a fence asks for beyond its crossings: section 11 of the law. As it was given; what can be
/// read of it is checked at the door, by ``flaw``.
package struct FenceTerms: Hashable, Sendable {
    /// When the fence is there: a schedule, see `Schedule`; empty for always.
    package var active = ""
    /// The time zone of ``active``; empty for that of the box.
    package var timezone = ""
    /// How fast the vehicle may be inside, km/h; 0 for no limit.
    package var speedLimit = 0.0
    /// The unit of the sign, for people: `km/h` or `mph`; empty where it is not given. The limit is
    /// in km/h all the same.
    package var speedUnit = ""
    /// How long a vehicle has to stand inside before it leaves; zero or less for not at all.
    package var stop = TimeSpan.zero
    /// How long it may stay; zero or less for as long as it likes.
    package var maxStay = TimeSpan.zero
    /// From when on it is not there any more: ISO 8601, UTC where it names no offset; empty for
    /// never.
    package var expires = ""
    /// Whether it is over after its first exit.
    package var once = false

    package init() {}
}
