import Geodesy
import Model
import Time

/// Judges one accepted fix against the approach of one hazard.
struct ApproachJudgement {
    let rules: ApproachRules
    let passage: Passage
    let movement: Movement
    let area: Area
    let approach: Approach
    /// Around the legs, then around the rivals.
    let lineBoxes: [GeoBox]
    /// After the fix.
    var progress: ApproachProgress
    private(set) var findings: [ApproachFinding] = []
    /// The vehicle has just turned off this approach.
    private let isQuiet: Bool

    init(
        rules: ApproachRules, passage: Passage, movement: Movement, area: Area,
        approach: Approach, lineBoxes: [GeoBox], progress: ApproachProgress, isQuiet: Bool
    ) {
        self.rules = rules
        self.passage = passage
        self.movement = movement
        self.area = area
        self.approach = approach
        self.lineBoxes = lineBoxes
        self.progress = progress
        self.isQuiet = isQuiet
    }

    mutating func run() {
        if case .newPath(let reason) = passage.link {
            progress.beginAnew()
            progress.origin = reason
        }
        switch approach.course {
        case .legs(let legs): runLegs(legs)
        case .cone(let direction): runCone(towards: direction)
        }
    }

    /// Judges a fix of a vehicle that stands there, or of which nobody knows where it is heading, but
    /// that has certainly come a way; `movement` is along that way.
    mutating func runUnjudged() {
        guard case .legs(let legs) = approach.course, case .lines(let lines, _) = area.geometry
        else { return }
        let matcher = RoadMatcher(passage, course: movement.course)
        switch followWay(to: nil, legs, lines, matcher, []) {
        case .passed: end(.passed)
        case .behind: end(.turnedOff)
        case .onSection: break
        case .none, .away: progress.offWay += passage.way
        }
    }

    // MARK: Legs

    private mutating func runLegs(_ legs: [Approach.Leg]) {
        guard case .lines(let lines, _) = area.geometry else { return }
        let matcher = RoadMatcher(passage, course: movement.course)
        let (matched, rivals) = match(legs, lines, matcher)
        var fit = matched
        let way = passage.way
        var place: ApproachProgress.Place?
        if case .on(let new, _) = fit {
            // Behind the end of a last leg is only who was on the way there.
            if new.toGo < 0, !isOnWay(to: new.leg, legs) { fit = .off } else { place = new }
        }
        switch followWay(to: place, legs, lines, matcher, rivals) {
        case .none: break
        case .onSection: return
        case .passed:
            end(.passed)
            guard place != nil else { return }
        case .behind:
            end(.turnedOff)
            guard place != nil else { return }
        case .away: fit = .off
        }
        switch fit {
        case .on(let place, let rivalry):
            let bestFixes = bestFixes(rivalry, at: place, of: legs)
            let isBeyond = legs[place.leg].lastEscape.map { place.toGo < $0 } ?? true
            progress.noteOn(
                place, bestFixes: bestFixes, isBeyond: isBeyond, way: way)
        case .doubtful where progress.isConfirmed: progress.noteOff(way: way, fixes: 0)
        case .doubtful, .off: progress.noteOff(way: way)
        case .elsewhere: progress.noteOff(way: way, fixes: 2)
        }
        guard case .on(let place, _) = fit else {
            if ApproachRules.isOff(fixes: progress.offFixes, way: progress.offWay) {
                end(.turnedOff)
            }
            return
        }
        guard progress.isConfirmed else { return }
        let outlook = rules.outlook(approach, toGo: place.toGo)
        guard progress.isPlausible || outlook == .ahead else { return }
        tell(stage(on: legs[place.leg], place, outlook), reason: progress.origin)
    }

    /// How many fixes in a row, this one included, show that the vehicle is on the leg and not beside
    /// it. At a fork into a leg that is likely for the first time they are counted again, because
    /// before it both roads were one.
    private func bestFixes(
        _ rivalry: Rivalry, at new: ApproachProgress.Place, of legs: [Approach.Leg]
    ) -> Int {
        var count = progress.run?.bestFixes ?? 0
        let least = rules.settings.chance
        if let last = progress.place, legs.indices.contains(last.leg),
            legs[last.leg].chance < least, legs[new.leg].chance >= least
        {
            count = 0
        }
        switch rivalry {
        case .none: return max(count + 1, ApproachRules.plausibleFixes)
        case .worse: return count + 1
        case .better: return 0
        }
    }

    /// How the rivals fit a fix that is on a leg, whatever it continues.
    private enum Rivalry {
        /// None is near.
        case none
        case worse
        case better
    }

    /// How a fix fits the legs.
    private enum Fit {
        case on(ApproachProgress.Place, Rivalry)
        /// A rival fits better, by less than says that the vehicle has turned off.
        case doubtful
        case off
        /// On another road: a rival fits, and better by more than that.
        case elsewhere
    }

