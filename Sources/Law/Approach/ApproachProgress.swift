import Model
import Time

/// What is remembered of one hazard while the vehicle is, or may be, on its approach.
package struct ApproachProgress: Hashable, Sendable {
    /// Fixes in a row that are on a leg.
    struct Run: Hashable, Sendable {
        var fixes = 1
        /// m since the first of them.
        var way = 0.0
        /// s at the first of them, m.
        var firstToGo: Double
        /// Those at the end of the row at which no rival fitted better.
        var bestFixes = 0
        /// The first was beyond the last escape.
        var beganBeyond = false
        /// One of them was not on a leg.
        var hasMissed = false
    }

    /// Where on the approach the vehicle was last.
    struct Place: Hashable, Sendable {
        /// Index of the leg; 0 for a cone.
        var leg: Int
        /// s at that fix, m.
        var toGo: Double
        /// m/s
        var speed: Double
    }

    /// The restricted section.
    enum Section: Hashable, Sendable {
        case before
        /// Reached, and left for so many metres.
        case reached(left: Double)
    }

    /// The leg that fitted best at the last judged fix; nil where none did, or a rival better.
    var bestLeg: Int?
    /// At the last fix on a leg; nil before the first.
    var place: Place?
    /// Nil where the last fixes do not make one.
    var run: Run?
    /// It goes to the hazard: enough fixes have said so.
    var isConfirmed = false
    /// Judged fixes since the last one on a leg; as ``noteOff(way:fixes:)`` counts them.
    var offFixes = 0
    /// m since the last fix on a leg.
    var offWay = 0.0
    var section = Section.before
    /// The last that was said.
    var stage: ApproachStage?
    /// When the first stage was said.
    var began: UTCTime?
    /// Why the path began on which the vehicle was first found here; nil where it came by road.
    var origin: EventReason?

    /// Nothing needs to be remembered.
    var isEmpty: Bool { bestLeg == nil && run == nil && !isConfirmed && stage == nil }

    /// A jump, a re-base or a restart: what was said stays said, the rest begins anew.
    mutating func beginAnew() {
        self = ApproachProgress(resuming: stage, since: began)
    }

    /// Of a stage that is in the log.
    init(resuming stage: ApproachStage?, since began: UTCTime?) {
        self.stage = stage
        self.began = began
    }

    init() {}

    /// s by the odometer: at the last fix on a leg, less the way since; nil before the first.
    var toGo: Double? { place.map { $0.toGo - offWay } }

    /// A judged fix on a leg, `way` m after the last judged one.
    /// - Parameters:
    ///   - bestFixes: in a row at which no rival fits better, this one included.
    ///   - isBeyond: the last escape is behind, or there is none.
    mutating func noteOn(_ new: Place, bestFixes: Int, isBeyond: Bool, way: Double) {
        let between = way + offWay
        if var run {
            run.fixes += 1
            run.way += between
            let hasRisen = ApproachRules.hasRisen(
                from: run.firstToGo, to: new.toGo, way: run.way)
            self.run = hasRisen ? Run(firstToGo: new.toGo) : run
            if !hasRisen, ApproachRules.isConfirmed(fixes: run.fixes, way: run.way) {
                isConfirmed = true
            }
        } else {
            run = Run(firstToGo: new.toGo)
            run?.beganBeyond = isBeyond && !isConfirmed && origin == nil
        }
        run?.bestFixes = bestFixes
        place = new
        offFixes = 0
        offWay = 0
    }

    /// A judged fix on no leg, `way` m after the last judged one.
    /// - Parameter fixes: as how many it counts for the vehicle having turned off.
    mutating func noteOff(way: Double, fixes: Int = 1) {
        offFixes += fixes
        offWay += way
        if run?.hasMissed == false {
            run?.hasMissed = true
        } else {
            run = nil
        }
    }

    /// A vehicle that came by road passes the legs before the last escape first. One that is first
    /// found beyond it is more likely on a road beside, until it has been on the leg for a while.
    var isPlausible: Bool {
        guard let run, run.beganBeyond else { return true }
        return run.bestFixes >= ApproachRules.plausibleFixes
    }

    /// It has turned off before, and drives along the legs again: no drive round the block.
    var isBack: Bool { run.map { $0.fixes >= 10 && $0.way >= 100 } ?? false }

    /// Everything but what was said is forgotten.
    mutating func leave() {
        let best = bestLeg
        beginAnew()
        bestLeg = best
    }
}
