import JSON
import Metrics
package import Model
import Systemd
package import Time

extension StatusRow {
    /// In the order of output.
    package static let all: [StatusRow] = ofProgram + ofPosition + ofWindow + ofLog + ofVehicle

    private static let ofProgram = [
        StatusProperty.version.row, StatusProperty.features.row, StatusProperty.state.row,
        StatusProperty.source.row, StatusProperty.receiver.row, StatusProperty.positionState.row,
        StatusProperty.authorization.row, StatusProperty.degraded.row, StatusProperty.started.row,
    ]
    private static let ofPosition = [
        StatusProperty.lastFix.row, StatusProperty.lastFixArrival.row,
        StatusProperty.fixCounters.row, StatusProperty.fixInterval.row,
        StatusProperty.odometer.row, StatusProperty.wheels.row,
        StatusProperty.vehicleOdometer.row, StatusProperty.wheelCounters.row,
    ]
    private static let ofWindow = [
        StatusProperty.window.row, StatusProperty.windowSize.row,
        StatusProperty.metafenceRadius.row, StatusProperty.fenceCount.row,
        StatusProperty.generation.row,
    ]
    private static let ofLog = [
        StatusProperty.logID.row, StatusProperty.oldestSeq.row, StatusProperty.lastSeq.row,
    ]
    private static let ofVehicle = [
        StatusProperty.beaconState.row, StatusProperty.beaconReason.row,
        StatusProperty.rangingAvailable.row, StatusProperty.companions.row,
        StatusProperty.vehicle.row, StatusProperty.ignition.row, StatusProperty.resting.row,
        StatusProperty.routeState.row, StatusProperty.ahead.row,
    ]
}

extension StatusProperty<String> {
    package static let version = StatusProperty(
        "Version", .text, "of the program", change: .constant, json: "version",
        metric: StatusMetric { version, _, text in
            text.add(
                "geofenced_build_info", .gauge, "The version that runs.",
                [.init([("version", version)], 1)])
        })

    package static let state = StatusProperty(
        "State", .text, "running or degraded", json: "state")

    package static let source = StatusProperty(
        "Source", .text, "where positions come from", json: "source")

    package static let receiver = StatusProperty(
        "Receiver", .text,
        "of the receivers of a gpsd the one whose positions count, such as /dev/ttyACM0; "
            + "empty before the first fix, and where there is no choice", change: .silent)

    package static let positionState = StatusProperty(
        "PositionState", .text, "unknown (no fix yet), known, lost or doubtful",
        metric: .state(
            "geofenced_position_state", "Whether the position is known.",
            of: ["unknown", "known", "doubtful", "lost"])
    ) { state, status, json in
        json.key("position_state")
        json.string(state)
        guard status.isUncertain else { return }
        json.key("uncertain")
        json.bool(true)
    }

    package static let logID = StatusProperty(
        "LogId", .text,
        "which log the numbers of the next events are of: 32 hexadecimal digits, made with its "
            + "first file; empty while there is none; another one where nobody knows how far that "
            + "log came")

    package static let beaconState = StatusProperty(
        "BeaconState", .text,
        "the state of the radio that receives beacons: off, passive (in the background), ranging "
            + "(all the time) or limited (10 s of every minute: BlueZ has no advertisement "
            + "monitors); it is used only while there are beacon fences or ranging sessions",
        json: "beacon_state",
        metric: .state(
            "geofenced_beacon_radio_state", "What the radio does that hears beacons.",
            of: ["off", "passive", "ranging", "limited"]))

    package static let beaconReason = StatusProperty(
        "BeaconReason", .text,
        "why it does not do more: empty (it does, or is being started), no-regions (no fence or "
            + "session needs it), disabled (by geofenced.conf), no-bluez, no-adapter, "
            + "too-many-objects (no powered adapter among the first 100000 objects of BlueZ), "
            + "powered-off, blocked or refused",
        json: "beacon_reason")

    package static let ignition = StatusProperty(
        "Ignition", .text,
        "on, off or unknown, if it was never set, or if the signal or line that the settings name "
            + "for it has gone", change: .silent,
        metric: .number("geofenced_ignition_on", "Whether the ignition is on.") {
            ["off": 0.0, "on": 1.0][$0]
        })

