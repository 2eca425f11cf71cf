import Geodesy
import Model

// How the way that the vehicle is on ends: along the restricted section, or on another way there.
extension ApproachJudgement {
    /// What a fix says of the way that the vehicle was on.
    enum WayEnd {
        /// Under the bridge there is no leg; nor, of a vehicle that was told of it, where it comes there.
        case onSection
        case passed
        /// Behind a hole, and farther than the hazard was.
        case behind
        /// Before a last way out, on another way there that is much longer than what was left.
        case away
    }

    /// Judges the fix by the way that the vehicle was on, before it is noted; nil where that goes on, or
    /// there is none.
    /// - Parameter new: where it is, if it is on a leg.
    mutating func followWay(
        to new: ApproachProgress.Place?, _ legs: [Approach.Leg], _ lines: [[Coordinate]],
        _ matcher: RoadMatcher, _ rivals: [Rival]
    ) -> WayEnd? {
        guard progress.isConfirmed || progress.stage != nil, let last = progress.place,
            legs.indices.contains(last.leg)
        else { return nil }
        let reckoned = last.toGo - progress.offWay - passage.way
        let continued = new.flatMap { isOnWay(to: $0.leg, legs) ? $0 : nil }
        followSection(
            (continued?.toGo ?? reckoned, last.leg), legs, lines, matcher, rivals)
        if case .reached(let left) = progress.section {
            progress.offWay += passage.way
            return left > max(Self.leftBehind, 2 * matcher.scale) ? .passed : .onSection
        }
        guard continued == nil else { return nil }
        if new != nil, progress.stage != nil, Self.atEntry.contains(reckoned) {
            progress.offWay += passage.way
            return .onSection
        }
        if passage.link == .gap, reckoned <= -Self.behindHole { return .behind }
        guard progress.stage == .urgent, let new, new.toGo - reckoned > Self.longestDetour,
            legs[new.leg].lastEscape.map({ new.toGo > $0 }) ?? false
        else { return nil }
        let stillFits = Self.way(from: last.leg, legs).contains {
            (matcher.match(lines[$0])?.quality ?? .infinity) <= ApproachRules.greatestQ
        }
        return stillFits ? nil : .away
    }

    /// m behind the restricted section at which it is left behind.
    private static let leftBehind = 20.0
    /// m beyond the entry of the section at which the vehicle has entered it and not turned at the
    /// junction before it.
    private static let beyondEntry = 8.0
    /// m to go by the odometer at which a leg that the way does not lead along, as that of the other
    /// direction behind the bridge, says nothing yet: who drives on passes.
    private static let atEntry = -28.0...8.0
    /// m by the odometer behind the entry at which, after a hole, the way cannot lead there any more:
    /// that across the hole is the shortest.
    private static let behindHole = 60.0
    /// By so much a way may be longer that leads there by another branch of a fork, m.
    private static let longestDetour = 300.0

    /// Whether the way that the vehicle is on leads along a leg.
    func isOnWay(to leg: Int, _ legs: [Approach.Leg]) -> Bool {
        guard let last = progress.place else { return false }
        return last.leg == leg || Self.way(from: last.leg, legs).contains(leg)
    }

    /// A leg, and those that follow it.
    private static func way(from leg: Int, _ legs: [Approach.Leg]) -> [Int] {
        var way: [Int] = []
        var next: Int? = leg
        while let index = next, legs.indices.contains(index), way.count < legs.count {
            way.append(index)
            next = legs[index].next
        }
        return way
    }

    /// Has the vehicle come as far as the restricted section, and along it?
    private mutating func followSection(
        _ place: (toGo: Double, leg: Int), _ legs: [Approach.Leg], _ lines: [[Coordinate]],
        _ matcher: RoadMatcher, _ rivals: [Rival]
    ) {
        guard passage.way > 0, let from = passage.from else { return }
        let isReached = progress.section != .before
        guard isReached || place.toGo <= -Self.beyondEntry else { return }
        let way = Self.way(from: place.leg, legs)
        guard let last = way.last else { return }
        let section = matcher.section(lines[legs.count...], behind: lines[last], from: from)
        guard
            isReached
                || section.quality <= ApproachRules.greatestQ
                    && !hasParted(way.map { lines[$0] }, section, matcher, rivals)
        else { return }
        progress.section = .reached(left: section.distance)
    }

    /// Does a road that has parted from the way fit better than the section and all others?
    private func hasParted(
        _ way: [[Coordinate]], _ section: RoadMatcher.Section, _ matcher: RoadMatcher,
        _ rivals: [Rival]
    ) -> Bool {
        var parted = Double.infinity
        var others = section.quality
        let forks = RivalForks(way, approach.rivals, matcher, for: rivals.count)
        for rival in rivals {
            if forks.hasParted(rival, by: 0) {
                parted = min(parted, rival.match.quality)
            } else {
                others = min(others, rival.match.quality)
            }
        }
        return parted + ApproachRules.tolerance < others
    }
}
