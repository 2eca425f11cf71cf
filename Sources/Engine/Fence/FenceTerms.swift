/// What a fence asks for beyond its crossings: section 11 of the law. As it was given; what can be
/// read of it is checked at the door, by ``flaw``.
package struct FenceTerms: Hashable, Sendable {
    /// When the fence is there: a schedule, see `Schedule`; empty for always.
    package var active = ""
    /// The time zone of ``active``; empty for that of the box.
    package var timezone = ""

    package init() {}
}
