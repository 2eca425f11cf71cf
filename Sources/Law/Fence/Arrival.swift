import Bytes
import Model
import Time

/// What is kept of the way to a fence with `arrive_sec`: section 14 of the law. Numbers of that law are
/// here and beside its judgement.
package struct Arrival: Hashable, Sendable {
    /// How the vehicle has come nearer since this began.
    struct Heading: Hashable, Sendable {
        /// Signed distance at the last judged fix, m.
        var last: Double
        /// The greatest since then, m.
        var farthest: Double
        /// How fast it comes nearer, smoothed, m/s.
        var closing = 0.0
        /// How fast it drives, smoothed, m/s.
        var pace = 0.0

        init(at distance: Double) {
            last = distance
            farthest = distance
        }
    }

    /// `arriving` was told, and neither its end nor the arrival has come.
    struct Told: Hashable, Sendable {
        /// Receiver time.
        var at: UTCTime
        /// The least signed distance since then, m; infinite before the first fix.
        var nearest: Double
    }

    /// Nil where the way is not followed: far away, inside, left out.
    var heading: Heading?
    /// Nil unless something was told.
    var told: Told?

    init() {}

    /// Goes on with what was told at `time`, after a power cut.
    init(toldAt time: UTCTime) { told = Told(at: time, nearest: .infinity) }

    /// Fences whose way is followed, in a catalogue.
    package static let most = 256
    /// How fast a vehicle may come nearer, m/s: what can be driven in the time.
    private static let fastest = 50.0
    /// m
    private static let longestReach = 50_000.0
    /// After a longer hole the way begins anew.
    static let longestHole = TimeSpan.seconds(600)

    /// How near the boundary the way is followed, m; 0 for never.
    static func reach(_ span: TimeSpan) -> Double {
        span > .zero ? min(fastest * span.seconds, longestReach) : 0
    }

    /// A re-base: translates the stored receiver time to the new time base.
    mutating func shift(by span: TimeSpan) {
        if let told { self.told = Told(at: told.at + span, nearest: told.nearest) }
    }
}

extension Arrival.Heading {
    /// Time constant of the smoothed speeds, s.
    private static let constant = 30.0
    /// Least share of the pace that brings it nearer.
    private static let leastShare = 0.5
    /// The share of the pace that is expected to, where it is more than now.
    private static let usualShare = 1 / 1.2
    /// m/s, m
    private static let (leastPace, leastClosed) = (1.5, 100.0)
    /// Far: it has come nearer by that many times what is left.
    private static let farRatio = 6.0
    /// Near, where no more than that time is left, s.
    private static let (nearRatio, near) = (0.5, 110.0)

    /// The step to the next fix, on a path or across a hole.
    mutating func step(to distance: Double, way: Double, in span: TimeSpan) {
        let seconds = span.seconds
        if seconds > 0 {
            let share = seconds / (Self.constant + seconds)
            closing += share * ((last - distance) / seconds - closing)
            pace += share * (way / seconds - pace)
        }
        last = distance
        farthest = max(farthest, distance)
    }

    /// How long it takes to the boundary if the vehicle is on its way there, s; nil if that is not
    /// certain, or more than `most`. With what is left of a route that leads there, m, it is certain.
    func left(most: Double, alongRoute toEnd: Double?) -> Double? {
        guard last > 0, pace >= Self.leastPace else { return nil }
        if let toEnd {
            let left = toEnd / pace
            return left <= most ? left : nil
        }
        guard closing >= Self.leastShare * pace else {
            return nil
        }
        let closed = farthest - last
        guard closed >= Self.leastClosed else { return nil }
        let left = last / max(closing, Self.usualShare * pace)
        guard left <= most else { return nil }
        let ratio = left <= Self.near ? Self.nearRatio : Self.farRatio
        return closed >= ratio * last ? left : nil
    }
}

// MARK: - Bytes

extension ByteWriter {
    mutating func write(_ arrival: Arrival) {
        write(arrival.heading) { writer, heading in
            writer.write(heading.last)
            writer.write(heading.farthest)
            writer.write(heading.closing)
            writer.write(heading.pace)
        }
        write(arrival.told) { writer, told in
            writer.write(told.at)
            writer.write(told.nearest)
        }
    }
}

extension ByteReader {
    mutating func readArrival() throws -> Arrival {
        var arrival = Arrival()
        arrival.heading = try readOptional { reader in
            var heading = Arrival.Heading(at: try reader.readDouble())
            heading.farthest = try reader.readDouble()
            heading.closing = try reader.readDouble()
            heading.pace = try reader.readDouble()
            return heading
        }
        arrival.told = try readOptional { reader in
            Arrival.Told(at: try reader.readTime(), nearest: try reader.readDouble())
        }
        return arrival
    }
}
