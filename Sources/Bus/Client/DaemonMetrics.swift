import JSON
package import Metrics
import SharedLimits
import Systemd
import Time

/// What the daemon says of itself as metrics. Nothing of where the vehicle is, was or is going to be, and
/// nobody's name.
package enum DaemonMetrics {
    private static let positionStates = ["unknown", "known", "doubtful", "lost"]
    private static let radioStates = ["off", "passive", "ranging", "limited"]
    private static let wheelStates = ["none", "silent", "standing", "moving"]

    /// - Parameters:
    ///   - status: nil: the daemon does not run.
    ///   - consumers: nil: the caller may not see them.
    ///   - sources: of fences; of very many the first.
    package static func text(
        _ status: DaemonStatus?, consumers: [KnownConsumer]?, sources: [SourceStatus]
    ) -> MetricsText {
        var text = MetricsText()
        text.add(
            "geofenced_up", .gauge, "Whether geofenced runs and answers.", status == nil ? 0 : 1)
        if let status {
            addState(status, to: &text)
            addFences(status, to: &text)
            addDriving(status, to: &text)
        }
        add(consumers ?? [], to: &text)
        add(Array(sources.prefix(SharedLimits.sources)), to: &text)
        return text
    }

    private static func addState(_ status: DaemonStatus, to text: inout MetricsText) {
        text.add(
            "geofenced_build_info", .gauge, "The version that runs.",
            [.init([("version", status.text("Version"))], 1)])
        text.add(
            "geofenced_degraded_reasons", .gauge, "How many things do not work.",
            Double(status.degraded.count))
        text.add(
            "geofenced_degraded", .gauge, "What does not work; nothing of what does.",
            status.degraded.map { .init([("reason", $0)], 1) })
        text.add(
            "geofenced_position_state", "Whether the position is known.",
            state: status.text("PositionState"), of: positionStates)
        text.add(
            "geofenced_last_fix_timestamp_seconds", .gauge, "When the last accepted fix was made.",
            status.number("LastFixTimestamp") > 0
                ? Double(status.number("LastFixTimestamp")) / 1_000_000 : nil)
        let counters = status.properties["FixCounters"]?.asDictionary ?? [:]
        text.add(
            "geofenced_fixes_total", .counter,
            "Fixes accepted, and refused by reason, since geofenced began.",
            counters.sorted { $0.key < $1.key }.compactMap { name, count in
                count.asUInt64.map { .init([("result", name)], Double($0)) }
            })
        text.add(
            "geofenced_beacon_radio_state", "What the radio does that hears beacons.",
            state: status.text("BeaconState"), of: radioStates)
    }

    private static func addFences(_ status: DaemonStatus, to text: inout MetricsText) {
        text.add(
            "geofenced_fences", .gauge, "Fences of the catalogue.",
            count("FenceCount", of: status))
        text.add(
            "geofenced_catalogue_generation", .gauge, "Rises with every change of the catalogue.",
            count("Generation", of: status))
        // Without a log nobody knows its numbers.
        guard !status.text("LogId").isEmpty else { return }
        text.add(
            "geofenced_events_total", .counter, "Events ever recorded: the last number of the log.",
            count("LastSeq", of: status))
    }

    private static func addDriving(_ status: DaemonStatus, to text: inout MetricsText) {
        text.add(
            "geofenced_driven_meters_total", .counter, "The odometer of geofenced.",
            status.odometer)
        text.add(
            "geofenced_vehicle_odometer_meters", .gauge, "What the vehicle's own odometer shows.",
            status.vehicleOdometer)
        text.add(
            "geofenced_wheels_state", "Whether the wheels are heard, and what they do.",
            state: status.wheels ?? "", of: wheelStates)
        text.add(
            "geofenced_wheel_words_total", .counter,
            "Words of the wheels accepted, and refused by reason, since geofenced began.",
            status.wheelCounters.map { .init([("result", $0.name)], Double($0.count)) })
        let ignition = ["off": 0.0, "on": 1.0][status.text("Ignition")]
        text.add("geofenced_ignition_on", .gauge, "Whether the ignition is on.", ignition)
        text.add(
            "geofenced_resting", .gauge,
            "Whether the vehicle is parked, and its receiver may sleep.",
            status.properties["Resting"]?.asBool.map { $0 ? 1 : 0 })
    }

    private static func add(_ consumers: [KnownConsumer], to text: inout MetricsText) {
        func samples(_ value: (KnownConsumer) -> Double?) -> [MetricsText.Sample] {
            consumers.compactMap { consumer in
                value(consumer).map { .init([("consumer", consumer.name)], $0) }
            }
        }
        text.add(
            "geofenced_consumer_pending_events", .gauge,
            "Events of the log that a program or a destination has not acknowledged.",
            samples { Double($0.pending) })
        text.add(
            "geofenced_consumer_oldest_pending_timestamp_seconds", .gauge,
            "When the first of these happened.",
            samples { $0.oldestPending.map { Double($0.nanoseconds) / 1e9 } })
        text.add(
            "geofenced_consumer_acknowledged_events_total", .counter,
            "The number up to which everything was acknowledged.",
            samples { Double($0.acknowledged) })
    }

    private static func add(_ sources: [SourceStatus], to text: inout MetricsText) {
        func samples(_ name: String) -> [MetricsText.Sample] {
            sources.compactMap { source in
                guard let value = source.json[name]?.integer, name == "fences" || value > 0 else {
                    return nil
                }
                return .init([("source", source.name)], Double(value))
            }
        }
        text.add(
            "geofenced_source_state", .gauge, "How the last look at a source of fences went.",
            sources.map { .init([("source", $0.name), ("state", $0.state)], 1) })
        text.add(
            "geofenced_source_fences", .gauge, "Fences of the set of a source.", samples("fences"))
        text.add(
            "geofenced_source_checked_timestamp_seconds", .gauge,
            "When a source was last looked at with success.", samples("checked_at"))
        text.add(
            "geofenced_source_imported_timestamp_seconds", .gauge,
            "When a set of a source last came into the catalogue.", samples("imported_at"))
    }

    private static func count(_ name: String, of status: DaemonStatus) -> Double? {
        status.properties[name]?.asUInt64.map { Double($0) }
    }
}