    package static let routeState = StatusProperty(
        "RouteState", .text,
        "what has become of the route that was set last: none, set, or how it has ended: arrived, "
            + "left, expired, restarted, cleared", change: .emitsInvalidation, isRestricted: true,
        json: "route_state")

    package static let wheels = StatusProperty(
        "Wheels", .text,
        "whether the wheels of the vehicle are heard, from geofenced-can: none, silent for more "
            + "than three seconds, standing or moving", change: .silent,
        json: "wheels",
        metric: .state(
            "geofenced_wheels_state", "Whether the wheels are heard, and what they do.",
            of: ["none", "silent", "standing", "moving"]))
}

extension StatusProperty<[String]> {
    package static let features = StatusProperty(
        "Features", .texts,
        "what this version can do beyond the first: \(Geofence1.features.joined(separator: ", "))",
        change: .constant)

    package static let degraded = StatusProperty(
        "Degraded", .texts, "what is not well, by name; empty is good",
        json: "degraded",
        metric: StatusMetric { reasons, _, text in
            text.add(
                "geofenced_degraded_reasons", .gauge, "How many things do not work.",
                Double(reasons.count))
            text.add(
                "geofenced_degraded", .gauge, "What does not work; nothing of what does.",
                reasons.map { .init([("reason", $0)], 1) })
        })

    package static let window = StatusProperty(
        "Window", .texts,
        "ids of the regions watched now, in the order of the window", change: .emitsInvalidation,
        isRestricted: true, json: "regions"
    ) { ids, _, json in json.integer(ids.count) }
}

extension StatusProperty<UInt64> {
    package static let fenceCount = StatusProperty(
        "FenceCount", .count, "how many fences there are", json: "fences",
        metric: .number("geofenced_fences", "Fences of the catalogue.") { Double($0) })

    package static let generation = StatusProperty(
        "Generation", .count, "of the catalogue: every change raises it", json: "generation",
        metric: .number(
            "geofenced_catalogue_generation", "Rises with every change of the catalogue."
        ) { Double($0) })

    package static let oldestSeq = StatusProperty(
        "OldestSeq", .count, "the first event of the log", json: "oldest_seq")

    package static let lastSeq = StatusProperty(
        "LastSeq", .count, "the last event of the log", json: "last_seq",
        metric: StatusMetric { last, status, text in
            // Without a log nobody knows its numbers.
            guard !status[.logID].isEmpty else { return }
            text.add(
                "geofenced_events_total", .counter,
                "Events ever recorded: the last number of the log.", Double(last))
        })
}

extension StatusProperty<UInt32> {
    package static let windowSize = StatusProperty(
        "WindowSize", .count, "how many regions there may be", json: "window_size")
}

extension StatusProperty<Double?> {
    package static let metafenceRadius = StatusProperty(
        "MetafenceRadius", .maybe(decimals: 1, nothing: 0),
        "metres; 0 when the whole catalogue is in the window", change: .emitsInvalidation,
        isRestricted: true, json: "metafence_m")

    package static let fixInterval = StatusProperty(
        "FixInterval", .maybe(decimals: 1, nothing: 0),
        "how often the source gives a fix, seconds: its pace, from which follows what a hole is; 0 "
            + "while that is not known", change: .silent,
        json: "fix_interval_s",
        metric: .number(
            "geofenced_fix_interval_seconds", "How often the source gives a fix."
        ) { $0 })

    package static let odometer = StatusProperty(
        "Odometer", .maybe(decimals: 1, nothing: -1),
        "how far the vehicle has been driven, metres; never goes back", change: .silent,
        json: "odometer_m",
        metric: .number(
            "geofenced_driven_meters_total", "The odometer of geofenced.", kind: .counter
        ) { $0 })

    package static let vehicleOdometer = StatusProperty(
        "VehicleOdometer", .maybe(decimals: 1, nothing: -1),
        "what the vehicle's own odometer shows, metres; -1 where it does not say", change: .silent,
        json: "vehicle_odometer_m",
        metric: .number(
            "geofenced_vehicle_odometer_meters", "What the vehicle's own odometer shows."
        ) { $0 })
}

extension StatusProperty<Bool> {
    package static let rangingAvailable = StatusProperty(
        "RangingAvailable", .flag,
        "BeaconState is not off; false while no fence or session needs the radio, because it is "
            + "not queried then")

