import Engine

/// What a fence asks for beyond its crossings, property by property; part of
/// ``FenceProperty/fields``.
extension FenceProperty {
    /// Those of ``FenceTerms``, in the order of output.
    static let ofTerms = [
        FenceProperty(
            "active", [.feature, .column, .bus],
            .text(.init(usual: "", get: { $0.terms.active }, set: { $0.terms.active = $1 })),
            "When the fence is there, as opening_hours of OpenStreetMap: for example "
                + "Mo-Fr 08:00-18:00; PH off. Always where it is not given."),
        FenceProperty(
            "timezone", [.feature, .column, .bus],
            .text(.init(usual: "", get: { $0.terms.timezone }, set: { $0.terms.timezone = $1 })),
            "The time zone of active, such as Europe/Berlin; that of the box where it is not given."),
    ]
}
