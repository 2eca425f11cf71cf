import JSON
import SharedLimits

/// What an ingest worker publishes on `down/ack` after its commit:
/// `{"log":"5f0c…","ranges":[[4700,4711]]}`. A forged one can at most name numbers that were sent.
package struct BackendAck: Hashable, Sendable {
    /// The log that the numbers are of.
    package var log: String
    /// Numbers that the database has.
    package var ranges: [ClosedRange<UInt64>]

    /// Bytes, and ranges, that are read of one.
    private static let limits = (bytes: SharedLimits.acknowledgement, ranges: SharedLimits.ranges)

    /// Nil for anything else.
    package init?(_ payload: [UInt8]) {
        guard payload.count <= Self.limits.bytes, let json = try? JSONValue(parsing: payload),
            let log = json["log"]?.string, let ranges = json["ranges"]?.array,
            ranges.count <= Self.limits.ranges
        else { return nil }
        self.log = log
        self.ranges = ranges.compactMap { range in
            guard let lower = range[0]?.integer.flatMap({ UInt64(exactly: $0) }),
                let upper = range[1]?.integer.flatMap({ UInt64(exactly: $0) }), lower <= upper
            else { return nil }
            return lower...upper
        }
    }
}