    package static let resting = StatusProperty(
        "Resting", .flag, "whether the vehicle is parked and its receiver may sleep",
        change: .silent,
        metric: .number(
            "geofenced_resting", "Whether the vehicle is parked, and its receiver may sleep."
        ) { $0 ? 1 : 0 })
}

extension StatusProperty<UTCTime?> {
    package static let started = StatusProperty(
        "StartTimestamp", .time, "when the program began, by the wall clock as it is now",
        change: .silent)

    package static let lastFix = StatusProperty(
        "LastFixTimestamp", .time, "of the last accepted fix, by the receiver's clock",
        change: .silent,
        json: "fix",
        metric: .number(
            "geofenced_last_fix_timestamp_seconds", "When the last accepted fix was made."
        ) { $0.map { Double($0.microseconds) / 1_000_000 } }
    ) { time, status, json in
        guard let time else { return json.null() }
        // What the caller may read of it; its time at least.
        json.beginObject()
        json.key("time")
        json.string(time.iso8601)
        if let position = status.position {
            (ToldPosition.place + ToldPosition.motion).write(position, to: &json)
        }
        json.endObject()
    }
}

extension StatusProperty<Uptime?> {
    package static let lastFixArrival = StatusProperty(
        "LastFixTimestampMonotonic", .monotonic, "when the last accepted fix arrived",
        change: .silent)
}

extension StatusProperty<[ToldCount]> {
    package static let fixCounters = StatusProperty(
        "FixCounters", .counts,
        "fixes that were accepted, and those that were refused by reason, since the daemon began",
        change: .silent,
        metric: .counts(
            "geofenced_fixes_total",
            "Fixes accepted, and refused by reason, since geofenced began.")
    ) { _, status, json in
        json.key("accepted")
        json.integer(status.accepted)
        json.key("refused")
        ToldForm<[ToldCount]>.counts.json(status.refused, &json)
    }

    package static let wheelCounters = StatusProperty(
        "WheelCounters", .counts,
        "words of the wheels that were accepted, and those that were refused by reason: "
            + "incomplete, not-finite, out-of-range, too-often, odometer-went-back, "
            + "odometer-leaped", change: .silent,
        metric: .counts(
            "geofenced_wheel_words_total",
            "Words of the wheels accepted, and refused by reason, since geofenced began."))
}

extension StatusProperty<[ToldRight]> {
    package static let authorization = StatusProperty(
        "Authorization", .rights,
        "what the caller may do: for manage-fences, read-events, read-location, set-vehicle, "
            + "set-driver, set-route, range-beacons and state-presence one of yes, no, auth (after "
            + "authentication) and unknown, while polkit does not answer",
        change: .emitsInvalidation)
}

extension StatusProperty<[ToldBeacon]> {
    package static let companions = StatusProperty(
        "Companions", .companions,
        "the companions that may be with the vehicle, by id: presence (u), ambiguous (b: it or "
            + "another of its group), manual (b), title (s), metadata (a{sv}, as far as "
            + "ListBeacons has it), since (t)", change: .emitsInvalidation, isRestricted: true)
}

extension StatusProperty<VehicleState?> {
    package static let vehicle = StatusProperty(
        "Vehicle", .vehicle,
        "what hazards are judged with: height_m, width_m, length_m, weight_t, axle_load_t (d), as "
            + "far as they are known; assumed_height_m (d) while no height is set; "
            + "stated_height_m (d), a lower one that is not confirmed; certainty (s) of the "
            + "height: assumed, unconfirmed or confirmed; profile (s) and profiles (as); hazards "
            + "(b), whether hazards are known at all; set_by (s); set_at and confirmed_at (t)",
        json: "vehicle"
    ) { _, status, json in ToldForm<VehicleState?>.vehicle.json(status.vehicle, &json) }
}

extension StatusProperty<[Ahead]> {
    package static let ahead = StatusProperty(
        "Ahead", .ahead,
        "the hazards that the vehicle is coming to and does not fit, those on its route first, of "
            + "each the nearest first: hazard, its id, title and stage (s), advisory, urgent or, "
            + "before either, empty; on_route (b); and what approach says of an event",
        change: .silent, isRestricted: true,
        json: "ahead")
}
