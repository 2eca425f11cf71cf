package import Geodesy
package import Law
import Model
package import Time

/// How much of the event log is kept.
package struct Retention: Hashable, Sendable {
    /// Number of events, and up to 63 more.
    package var count: Int
    /// Events whose fix is older than the newest one's by more than this may be deleted. By the
    /// receiver's clock: a device without a battery-backed clock starts in 1970.
    package var age: TimeSpan
    /// This number of the last events is kept however old they are: one date from the future must
    /// not empty the log.
    package var always: Int
    /// Bytes of the file: beyond them the oldest events are deleted, whatever the other limits say.
    /// Those not yet announced are deleted beyond twice as many.
    package var size: Int64

    package init(
        count: Int = 100_000, age: TimeSpan = .seconds(90 * 86_400), always: Int = 1_000,
        size: Int64 = 64 << 20
    ) {
        self.count = count
        self.age = age
        self.always = always
        self.size = size
    }

    /// The same within what the log can be cut to.
    var bounded: Retention {
        let always = min(max(always, 1), 1_000_000_000)
        return Retention(
            count: min(max(count, always), 1_000_000_000), age: age, always: always,
            size: max(size, 1 << 20))
    }

    /// Whether events after `seq` were deleted, or will be before the log has grown by a tenth.
    /// - Parameters:
    ///   - oldest: number of the oldest event that is kept.
    ///   - last: number of the last event.
    package func isCutting(after seq: UInt64, of oldest: UInt64, to last: UInt64) -> Bool {
        guard seq < last else { return false }
        guard seq + 1 >= oldest else { return true }
        // A log that has given up events has reached one of its limits: it holds no more than now.
        let kept = last + 1 - min(oldest, last)
        let full = oldest > 1 ? max(kept, UInt64(always)) : UInt64(count)
        return last - seq >= full - full / 10
    }
}

/// Where the vehicle was last, for a start without a fix.
package struct LastPosition: Hashable, Sendable {
    /// Of the last accepted fix, WGS 84.
    package var coordinate: Coordinate
    /// Receiver UTC of that fix.
    package var time: UTCTime
    /// What the odometer shows there; nil leaves what was saved before, and is not read back.
    package var driven: OdometerReading?

    package init(coordinate: Coordinate, time: UTCTime, driven: OdometerReading? = nil) {
        self.coordinate = coordinate
        self.time = time
        self.driven = driven
    }
}

/// The engine's checkpoint as it was at a commit.
package struct StoredCheckpoint: Hashable, Sendable {
    /// The boot it belongs to; of another boot its monotonic times mean nothing.
    package var bootID: String?
    /// An ``EngineCheckpoint``, as bytes.
    package var bytes: [UInt8]

    package init(bootID: String?, bytes: [UInt8]) {
        self.bootID = bootID
        self.bytes = bytes
    }
}
