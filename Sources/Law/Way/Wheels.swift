package import Model
import SharedLimits
package import Time

/// What the vehicle says of its motion, and what of that counts at a report: section 13 of the law.
///
/// Beside the engine, which has it with each report: so nothing of it has to outlive a process.
package struct Wheels: Sendable {
    /// Whether the vehicle speaks.
    package enum State: String, Sendable {
        /// It has never said anything.
        case none
        /// It was heard, and has said nothing for more than ``Wheels/silence``.
        case silent
        case standing
        case moving
    }

    /// What the odometer showed at an accepted fix.
    private struct Mark {
        var source: String
        var shown: Double
        var at: Uptime
    }

    /// What was last taken, and when it arrived.
    private var heard: (motion: VehicleMotion, at: Uptime)?
    /// At the last accepted fix; nil where the wheels were not heard there.
    private var mark: Mark?
    /// How far what was added is ahead of what can have been driven.
    private var surplus = Surplus(over: VehicleMotion.mostSpeed, limit: step)
    /// Both at the report that is being judged.
    private var next: (mark: Mark, surplus: Surplus)?
    /// What was refused, by its reason.
    package private(set) var refused: [WheelRefusal: UInt64] = [:]
    /// What was taken.
    package private(set) var taken: UInt64 = 0

    /// How long what was said last counts.
    package static let silence = TimeSpan.seconds(3)
    /// The least time between two that say the same of standing: once a second, and not to the
    /// millisecond.
    private static let leastInterval = TimeSpan.milliseconds(500)
    /// The least between any two.
    private static let leastChange = TimeSpan.milliseconds(100)
    /// How far an odometer may be ahead of what can have been driven, m: it counts in steps.
    private static let step = 200.0

    package init() {}

    /// Takes what the vehicle says at that time, which never falls; the reason where it is refused.
    package mutating func take(_ motion: VehicleMotion, at now: Uptime) -> WheelRefusal? {
        if let flaw = motion.flaw { return refuse(flaw) }
        guard let heard else {
            self.heard = (motion, now)
            taken += 1
            return nil
        }
        let interval = now - heard.at
        let least =
            heard.motion.isStanding == motion.isStanding
            ? Self.leastInterval : Self.leastChange
        guard interval >= least else { return refuse(.tooOften) }
        self.heard = (motion, now)
        taken += 1
        guard let before = heard.motion.odometer, let shown = motion.odometer,
            heard.motion.odometerSource == motion.odometerSource
        else { return nil }
        let flaw: WheelRefusal? =
            if shown < before {
                .wentBack
            } else if shown - before > VehicleMotion.mostSpeed * interval.seconds + Self.step {
                .leaped
            } else {
                nil
            }
        guard let flaw else { return nil }
        mark = nil
        return refuse(flaw)
    }

    /// Counts what could not even be read.
    @discardableResult
    package mutating func refuse(_ reason: WheelRefusal) -> WheelRefusal {
        refused[reason, default: 0] += 1
        return reason
    }

    /// The one who spoke has gone: what he said does not count any more, only what it has added.
    package mutating func forget() {
        heard = nil
        mark = nil
    }

    /// At that time, as far as anything is known.
    package func state(at now: Uptime) -> State {
        guard let heard else { return taken > 0 ? .silent : .none }
        guard now - heard.at <= Self.silence else { return .silent }
        return heard.motion.isStanding ? .standing : .moving
    }

    /// What the odometer of the vehicle last showed, m.
    package var odometer: Double? { heard?.motion.odometer }

    /// What the wheels say at a report that arrives now; nil where they are silent. To be followed
    /// by ``accepted()`` if the report is accepted.
    package mutating func reading(at now: Uptime) -> WheelReading? {
        next = nil
        guard let heard, now - heard.at <= Self.silence else { return nil }
        let motion = heard.motion
        var reading = WheelReading(speed: motion.speed, isStanding: motion.isStanding)
        guard let odometer = motion.odometer else { return reading }
        // Since it was read the wheels have turned on.
        let since = max(now - heard.at, .zero).seconds
        var shown = odometer + (motion.isStanding ? 0 : motion.speed * since)
        var surplus = surplus
        if let mark, mark.source == motion.odometerSource {
            // They have braked meanwhile.
            shown = max(shown, mark.shown)
            let way = shown - mark.shown
            // Each word may be a step ahead, all of them together no more than that.
            if surplus.take(way, in: now - mark.at) { reading.way = way } else { refuse(.leaped) }
        }
        next = (Mark(source: motion.odometerSource, shown: shown, at: now), surplus)
        return reading
    }

    /// The report of the last ``reading(at:)`` was accepted.
    package mutating func accepted() {
        mark = next?.mark
        if let next { surplus = next.surplus }
        next = nil
    }
}

extension VehicleMotion {
    /// Why it is not believed; nil where it is.
    package var flaw: WheelRefusal? {
        guard speed.isFinite, odometer?.isFinite != false else { return .notFinite }
        guard (0...Self.mostSpeed).contains(speed),
            (0...SharedLimits.odometer).contains(odometer ?? 0),
            odometerSource.utf8.count <= Self.longestSource,
            !isStanding || speed < Movement.leastSpeed
        else { return .outOfRange }
        return nil
    }
}
