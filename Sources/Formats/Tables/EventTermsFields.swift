import Model

/// The fields of an event about the terms of its fence; part of ``EventField/all``.
extension EventField {
    /// The members of ``TermsDetails``, in the order of output.
    static let ofTerms: [EventField] = [
        EventField(
            "stopped", .flag, bus: "stopped", journal: "GEOFENCE_STOPPED", rule: .whereKnown,
            "of an exit, whether the vehicle had stood as long as the fence asks for"
        ) {
            $0.event.terms?.stopped.map { .flag($0) }
        } set: {
            $0.event.someTerms.stopped = $1.flag
        },
        EventField(
            "speed_limit_kmh", .real, bus: "speed_limit_kmh", journal: "GEOFENCE_SPEED_LIMIT_KMH",
            rule: .whereKnown, "of overspeed and overspeed-end, the limit, kilometres per hour"
        ) {
            $0.event.terms?.speedLimit.map { .real($0, decimals: 1) }
        } set: {
            $0.event.someTerms.speedLimit = $1.real
        },
        EventField(
            "speed_unit", .text, bus: "speed_unit", journal: "GEOFENCE_SPEED_UNIT",
            rule: .whereKnown,
            "of both, the unit of the sign"
        ) { logged in
            guard let unit = logged.event.terms?.speedUnit, !unit.isEmpty else { return nil }
            return .text(unit)
        } set: {
            $0.event.someTerms.speedUnit = $1.text ?? ""
        },
        EventField(
            "max_speed_kmh", .real, bus: "max_speed_kmh", journal: "GEOFENCE_MAX_SPEED_KMH",
            rule: .whereKnown, "of overspeed-end, the highest speed, kilometres per hour"
        ) {
            $0.event.terms?.highestSpeed.map { .real($0, decimals: 1) }
        } set: {
            $0.event.someTerms.highestSpeed = $1.real
        },
        EventField(
            "length_s", .span, bus: "length", journal: "GEOFENCE_LENGTH_SEC", rule: .whereKnown,
            "of overspeed-end, how long it lasted"
        ) {
            $0.event.terms?.length.map { .span($0) }
        } set: {
            $0.event.someTerms.length = $1.span
        },
        EventField(
            "eta", .time, bus: "eta", journal: "GEOFENCE_ETA", rule: .whereKnown,
            "of arriving, when the vehicle is expected at the boundary, UTC of the receiver"
        ) {
            $0.event.terms?.eta.map { .time($0) }
        } set: {
            $0.event.someTerms.eta = $1.time
        },
        EventField(
            "wheels", .flag, bus: "wheels", journal: "GEOFENCE_WHEELS", rule: .whereKnown,
            "true where the vehicle's own wheels were heard at the proving fix"
        ) {
            $0.event.terms?.byWheels == true ? .flag(true) : nil
        } set: {
            $0.event.someTerms.byWheels = $1.flag ?? false
        },
    ]
}

extension Event {
    /// Its terms, to be set one by one.
    fileprivate var someTerms: TermsDetails {
        get { terms ?? TermsDetails() }
        set { terms = newValue }
    }
}
