import Geodesy
import JSON
import Model

/// Every field of an event, once, in the order of the JSON. The event's JSON, the details on the
/// bus and the fields in the journal are written from this table; tests check the decoders and the
/// manual pages against it.
extension EventField {
    /// In the order of output.
    package static let all: [EventField] = ofCrossings + ofTerms + ofTrips + [driver, metadata]

    private static let ofCrossings: [EventField] = [
        EventField("seq", .integer, journal: "GEOFENCE_SEQ", "its number, the order of knowing") {
            .integer($0.seq)
        },
        EventField("kind", .text, bus: "kind", journal: "GEOFENCE_EVENT", "what has happened") {
            .text($0.event.kind.name)
        },
        EventField("fence", .text, journal: "GEOFENCE_ID", "id of the fence") {
            $0.event.fence.map { .text($0) }
        },
        EventField(
            "title", .text, bus: "title", journal: "GEOFENCE_TITLE", rule: .ofFence,
            "title of the fence"
        ) {
            .text($0.event.title)
        } set: {
            $0.event.title = $1.text ?? ""
        },
        EventField(
            "time", .time, bus: "time", journal: "GEOFENCE_TIME",
            "when the boundary was crossed, UTC of the receiver"
        ) { .time($0.event.time) },
        EventField(
            "fix_time", .time, bus: "fix_time", journal: "GEOFENCE_FIX_TIME",
            "time of the fix that proved it"
        ) {
            .time($0.event.fixTime)
        } set: {
            $0.event.fixTime = $1.time ?? $0.event.time
        },
        EventField("presence", .presence, bus: "presence", "presence after it") {
            $0.event.presence.map { .presence($0) }
        } set: {
            $0.event.presence = $1.presence
        },
        EventField(
            "inferred", .flag, bus: "inferred", journal: "GEOFENCE_INFERRED",
            "no fix bears witness of the state between this crossing and its neighbour"
        ) {
            .flag($0.event.inferred)
        } set: {
            $0.event.inferred = $1.flag ?? false
        },
        EventField("reason", .text, bus: "reason", journal: "GEOFENCE_REASON", "the rule") {
            $0.event.reasonName.map { .text($0) }
        } set: {
            $0.event.setReason($1.text)
        },
        EventField(
            "distance_m", .real, bus: "distance_m", journal: "GEOFENCE_DISTANCE_M",
            "signed distance to the boundary at the proving fix, metres, negative inside"
        ) {
            $0.event.distance.map { .real($0, decimals: 1) }
        } set: {
            $0.event.distance = $1.real
        },
        EventField(
            "error_m", .real, bus: "error_m", journal: "GEOFENCE_ERROR_M",
            "error of the proving fix, metres"
        ) {
            $0.event.error.map { .real($0, decimals: 1) }
        } set: {
            $0.event.error = $1.real
        },
        EventField(
            "speed_mps", .real, bus: "speed_mps", rule: .motion,
            "speed at the proving fix, metres per second"
        ) {
            $0.event.speed.map { .real($0, decimals: 1) }
        } set: {
            $0.event.speed = $1.real
        },
        EventField(
            "course_deg", .real, bus: "course_deg", rule: .motion,
            "course at the proving fix, degrees true"
        ) {
            $0.event.course.map { .real($0, decimals: 1) }
        } set: {
            $0.event.course = $1.real
        },
        EventField(
            "stay_s", .span, bus: "stay", journal: "GEOFENCE_STAY_SEC",
            "of an exit, the length of the stay, of a trip how long it was"
        ) {
            $0.event.stay.map { .span($0) }
        } set: {
            $0.event.stay = $1.span
        },
        EventField(
            "odometer_m", .real, bus: "odometer_m", journal: "GEOFENCE_ODOMETER_M",
            rule: .whereKnown,
            "what the odometer showed there, metres"
        ) {
            $0.event.odometer.map { .real($0, decimals: 1) }
        } set: {
            $0.event.odometer = $1.real
        },
        EventField(
            "way_m", .real, bus: "way_m", journal: "GEOFENCE_WAY_M", rule: .whereKnown,
            "of an exit, how far the vehicle was driven inside, of a trip in all, metres"
        ) {
            $0.event.way.map { .real($0.metres, decimals: 1) }
        } set: {
            $0.event.way = $0.event.way ?? WayDetails()
            $0.event.way?.metres = $1.real ?? 0
        },
        EventField(
            "way_error_m", .real, bus: "way_error_m", rule: .whereKnown,
            "of both, the bound of the error of that, metres"
        ) {
            $0.event.way.map { .real($0.bound, decimals: 1) }
        } set: {
            $0.event.way = $0.event.way ?? WayDetails()
            $0.event.way?.bound = $1.real ?? 0
        },
        EventField(
            "gap_m", .real, bus: "gap_m", journal: "GEOFENCE_GAP_M", rule: .whereKnown,
            "of both, how far at least where nobody saw the way, metres"
        ) {
            $0.event.way.flatMap { $0.gap > 0 ? .real($0.gap, decimals: 1) : nil }
        } set: {
            $0.event.way = $0.event.way ?? WayDetails()
            $0.event.way?.gap = $1.real ?? 0
        },
        EventField(
            "new_paths", .integer, bus: "new_paths", journal: "GEOFENCE_NEW_PATHS",
            rule: .whereKnown,
            "of both, how often the position began anew, from where no metres are known"
        ) {
            $0.event.way.flatMap { $0.newPaths > 0 ? .integer(UInt64($0.newPaths)) : nil }
        } set: {
            $0.event.way = $0.event.way ?? WayDetails()
            $0.event.way?.newPaths = $1.integer.flatMap { UInt32(exactly: $0) } ?? 0
        },
        EventField("boot_id", .text, bus: "boot_id", "the boot in which it was told") {
            $0.bootID.map { .text($0) }
        } set: {
            $0.bootID = $1.text
        },
        EventField(
            "latitude", .real, bus: "latitude", journal: "GEOFENCE_LATITUDE", rule: .location,
            "of the proving fix, degrees"
        ) { $0.event.coordinate.map { .real($0.latitude, decimals: 7) } },
        EventField(
            "longitude", .real, bus: "longitude", journal: "GEOFENCE_LONGITUDE", rule: .location,
            "of the proving fix, degrees"
        ) { $0.event.coordinate.map { .real($0.longitude, decimals: 7) } },
        EventField(
            "announced", .flag, bus: "announced", rule: .whereKnown,
            "false where the fence asked for silence"
        ) {
            $0.event.announced ? nil : .flag(false)
        } set: {
            $0.event.announced = $1.flag ?? true
        },
        EventField(
            "approach", .object, bus: "approach", journal: "GEOFENCE_APPROACH", rule: .whereKnown,
            "of advisory, urgent and clear, an object: the limit, the vehicle, how far, the way out"
        ) { logged in
            logged.event.approach.map { .object($0.json(of: logged.event.kind)) }
        } set: {
            $0.event.approach = $1.object.flatMap(ApproachDetails.init(json:))
        },
        EventField(
            "evidence", .object, bus: "evidence", rule: .inLog,
            "of an enter or exit that the law proved, an object: the numbers of the rule"
        ) { logged in
            logged.event.evidence.map { .object($0.json) }
        } set: {
            $0.event.evidence = $1.object.flatMap(Evidence.init(json:))
        },
        EventField(
            "beacon", .object, bus: "beacon", journal: "GEOFENCE_BEACON", rule: .whereKnown,
            "of an enter or exit by beacons, an object: which one, how strong, how long silent"
        ) { logged in
            logged.event.beacon.map { .object($0.json) }
        } set: {
            $0.event.beacon = $1.object.flatMap(BeaconEvidence.init(json:))
        },
    ]

    /// Which leaves the vehicle only where that is set.
    package static let driver = EventField(
        "driver", .text, bus: "driver", journal: "GEOFENCE_DRIVER", rule: .driver, leaves: false,
        "who drove when it was recorded: the id that was set"
    ) {
        $0.driver.map { .text($0) }
    } set: {
        $0.driver = $1.text
    }

    /// Of which only what is allowed leaves the vehicle.
    package static let metadata = EventField(
        "metadata", .object, bus: "metadata", rule: .ofFence, leaves: false,
        "the other properties of the fence"
    ) {
        .metadata($0.event.metadata.isEmpty ? "{}" : $0.event.metadata)
    } set: {
        $0.event.metadata = $1.object?.text ?? "{}"
    }
}
