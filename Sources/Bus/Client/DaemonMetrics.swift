package import Geofence1
import JSON
package import Metrics
import SharedLimits
import Systemd
import Time

/// What the daemon says of itself as metrics. Nothing of where the vehicle is, was or is going to be, and
/// nobody's name.
package enum DaemonMetrics {
    /// - Parameters:
    ///   - status: nil: the daemon does not run.
    ///   - consumers: nil: the caller may not see them.
    ///   - sources: of fences; of very many the first.
    package static func text(
        _ status: DaemonStatus?, consumers: [ToldConsumer]?, sources: [SourceStatus]
    ) -> MetricsText {
        var text = MetricsText()
        text.add(
            "geofenced_up", .gauge, "Whether geofenced runs and answers.", status == nil ? 0 : 1)
        status?.write(to: &text)
        add(consumers ?? [], to: &text)
        add(Array(sources.prefix(SharedLimits.sources)), to: &text)
        return text
    }

    private static func add(_ consumers: [ToldConsumer], to text: inout MetricsText) {
        func samples(_ value: (ToldConsumer) -> Double?) -> [MetricsText.Sample] {
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
}
