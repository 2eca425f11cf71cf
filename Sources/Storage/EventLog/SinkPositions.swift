/// How far each sink has announced the log. Nearly always all have the same position.
package struct SinkPositions: Hashable, Sendable {
    /// Number of the event up to which every sink has announced.
    package private(set) var least: UInt64
    /// By the name of the sink: those that are further than ``least``.
    package private(set) var further: [String: UInt64]

    /// - Parameter further: sinks that are not further than `least` are left out.
    package init(least: UInt64 = 0, further: [String: UInt64] = [:]) {
        self.least = least
        self.further = further.filter { $0.value > least }
    }

    /// The event up to which that sink has announced.
    package subscript(sink: String) -> UInt64 { further[sink] ?? least }

    /// For each sink the further of two positions: both are true, one may be older.
    package func furthest(_ other: SinkPositions) -> SinkPositions {
        SinkPositions(
            least: max(least, other.least),
            further: further.merging(other.further) { max($0, $1) })
    }

    /// No sink can have announced events that do not exist.
    package func limited(to last: UInt64) -> SinkPositions {
        SinkPositions(least: min(least, last), further: further.mapValues { min($0, last) })
    }
}
