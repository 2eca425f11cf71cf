package import Bytes
package import Time

/// How often the source gives a fix, from which follows what a hole is: section 2 of the law.
package struct Pace: Hashable, Sendable {
    /// The last ones between judged fixes; the next one takes the place of that at `oldest`.
    private var intervals: [TimeSpan] = []
    private var oldest = 0
    /// Of ``median``; zero where that makes no hole longer than any setting does.
    private var hole = TimeSpan.zero

    private static let most = 10
    /// Of fewer there is no pace.
    private static let least = 5
    /// A longer interval is not of the source's own pace, and over a longer one no path leads by it.
    private static let longest = TimeSpan.seconds(120)

    package init() {}

    /// Between fixes that are further apart there is a hole; `floor` is the least that the settings give.
    @inline(__always)
    package func hole(atLeast floor: TimeSpan) -> TimeSpan { max(floor, hole) }

    /// P, the median: of an even number the lower of the two in the middle; nil where there are too few.
    package var median: TimeSpan? {
        guard intervals.count >= Self.least else { return nil }
        return intervals.sorted()[(intervals.count - 1) / 2]
    }

    /// Takes the time between two judged fixes. `floor` is the least that ``hole(atLeast:)`` is asked for.
    @inline(__always)
    package mutating func note(_ interval: TimeSpan, floor: TimeSpan) {
        guard interval > .zero, interval <= Self.longest else { return }
        let isFull = intervals.count == Self.most
        if isFull {
            intervals[oldest] = interval
            oldest = oldest + 1 == Self.most ? 0 : oldest + 1
        } else {
            intervals.append(interval)
        }
        // Where one that makes no hole longer takes the place of another, none becomes longer.
        guard hole > .zero || !isFull || Self.hole(interval) > floor else { return }
        weigh()
        if hole <= floor { hole = .zero }
    }

    private mutating func weigh() {
        hole = median.map { min(Self.hole($0), Self.longest) } ?? .zero
    }

    /// The hole at that pace.
    private static func hole(_ pace: TimeSpan) -> TimeSpan { pace + pace + pace / 2 }
}

extension Pace: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(intervals[oldest...] + intervals[..<oldest]) { $0.write($1.nanoseconds) }
    }

    package init(from reader: inout ByteReader) throws {
        intervals = try reader.readList { TimeSpan(nanoseconds: try $0.read()) }
        guard intervals.count <= Self.most,
            intervals.allSatisfy({ $0 > .zero && $0 <= Self.longest })
        else { throw DamagedRecord() }
        weigh()
    }
}