    /// The leg that the vehicle is on, if any.
    private mutating func match(
        _ legs: [Approach.Leg], _ lines: [[Coordinate]], _ matcher: RoadMatcher
    ) -> (Fit, rivals: [Rival]) {
        let before = progress.bestLeg
        let after = before.flatMap { legs.indices.contains($0) ? legs[$0].next : nil }
        var rivals: [Rival] = []
        var best = Double.infinity
        var leg: (quality: Double, index: Int, match: RoadMatcher.Match)?
        let near = GeoBox(around: passage.point.coordinate, radius: matcher.reach)
        for index in lineBoxes.indices where lineBoxes[index].intersects(near) {
            let isLeg = index < legs.count
            let line = isLeg ? lines[index] : approach.rivals[index - legs.count]
            guard let match = matcher.match(line) else { continue }
            if !isLeg { rivals.append((index - legs.count, match)) }
            let continues = isLeg && (index == before || index == after)
            let quality = match.quality - (continues ? ApproachRules.continuation : 0)
            best = min(best, quality)
            if isLeg, quality < leg?.quality ?? .infinity { leg = (quality, index, match) }
        }
        progress.bestLeg = leg.flatMap { $0.quality == best ? $0.index : nil }
        let rival = rivals.map(\.match.quality).min()
        if let rival, rival <= ApproachRules.greatestQ,
            rival + ApproachRules.offTolerance < leg?.quality ?? .infinity
        {
            return (.elsewhere, rivals)
        }
        guard let leg, leg.quality <= ApproachRules.greatestQ else { return (.off, rivals) }
        let better = rivals.filter { $0.match.quality < leg.match.quality }
        let forks = RivalForks(lines, approach.rivals, matcher, for: better.count)
        guard leg.quality <= best + ApproachRules.tolerance,
            !better.contains(where: { forks.hasParted($0, by: ApproachRules.partedAfter) })
        else { return (.doubtful, rivals) }
        var toGo = legs[leg.index].endToGo + matcher.remaining(lines[leg.index], from: leg.match)
        if legs[leg.index].next == nil { toGo -= matcher.beyond(lines[leg.index], leg.match) }
        let place = ApproachProgress.Place(leg: leg.index, toGo: toGo, speed: movement.speed)
        let rivalry = rival.map { $0 < leg.match.quality ? Rivalry.better : .worse } ?? .none
        return (.on(place, rivalry), rivals)
    }

    /// A rival that is within reach, by its number.
    typealias Rival = (index: Int, match: RoadMatcher.Match)

    private func stage(
        on leg: Approach.Leg, _ place: ApproachProgress.Place, _ outlook: RouteOutlook
    ) -> ApproachStage? {
        rules.stage(
            on: leg, toGo: max(place.toGo, 0), speed: place.speed, slowing: passage.slowing,
            bestFixes: progress.run?.bestFixes ?? 0, isQuiet: isQuiet && !progress.isBack, outlook)
    }

    // MARK: Cones

    private mutating func runCone(towards direction: Double?) {
        guard case .circle(let center, _) = area.geometry else { return }
        let point = SurfacePoint(center)
        let distance = passage.point.distance(to: point)
        let bearing = LocalPlane(at: passage.point).bearing(of: center)
        let off = courseDifference(bearing, movement.course)
        let isAligned =
            off <= ApproachRules.coneBearing
            && (direction.map {
                courseDifference($0, movement.course) <= ApproachRules.coneDirection
            } ?? true)
        let isFalling = distance < progress.place?.toGo ?? .infinity
        let place = ApproachProgress.Place(leg: 0, toGo: distance, speed: movement.speed)
        if off > ApproachRules.coneEnd.bearing || distance > ApproachRules.coneEnd.distance {
            progress.offFixes += 1
        } else {
            progress.offFixes = 0
        }
        if !progress.isConfirmed {
            if isAligned, isFalling {
                if progress.run == nil {
                    progress.run = .init(firstToGo: distance)
                } else {
                    progress.run?.fixes += 1
                }
            } else {
                progress.run = nil
            }
            if progress.run?.fixes ?? 0 >= 3 { progress.isConfirmed = true }
        }
        if distance <= ApproachRules.conePassed { progress.section = .reached(left: 0) }
        progress.place = progress.run == nil && !progress.isConfirmed ? nil : place
        if progress.offFixes >= 5 {
            var isPassed = false
            if case .reached = progress.section { isPassed = true }
            return end(isPassed ? .passed : .turnedOff)
        }
        guard progress.isConfirmed, isAligned else { return }
        let due = rules.coneStage(distance: distance, bearing: off, speed: movement.speed)
        if due == .advisory {
            let outlook = rules.outlook(approach, toGo: distance)
            guard outlook == .ahead || outlook == .none && !isQuiet else { return }
        }
        tell(due, reason: progress.origin)
    }

    // MARK: Telling

    /// Says a stage that has not been said.
    private mutating func tell(_ due: ApproachStage?, reason: EventReason?) {
        // Found here: only what is due as soon as it is certain.
        if progress.isConfirmed { progress.origin = nil }
        guard let due, due.rawValue > progress.stage?.rawValue ?? 0, let place = progress.place,
            let shortfall = rules.shortfall(approach.limits),
            due == .advisory || shortfall.limit != nil
        else { return }
        progress.stage = due
        if progress.began == nil { progress.began = passage.to.time }
        findings.append(
            ApproachFinding(
                stage: due, time: passage.to.time, reason: reason,
                details: rules.details(
                    approach, shortfall, at: place, on: passage.to.time, onRoute: true)))
    }

    /// The approach is over.
    private mutating func end(_ reason: EventReason) {
        if progress.stage != nil {
            findings.append(
                ApproachFinding(
                    stage: nil, time: passage.to.time, reason: reason,
                    details: rules.details(approach, progress, on: passage.to.time)))
            progress = ApproachProgress(resuming: nil, since: nil)
        } else {
            progress.leave()
        }
    }
}
