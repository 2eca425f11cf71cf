package import Geodesy

/// The checks before an approach may be stored, so that the engine can rely on its tree.
package struct ApproachCheck {
    private let approach: Approach
    private let geometry: Geometry
    private let wasStored: Bool

    /// How far the end of a leg may be from the start of the next, and its metres to go from those
    /// of the next and its length, m.
    private static let slack = 5.0
    /// The same as a share of the length.
    private static let share = 0.05
    /// Positions of all rivals together.
    private static let mostRivals = 100_000
    /// Of each of the texts of limits and legs, bytes of UTF-8.
    private static let longestText = 1_024

    /// - Parameter wasStored: see ``FenceRules/flaw(_:wasStored:)``.
    package init(_ approach: Approach, of geometry: Geometry, wasStored: Bool = false) {
        self.approach = approach
        self.geometry = geometry
        self.wasStored = wasStored
    }

    /// What is wrong; legs, lines and positions are counted from 1. Nil for a good approach.
    package var flaw: String? {
        if let flaw = flaw(approach.limits) { return flaw }
        switch approach.course {
        case .cone(let direction):
            guard case .circle = geometry else { return "a cone that is no point" }
            if let direction, !(0...360).contains(direction) {
                return "direction_deg \(direction) is outside 0…360"
            }
        case .legs(let legs):
            guard case .lines(let lines, _) = geometry else { return "legs without lines" }
            if let flaw = flaw(legs, lines) { return flaw }
        }
        return rivalsFlaw
    }

    private func flaw(_ limits: Limits) -> String? {
        for text in [limits.sign, limits.date, limits.source, limits.condition]
        where text.utf8.count > Self.longestText {
            return "a text of the limits is longer than \(Self.longestText) bytes"
        }
        let kinds = limits.kinds
        guard limits.basis.hasNumber else {
            return kinds.isEmpty ? nil : "a limit with a number on the basis \(limits.basis.name)"
        }
        if kinds.isEmpty { return "no limit" }
        for kind in kinds {
            let range = Limits.range(of: kind)
            guard let limit = limits[kind], range.contains(limit) else {
                return "\(kind.vehicleKey) \(limits[kind] ?? .nan) is outside "
                    + "\(range.lowerBound)…\(range.upperBound) \(kind.unit)"
            }
        }
        return nil
    }

    private var rivalsFlaw: String? {
        var positions = 0
        for (index, line) in approach.rivals.enumerated() {
            positions += line.count
            if line.count < 2 { return "rival \(index + 1) has fewer than 2 positions" }
            if !line.allSatisfy(\.isValid) {
                return "rival \(index + 1) has a position beyond the Earth"
            }
        }
        return positions > Self.mostRivals
            ? "the rivals have more than \(Self.mostRivals) positions" : nil
    }

    // MARK: The tree

    private func flaw(_ legs: [Approach.Leg], _ lines: [[Coordinate]]) -> String? {
        if legs.isEmpty { return "no legs" }
        if legs.count > Approach.mostLegs { return "more than \(Approach.mostLegs) legs" }
        if lines.count < legs.count {
            return "\(legs.count) legs and \(lines.count) lines"
        }
        let (ends, sections) = (approach.ends, lines.count - legs.count)
        if !wasStored, ends + sections > Approach.mostEnds {
            return "\(ends) legs without next and \(sections) lines of the section, together more "
                + "than \(Approach.mostEnds)"
        }
        for (index, leg) in legs.enumerated() {
            guard let next = leg.next else { continue }
            guard legs.indices.contains(next) else {
                return "leg \(index + 1) has next \(next), which is no leg"
            }
            if next == index { return "leg \(index + 1) has itself as next" }
        }
        if let flaw = cycleFlaw(legs) { return flaw }
        let lengths = lines.prefix(legs.count).map(Self.length)
        let farthest =
            zip(legs, lengths).reduce(0) { max($0, $1.0.endToGo + $1.1) } + Self.slack
        for index in legs.indices {
            if let flaw = flaw(legs, index, lines, lengths, farthest) {
                return "leg \(index + 1) \(flaw)"
            }
        }
        return nil
    }

    private func flaw(
        _ legs: [Approach.Leg], _ index: Int, _ lines: [[Coordinate]], _ lengths: [Double],
        _ farthest: Double
    ) -> String? {
        let leg = legs[index]
        if !(lengths[index] > 0) { return "has no two different positions" }
        if !(leg.chance > 0 && leg.chance <= 1) { return "has chance \(leg.chance), outside 0…1" }
        if !(leg.endToGo >= 0 && leg.endToGo.isFinite) { return "has end_m \(leg.endToGo)" }
        if let escape = leg.escapeToGo, !(0...farthest).contains(escape) {
            return "has escape_m \(escape), outside the tree"
        }
        if let turn = leg.turn,
            !(0...farthest).contains(turn.toGo) || !(0...180).contains(turn.angle)
        {
            return "has turn [\(turn.toGo), \(turn.angle)]"
        }
        for text in [leg.road, leg.escape?.road ?? ""] where text.utf8.count > Self.longestText {
            return "has a name longer than \(Self.longestText) bytes"
        }
        guard let next = leg.next else {
            return leg.endToGo <= Self.slack
                ? nil : "does not reach the hazard: end_m \(leg.endToGo) and no next"
        }
        if leg.chance > legs[next].chance + 1e-9 {
            return "has a chance above that of the next, \(legs[next].chance)"
        }
        guard let end = lines[index].last, let start = lines[next].first else { return nil }
        let gap = SurfacePoint(end).distance(to: SurfacePoint(start))
        if gap > Self.slack { return "ends \((gap * 10).rounded() / 10) m from the next" }
        let due = legs[next].endToGo + lengths[next]
        let tolerance = max(Self.slack, Self.share * lengths[next])
        // Also for a next of less than 5 m: metres to go never rise along the tree.
        if (leg.endToGo - due).magnitude > tolerance || leg.endToGo < legs[next].endToGo {
            return "has end_m \(leg.endToGo) where the next begins at \((due * 10).rounded() / 10)"
        }
        return nil
    }

    /// Every leg leads to one without a next, unless the tree has a cycle.
    private func cycleFlaw(_ legs: [Approach.Leg]) -> String? {
        var ends = legs.map { $0.next == nil }
        for index in legs.indices where !ends[index] {
            var way = [index]
            while let next = legs[way[way.count - 1]].next, !ends[next] {
                if way.count > legs.count { return "leg \(index + 1) leads into a cycle" }
                way.append(next)
            }
            for leg in way { ends[leg] = true }
        }
        return nil
    }

    /// m
    private static func length(_ line: [Coordinate]) -> Double {
        var length = 0.0
        guard var from = line.first.map(SurfacePoint.init) else { return 0 }
        for position in line.dropFirst() {
            let to = SurfacePoint(position)
            length += from.distance(to: to)
            from = to
        }
        return length
    }

    // MARK: Warnings

    /// Warning comes from this many metres before the last escape at the latest.
    private static let leastLead = 60.0
    /// 12 s at 80 km/h, m. What the edge of the data has cut may be a fast road; other roads end
    /// early because they are slow, or seldom lead to the hazard.
    private static let leastLeadOfCut = 12 * 80 / 3.6
    /// A longer restricted section is a habit of mapping, not a bridge, m.
    private static let longestSection = 300.0

    /// Why it may warn too late or too early, though it was accepted; nil for a good one.
    package var warning: String? {
        guard case .legs(let legs) = approach.course, case .lines(let lines, _) = geometry else {
            return "a cone: it warns of places that no road leads to, and not always in time"
        }
        var lead = 0.0
        var leadOfCut = Double.infinity
        for (leg, line) in zip(legs, lines) {
            let leadOfLeg = leg.endToGo + Self.length(line) - (leg.escapeToGo ?? 0)
            lead = max(lead, leadOfLeg)
            if leg.isCut { leadOfCut = min(leadOfCut, leadOfLeg) }
        }
        if lead < Self.leastLead {
            return "warns late: its roads end \(Int(max(lead, 0))) m before the last way out"
        }
        if leadOfCut < Self.leastLeadOfCut {
            return "may warn late: the edge of the data is \(Int(max(leadOfCut, 0))) m before the "
                + "last way out"
        }
        let section = lines[legs.count...].reduce(0) { max($0, Self.length($1)) }
        if section > Self.longestSection {
            return "its restricted section is \(Int(section)) m long"
        }
        return nil
    }
}
