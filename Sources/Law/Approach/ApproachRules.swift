package import Model
import Time

/// The inequalities of section 8 of the law, and nothing else: s is metres to go, x metres to go
/// to the last escape, v the speed in m/s, e the error of the fix in m.
package struct ApproachRules: Hashable, Sendable {
    /// The numbers that are settings.
    package var settings: ApproachSettings
    /// As it travels now.
    package var vehicle: Vehicle
    /// Where the vehicle is on its route at the last judged fix; nil where it is on none.
    @Boxed package var route: RouteBearing?

    package init(settings: ApproachSettings, vehicle: Vehicle) {
        self.settings = settings
        self.vehicle = vehicle
        route = nil
    }

    /// The limit that the vehicle breaks by the greatest share; nil where it fits.
    func shortfall(_ limits: Limits) -> Shortfall? {
        vehicle.shortfall(limits, assumedHeight: settings.assumedHeight)
    }

    // MARK: Matching

    /// The greatest q of a match, and how far it may be above the least.
    static let greatestQ = 12.0
    static let tolerance = 2.0
    /// The same for a vehicle that is confirmed to be on the approach: on parallel roads another line
    /// fits better for a while, which does not yet say that it has turned off.
    static let offTolerance = 6.0
    /// A rival that has parted from a leg so many metres back has no tolerance: there it can be seen
    /// which of the two roads it is.
    static let partedAfter = 100.0
    /// What q is less by for a leg that continues the last best match. A rival has no such credit:
    /// between roads 15 m apart it turned ties into silence.
    static let continuation = 1.0

    /// Up to this error the scale of distances is the least, m.
    static let usualError = 16.0
    /// No leg beyond this matches then, m: above √13 · 8.
    static let usualReach = 29.0

    /// The distance that counts as one in q, m. Never more than 50, so that whatever matches lies
    /// within ``Approach/reach`` of a leg.
    static func matchingScale(error: Double) -> Double { min(max(8, error / 2), 50) }

    /// From the distance in scales and the difference of courses in degrees, at most 45.
    static func quality(distance: Double, scale: Double, course: Double) -> Double {
        let d = distance / scale
        let c = course / 20
        return d * d + c * c
    }

    // MARK: Confirmation

    /// On that many fixes in a row, over that many metres.
    static func isConfirmed(fixes: Int, way: Double) -> Bool { fixes >= 3 && way >= 25 }

    /// s has risen more than noise explains since the first of them.
    static func hasRisen(from first: Double, to toGo: Double, way: Double) -> Bool {
        toGo - first > 10 + 0.2 * way
    }

    /// Off: not on any leg for that many fixes and metres.
    static func isOff(fixes: Int, way: Double) -> Bool { fixes >= 5 && way >= 40 }

    // MARK: Stages

    /// The stage that is due on a leg, for a vehicle that does not fit; nil where none is.
    /// - Parameters:
    ///   - slowing: how much speed the vehicle has lost a second, m/s²; nil where it is not known.
    ///   - bestFixes: in a row at which no rival fitted better.
    ///   - isQuiet: the vehicle has just turned off this approach: only a near escape counts.
    func stage(
        on leg: Approach.Leg, toGo s: Double, speed v: Double, slowing: Double?, bestFixes: Int,
        isQuiet: Bool
    ) -> ApproachStage? {
        if s <= urgentToGo(on: leg, speed: v) { return .urgent }
        let x = leg.lastEscape.map { s - $0 } ?? s
        let isSure = x <= Self.toleratedTime * v || bestFixes >= Self.sureFixes
        if leg.chance >= settings.chance, x <= Self.farthest, isSure, !isQuiet { return .advisory }
        let isRemote = leg.chance < Self.remoteChance
        let time = isRemote ? Self.remoteTime : Self.nearTime
        guard x <= max(60, time * v), canTurn(leg, toGo: s, speed: v), !canWait(leg, toGo: s) else {
            return nil
        }
        guard isRemote else { return .advisory }
        let brakes = slowing.map { $0 >= Self.braking }
        // It brakes for the turn there: then it is no matter which of two roads this is.
        if brakes == true, x <= Self.brakingTime * v { return .advisory }
        return bestFixes < 2 || brakes == false && mustBrake(leg, speed: v) ? nil : .advisory
    }

    /// Before the last escape, no advisory is farther, m.
    static let farthest = 1_609.0

    /// Whether one who is so fast, and makes the next turn, brakes for it before the last escape in
    /// time to be told: a sharp turn at it, or so shortly behind that braking begins before it even if
    /// it is hard.
    private func mustBrake(_ leg: Approach.Leg, speed v: Double) -> Bool {
        guard v >= Self.fastForTurn, let turn = leg.turn, turn.angle > 70 else { return false }
        let behind = (leg.lastEscape ?? 0) - turn.toGo
        return v * v > Self.inSharpTurn * Self.inSharpTurn + 2 * Self.hardBraking * behind
    }

    /// m/s
    static let fastForTurn = 12.0
    /// m/s in turns above 70°, m/s²
    private static let (inSharpTurn, hardBraking) = (7.0, 4.0)
    /// The loss of speed that is braking, m/s², and how long before the last escape it says something, s.
    static let (braking, brakingTime) = (0.5, 6.0)

    /// Time before the last escape at which the advisory is due whatever the chance, s.
    static let nearTime = 14.0
    /// Below this chance the time is shorter, because most vehicles turn away meanwhile, and no rival
    /// may fit better.
    static let remoteChance = 0.02
    static let remoteTime = 10.0
    /// Farther than this before the last escape, s, there is time to see which of two parallel roads
    /// the vehicle is on: with a rival near, the advisory waits for that many fixes in a row at which
    /// none fits better. Nearer, the tolerance decides for the approach.
    static let toleratedTime = 25.0
    static let sureFixes = 8
    /// The same number for a vehicle that is first found beyond the last escape.
    static let plausibleFixes = 10

    /// The metres to go from which `urgent` is due on that leg; below 0 where it never is.
    func urgentToGo(on leg: Approach.Leg, speed v: Double) -> Double {
        let near = max(150, 10 * v)
        var toGo = -1.0
        if let escape = leg.lastEscape {
            // Past it by more than 10 m.
            toGo = (escape - 10).nextDown
            if leg.chance >= 0.5 { toGo = max(toGo, near) }
        } else {
            toGo = near
        }
        return min(toGo, 600)
    }

    /// Slow enough, or far enough from it, to make the next turn: 7 m/s in turns above 70°, 11 m/s
    /// in others, with 2 m/s² until 5 m before it.
    func canTurn(_ leg: Approach.Leg, toGo s: Double, speed v: Double) -> Bool {
        guard let turn = leg.turn else { return true }
        let inTurn = turn.angle > 70 ? Self.inSharpTurn : 11.0
        return v * v <= inTurn * inTurn + 2 * 2 * max(s - turn.toGo - 5, 0)
    }

    /// Whether the vehicle has so far to go from the next turn to the last escape that the near
    /// advisory can wait until it has made the turn. Most do not make it.
    private func canWait(_ leg: Approach.Leg, toGo s: Double) -> Bool {
        guard let turn = leg.turn, turn.toGo <= s, let escape = leg.lastEscape else { return false }
        return turn.toGo - escape >= Self.wayAfterTurn
    }

    /// 10 s at 8 m/s, as fast as a vehicle gains speed after a turn, m.
    static let wayAfterTurn = 80.0

    // MARK: Cones

    /// The stage that is due at `distance` m from the point, `bearing` degrees off the course.
    func coneStage(distance: Double, bearing: Double, speed v: Double) -> ApproachStage? {
        if distance <= max(150, 10 * v), bearing <= 20 { return .urgent }
        return distance <= min(max(500, 45 * v), Self.farthest) ? .advisory : nil
    }

    /// How far off the course the point may be, degrees.
    static let coneBearing = 30.0
    /// How far the course may be off that of the list, degrees.
    static let coneDirection = 60.0
    /// The approach ends after 5 fixes at more than this, degrees or m.
    static let coneEnd = (bearing: 60.0, distance: 1_709.0)
    /// A cone whose point came as near as this was passed, m.
    static let conePassed = 50.0

    // MARK: Without fixes

    /// Dead reckoning begins after this, so that the next fix of a slow receiver comes first.
    static let reckoningFrom = TimeSpan.seconds(3)
    /// It ends after this.
    static let reckoningUntil = TimeSpan.seconds(30)
    /// How long a warning holds without a fix: as long as the road explains. On a leg without a way
    /// out the vehicle is still there; before one, for the way to the hazard at a crawl.
    /// - Parameters:
    ///   - leg: that it was on last.
    ///   - s: metres to go there.
    static func lostAfter(on leg: Approach.Leg, toGo s: Double) -> TimeSpan {
        guard let escape = leg.lastEscape, s > escape else { return mostLost }
        return min(max(.seconds(s / crawl), leastLost), mostLost)
    }

    /// The least, and where it is not known where the vehicle was.
    static let leastLost = TimeSpan.seconds(120)
    private static let mostLost = TimeSpan.seconds(1_800)
    /// m/s
    private static let crawl = 2.0
}
