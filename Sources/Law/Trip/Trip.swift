package import Bytes
import Model
package import Time

/// A trip that is not over: section 15 of the law.
package struct Trip: Hashable, Sendable {
    /// Receiver time.
    package var began: UTCTime
    /// Where it began; nil in no fence.
    var from: TripPlace?
    /// What was driven since.
    package var way: StayWay
    /// How often it has stood, and gone on.
    var stops: UInt32 = 0
    /// It has stood long enough for a stop, and not gone on yet.
    var isStopped = false
    /// When a position was last recorded in it, receiver time; nil for never.
    var marked: UTCTime?
    /// After a power cut and before its first fix: until when the vehicle was known to be under way.
    /// Not among the stored bytes.
    var seen: UTCTime?

    init(began: UTCTime, from: TripPlace?, way: StayWay) {
        self.began = began
        self.from = from
        self.way = way
    }

    /// A re-base: translates the stored receiver times to the new time base.
    mutating func shift(by span: TimeSpan) {
        began = began + span
        marked = marked.map { $0 + span }
        seen = seen.map { $0 + span }
    }
}

extension Trip: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(began)
        writer.write(from) { $0.write($1) }
        writer.write(way)
        writer.write(stops)
        writer.write(isStopped)
        writer.write(marked) { $0.write($1) }
    }

    package init(from reader: inout ByteReader) throws {
        began = try reader.readTime()
        from = try reader.readOptional { try $0.readTripPlace() }
        way = try reader.read()
        stops = try reader.read()
        isStopped = try reader.readBool()
        marked = try reader.readOptional { try $0.readTime() }
    }
}
