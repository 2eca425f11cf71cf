/// How far each sink has come with announcing the log. Nearly always they have all come equally far.
package struct SinkPositions: Hashable, Sendable {
    /// Number of the event up to which every sink has announced.
    package private(set) var least: UInt64
    /// By the name of the sink: those that have come further than ``least``.
    package private(set) var further: [String: UInt64]

    /// - Parameter further: who is not further than `least` is left out.
    package init(least: UInt64 = 0, further: [String: UInt64] = [:]) {
        self.least = least
        self.further = further.filter { $0.value > least }
    }

    /// Up to which event that sink has announced.
    package subscript(sink: String) -> UInt64 { further[sink] ?? least }

    /// Of each sink the further of two positions: both are true, one may be older.
    package func furthest(_ other: SinkPositions) -> SinkPositions {
        SinkPositions(
            least: max(least, other.least),
            further: further.merging(other.further) { max($0, $1) })
    }

    /// Nobody has announced what is not there.
    package func limited(to last: UInt64) -> SinkPositions {
        SinkPositions(least: min(least, last), further: further.mapValues { min($0, last) })
    }
}
