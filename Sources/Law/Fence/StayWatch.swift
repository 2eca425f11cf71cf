package import Bytes
import Model
package import Time

/// The state of a stay for the terms of its fence.
package struct StayWatch: Hashable, Sendable {
    /// The present or just ended time above the speed limit; nil if there is none.
    package var speeding: Speeding?
    /// The vehicle has stood as long as the fence requires.
    package var hasStood = false
    /// The beginning of the stay was not seen: found inside, or after a power cut.
    package var isUnseen = false
    /// `overstay` has been recorded.
    package var overstayTold = false

    package init() {}

    /// A re-base: translates the stored receiver times to the new time base.
    mutating func shift(by span: TimeSpan) {
        guard var speeding else { return }
        speeding.since = speeding.since + span
        speeding.last = speeding.last + span
        speeding.below = speeding.below.map { $0 + span }
        self.speeding = speeding
    }
}

/// A time above a speed limit.
package struct Speeding: Hashable, Sendable {
    /// Receiver time of the first fix above it.
    package var since: UTCTime
    /// Receiver time of the last fix that was judged.
    package var last: UTCTime
    /// The highest speed, m/s.
    package var highest: Double
    /// `overspeed` has been recorded.
    package var isTold = false
    /// Receiver time of the first fix that is no longer above it.
    package var below: UTCTime?

    /// When it ended, if no other fix comes.
    var end: UTCTime { below ?? last }
}

// MARK: - Bytes

extension StayWatch: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(speeding) { writer, speeding in
            writer.write(speeding.since)
            writer.write(speeding.last)
            writer.write(speeding.highest)
            writer.write(speeding.isTold)
            writer.write(speeding.below) { $0.write($1) }
        }
        writer.write(hasStood)
        writer.write(isUnseen)
        writer.write(overstayTold)
    }

    package init(from reader: inout ByteReader) throws {
        speeding = try reader.readOptional { reader in
            var speeding = Speeding(
                since: try reader.readTime(), last: try reader.readTime(),
                highest: try reader.readDouble())
            speeding.isTold = try reader.readBool()
            speeding.below = try reader.readOptional { try $0.readTime() }
            return speeding
        }
        hasStood = try reader.readBool()
        isUnseen = try reader.readBool()
        overstayTold = try reader.readBool()
    }
}
