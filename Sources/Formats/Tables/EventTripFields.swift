import JSON
package import Model
import Time

/// The fields of a trip; part of ``EventField/all``.
extension EventField {
    /// The members of ``TripDetails``, in the order of output.
    static let ofTrips: [EventField] = [
        EventField(
            "began", .time, bus: "began", journal: "GEOFENCE_BEGAN", rule: .whereKnown,
            "of a trip, when it began, UTC of the receiver"
        ) {
            guard $0.event.trip != nil, let length = $0.event.stay else { return nil }
            return .time($0.event.time + (.zero - length))
        },
        EventField(
            "from", .text, bus: "from", journal: "GEOFENCE_FROM", rule: .whereKnown,
            "of a trip, id of the smallest fence in which it began"
        ) {
            $0.event.trip?.from.map { .text($0.fence) }
        } set: {
            $0.event.someTrip.from = $1.text.map { TripPlace(fence: $0) }
        },
        EventField(
            "from_title", .text, bus: "from_title", rule: .whereKnown, "title of that fence"
        ) {
            title(of: $0.event.trip?.from)
        } set: {
            $0.event.trip?.from?.title = $1.text ?? ""
        },
        EventField(
            "to", .text, bus: "to", journal: "GEOFENCE_TO", rule: .whereKnown,
            "of a trip, id of the smallest fence in which it ended"
        ) {
            $0.event.trip?.to.map { .text($0.fence) }
        } set: {
            $0.event.someTrip.to = $1.text.map { TripPlace(fence: $0) }
        },
        EventField(
            "to_title", .text, bus: "to_title", rule: .whereKnown, "title of that fence"
        ) {
            title(of: $0.event.trip?.to)
        } set: {
            $0.event.trip?.to?.title = $1.text ?? ""
        },
        EventField(
            "stops", .integer, bus: "stops", journal: "GEOFENCE_STOPS", rule: .whereKnown,
            "of a trip, how often the vehicle stood for a minute or more, and went on"
        ) {
            $0.event.trip.map { .integer(UInt64($0.stops)) }
        } set: {
            $0.event.someTrip.stops = $1.integer.flatMap { UInt32(exactly: $0) } ?? 0
        },
        EventField(
            "from_metadata", .object, bus: "from_metadata", rule: .inLog, leaves: false,
            "of a trip, the other properties of the fence in which it began"
        ) {
            metadata(of: $0.event.trip?.from)
        } set: {
            $0.event.trip?.from?.metadata = $1.object?.text ?? "{}"
        },
        EventField(
            "to_metadata", .object, bus: "to_metadata", rule: .inLog, leaves: false,
            "of a trip, those of the fence in which it ended"
        ) {
            metadata(of: $0.event.trip?.to)
        } set: {
            $0.event.trip?.to?.metadata = $1.object?.text ?? "{}"
        },
    ]

    /// The fence at an end of a trip that this field names; nil for any other field.
    package func place(in event: Event) -> TripPlace? {
        switch name {
        case "from", "from_title": event.trip?.from
        case "to", "to_title": event.trip?.to
        default: nil
        }
    }

    private static func title(of place: TripPlace?) -> EventValue? {
        guard let place, !place.title.isEmpty else { return nil }
        return .text(place.title)
    }

    private static func metadata(of place: TripPlace?) -> EventValue? {
        guard let place, !place.metadata.isEmpty, place.metadata != "{}" else { return nil }
        return .metadata(place.metadata)
    }
}

extension Event {
    /// Its trip, to be set one by one.
    fileprivate var someTrip: TripDetails {
        get { trip ?? TripDetails() }
        set { trip = newValue }
    }
}
