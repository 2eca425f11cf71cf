import Geodesy
import Time

/// Judges one accepted fix against the approach of one hazard.
struct ApproachJudgement {
    let rules: ApproachRules
    let passage: Passage
    let movement: Movement
    let fence: Fence
    let approach: Approach
    /// After the fix.
    private(set) var progress: ApproachProgress
    private(set) var findings: [ApproachFinding] = []

    init(
        rules: ApproachRules, passage: Passage, movement: Movement, fence: Fence,
        approach: Approach, progress: ApproachProgress
    ) {
        self.rules = rules
        self.passage = passage
        self.movement = movement
        self.fence = fence
        self.approach = approach
        self.progress = progress
    }

    /// `distance` is the signed distance to the area at the fix, m.
    mutating func run(distance: Double) {
        if case .newPath(let reason) = passage.link {
            progress.beginAnew()
            progress.origin = reason
        }
        switch approach.course {
        case .legs(let legs): runLegs(legs, distance: distance)
        case .cone(let direction): runCone(towards: direction)
        }
    }

    // MARK: Legs

    private mutating func runLegs(_ legs: [Approach.Leg], distance: Double) {
        guard case .lines(let lines, let width) = fence.area.geometry else { return }
        let matcher = RoadMatcher(passage, movement)
        let isNear = distance + width / 2 <= matcher.reach
        let on = isNear ? match(legs, lines, matcher) : nil
        if !isNear { progress.line = nil }
        let way = passage.way
        if let on {
            progress.noteOn(on, way: way)
        } else {
            progress.noteOff(way: way)
        }
        if progress.isConfirmed || progress.stage != nil {
            followSection(legs.count, lines, matcher, way: way)
        }
        if case .reached(let left) = progress.section, left > Self.leftBehind {
            return end(.passed)
        }
        // Under the bridge there is no leg.
        if case .reached = progress.section { return }
        if on == nil, ApproachRules.isOff(fixes: progress.offFixes, way: progress.offWay) {
            return end(.turnedOff)
        }
        guard let on, progress.isConfirmed else { return }
        tell(stage(on: legs[on.leg], on), reason: progress.origin)
    }

    /// m behind the restricted section at which it is left behind.
    private static let leftBehind = 20.0

    /// The leg that the vehicle is on, and which line fits best.
    private mutating func match(
        _ legs: [Approach.Leg], _ lines: [[Coordinate]], _ matcher: RoadMatcher
    ) -> ApproachProgress.Place? {
        let before = progress.line
        let after = before.flatMap { legs.indices.contains($0) ? legs[$0].next : nil }
        var best: (quality: Double, line: Int)?
        var leg: (quality: Double, index: Int, match: RoadMatcher.Match)?
        for index in 0..<(legs.count + approach.rivals.count) {
            let isLeg = index < legs.count
            let line = isLeg ? lines[index] : approach.rivals[index - legs.count]
            guard let match = matcher.match(line) else { continue }
            let continues = index == before || (isLeg && index == after)
            let quality = match.quality - (continues ? ApproachRules.continuation : 0)
            if quality < best?.quality ?? .infinity { best = (quality, index) }
            if isLeg, quality < leg?.quality ?? .infinity { leg = (quality, index, match) }
        }
        progress.line = best?.line
        guard let best, let leg, leg.quality <= ApproachRules.greatestQ,
            leg.quality <= best.quality + ApproachRules.tolerance
        else { return nil }
        let toGo = legs[leg.index].endToGo + matcher.remaining(lines[leg.index], from: leg.match)
        return ApproachProgress.Place(leg: leg.index, toGo: toGo, speed: movement.speed)
    }

    /// Has the vehicle come as far as the restricted section, by the odometer, and along it?
    private mutating func followSection(
        _ first: Int, _ lines: [[Coordinate]], _ matcher: RoadMatcher, way: Double
    ) {
        guard let toGo = progress.toGo, let start = passage.from?.coordinate, way > 0 else {
            return
        }
        let isAlong =
            toGo <= -Self.beyondEntry
            && lines[first...].contains { matcher.runsAlong($0, from: start) }
        switch progress.section {
        case _ where isAlong: progress.section = .reached(left: 0)
        case .before:
            // The hazard is a point, or so short that no fix lay on it.
            guard lines.count == first, toGo <= -Self.beyondEntry,
                let end = progress.place.flatMap({ lines[$0.leg].last }),
                matcher.comesNear(end, from: start)
            else { return }
            progress.section = .reached(left: 0)
        case .reached(let left): progress.section = .reached(left: left + way)
        }
    }

    /// m by the odometer beyond the entry of the section at which the vehicle has entered it and
    /// not turned at the junction before it.
    private static let beyondEntry = 8.0

    private func stage(
        on leg: Approach.Leg, _ place: ApproachProgress.Place
    ) -> ApproachStage? {
        rules.stage(on: leg, toGo: place.toGo, speed: place.speed)
    }

    // MARK: Cones

    private mutating func runCone(towards direction: Double?) {
        guard case .circle(let center, _) = fence.area.geometry else { return }
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
        tell(
            rules.coneStage(distance: distance, bearing: off, speed: movement.speed),
            reason: progress.origin)
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
                details: rules.details(approach, shortfall, at: place, on: passage.to.time)))
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
