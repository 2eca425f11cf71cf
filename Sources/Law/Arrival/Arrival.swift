package import Bytes
import Model
import Time

/// What is kept of the way to a fence with `arrive_sec`: section 14 of the law.
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
    private static let longestHole = TimeSpan.seconds(600)

    /// How near the boundary the way is followed, m; 0 for never.
    static func reach(_ span: TimeSpan) -> Double {
        span > .zero ? min(fastest * span.seconds, longestReach) : 0
    }

    /// Nothing has to be kept.
    var isEmpty: Bool { heading == nil && told == nil }

    /// Judges the fix at the end of a passage, while the vehicle is outside the fence.
    /// - Parameters:
    ///   - distance: from its boundary, m.
    ///   - reach: see ``reach(_:)``, m.
    ///   - span: so long before the arrival it is told.
    ///   - toEnd: what is left of a route that leads there, m.
    mutating func note(
        _ passage: Passage, at distance: Double, within reach: Double, span: TimeSpan,
        alongRoute toEnd: Double?
    ) -> Transition? {
        let time = passage.to.time
        follow(passage, at: distance, within: reach)
        if var told {
            if case .newPath = passage.link { told.nearest = distance }
            told.nearest = min(told.nearest, distance)
            self.told = told
            guard let reason = told.end(at: distance, time, span: span, isLed: toEnd != nil) else {
                return nil
            }
            self.told = nil
            if heading != nil { heading = Heading(at: distance) }
            return Self.over(at: time, reason: reason, distance: distance)
        }
        guard passage.isMoving,
            let left = heading?.left(most: span.seconds, alongRoute: toEnd)
        else { return nil }
        told = Told(at: time, nearest: distance)
        var details = TermsDetails()
        details.eta = time + .seconds(left.rounded())
        return Transition(
            kind: .arriving, stay: 0, time: time, distance: distance, terms: details)
    }

    private mutating func follow(
        _ passage: Passage, at distance: Double, within reach: Double
    ) {
        guard distance <= reach else {
            heading = nil
            return
        }
        // Without the fix before on a new path.
        guard heading != nil, let from = passage.from,
            passage.to.time - from.time <= Self.longestHole
        else {
            heading = Heading(at: distance)
            return
        }
        heading?.step(to: distance, way: passage.way, in: passage.to.time - from.time)
    }

    /// The end of what was told.
    static func over(at time: UTCTime, reason: EventReason, distance: Double?) -> Transition {
        Transition(kind: .arrivingOver, stay: 0, time: time, reason: reason, distance: distance)
    }

    /// A re-base: translates the stored receiver time to the new time base.
    mutating func shift(by span: TimeSpan) {
        if let told { self.told = Told(at: told.at + span, nearest: told.nearest) }
    }
}

extension Arrival.Told {
    /// m, and a share of the least distance.
    private static let (turnedWay, turnedShare) = (400.0, 0.3)
    /// After `arrive_sec`, when it is not there.
    private static let patience = TimeSpan.seconds(300)

    /// Why what was told is over at this distance and time; nil if it is not. One that a route leads
    /// there may first go away from it.
    fileprivate func end(
        at distance: Double, _ time: UTCTime, span: TimeSpan, isLed: Bool
    ) -> EventReason? {
        if !isLed, distance - nearest >= max(Self.turnedWay, Self.turnedShare * nearest) {
            return .turnedOff
        }
        return time - at >= span + Self.patience ? .late : nil
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

extension Arrival: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(heading) { writer, heading in
            writer.write(heading.last)
            writer.write(heading.farthest)
            writer.write(heading.closing)
            writer.write(heading.pace)
        }
        writer.write(told) { writer, told in
            writer.write(told.at)
            writer.write(told.nearest)
        }
    }

    package init(from reader: inout ByteReader) throws {
        heading = try reader.readOptional { reader in
            var heading = Heading(at: try reader.readDouble())
            heading.farthest = try reader.readDouble()
            heading.closing = try reader.readDouble()
            heading.pace = try reader.readDouble()
            return heading
        }
        told = try reader.readOptional { reader in
            Told(at: try reader.readTime(), nearest: try reader.readDouble())
        }
    }
}
