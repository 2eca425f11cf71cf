import Model
import Time

/// The terms of a fence, property by property; part of ``FenceProperty/fields``.
extension FenceProperty {
    /// The members of ``FenceTerms``, in the order of output.
    static let ofTerms = [
        active,
        FenceProperty(
            "timezone", otherPrograms: ["tz", "tzid"], [.feature, .column, .bus],
            .text(.init(usual: "", get: { $0.terms.timezone }, set: { $0.terms.timezone = $1 })),
            "The time zone of active, such as Europe/Berlin; that of the box where it is not given."
        ),
        FenceProperty(
            "speed_limit_kmh", otherPrograms: ["maxspeed", "max_speed_kmh", "speed_limit", "vmax"],
            [.feature, .column, .bus],
            .number(
                .init(usual: 0, get: { $0.terms.speedLimit }, set: { $0.terms.speedLimit = $1 })),
            "How fast the vehicle may be inside, kilometres per hour, 1 to 500; with 0 there is no "
                + "limit."),
        FenceProperty(
            "speed_unit", [.feature, .column, .bus],
            .text(.init(usual: "", get: { $0.terms.speedUnit }, set: { $0.terms.speedUnit = $1 })),
            "The unit of the sign, km/h or mph, which comes back with the events; the limit is in "
                + "km/h all the same."),
        FenceProperty(
            "stop_sec", otherPrograms: ["stop", "stop_time"], [.feature, .column, .bus],
            .span(.init(usual: .zero, get: { $0.terms.stop }, set: { $0.terms.stop = $1 })),
            "How long the vehicle has to stand inside before it leaves; with 0 not at all."),
        FenceProperty(
            "max_stay_sec", otherPrograms: ["max_stay", "max_stay_time", "time_limit"],
            [.feature, .column, .bus],
            .span(.init(usual: .zero, get: { $0.terms.maxStay }, set: { $0.terms.maxStay = $1 })),
            "How long it may stay; with 0 as long as it likes."),
        FenceProperty(
            "arrive_sec", otherPrograms: ["arrive"], [.feature, .column, .bus],
            .span(.init(usual: .zero, get: { $0.terms.arrive }, set: { $0.terms.arrive = $1 })),
            "How long before the vehicle is there the event arriving tells of it, 30 to 3600; with 0 "
                + "never."),
        FenceProperty(
            "expires", otherPrograms: ["expiry", "expiration", "expires_at", "valid_until"],
            [.feature, .column, .bus],
            .text(.init(usual: "", get: { $0.terms.expires }, set: { $0.terms.expires = $1 })),
            "From when on the fence is not there any more, such as 2026-12-31T18:00:00Z; never where "
                + "it is not given."),
        FenceProperty(
            "once", [.feature, .column, .bus],
            .flag(.init(usual: false, get: { $0.terms.once }, set: { $0.terms.once = $1 })),
            "Whether it is removed after its first exit."),
    ]

    /// The hours of the fence. In text formats a flag of other programs that is true stands for
    /// always, as in GeoJSON; one that is false is refused.
    package static let active = FenceProperty(
        "active",
        otherPrograms: [
            "opening_hours", "operating_hours", "business_hours", "hours", "schedule", "enabled",
        ],
        [.feature, .column, .bus],
        .text(
            .init(
                usual: "", get: { $0.terms.active },
                set: { $0.terms.active = $1.lowercased() == "true" ? "" : $1 })),
        "When the fence is there, as opening_hours of OpenStreetMap: for example "
            + "Mo-Fr 08:00-18:00; PH off; always where it is not given.")
}
