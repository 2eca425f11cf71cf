import Geodesy
import Model
package import Time

// What is not a fix: an edit of the fence, its removal, a new time base.
extension RegionMonitor {
    /// The fence was edited; see ``edit(_:last:law:)``, which follows its terms as well.
    mutating func editMachine(
        _ new: CatalogueEntry, last: JudgedFix?, law: LawNumbers
    ) -> [Transition] {
        let old = self
        entry = new
        // New terms may bring something as well.
        clearUntil = -.infinity
        guard new.area != old.entry.area || new.approach != old.entry.approach else { return [] }
        lastDistance = last.map { new.area.signedDistance(to: $0.point) }
        if case .crossing(.inside(let stay)) = machine, new.approach == nil {
            return editStay(stay, last: last)
        }
        // Where the last fix lies inside the new area, the next path begins inside.
        machine = Machine(of: new, isUnknown: old.presence == .unknown)
        way = nil
        return old.ending(
            at: last?.fix.time, reason: .fenceChanged, distance: lastDistance, law: law)
    }

    /// The end of the open stay or of what was said of the hazard, for another reason than driving;
    /// nothing where there is none.
    /// - Parameters:
    ///   - time: nil where no fix is known: when it began.
    ///   - distance: from the area, m.
    ///   - dwell: the dwell that may be told with it.
    func ending(
        at time: UTCTime?, reason: EventReason, distance: Double?, dwell: TimeSpan = .zero,
        law: LawNumbers
    ) -> [Transition] {
        switch machine {
        case .crossing(.inside(let stay)):
            stay.ending(
                at: time ?? stay.began, reason: reason, distance: distance ?? 0, dwell: dwell,
                ordinal: 0, way: way)
        case .approach(.near(let progress)):
            endingApproach(progress, at: time, reason: reason, rules: law.approaches)
        case .crossing, .approach: []
        }
    }

    /// A re-base: translates the stored receiver times to the new time base.
    package mutating func shift(by span: TimeSpan) {
        watch?.shift(by: span)
        arrival?.shift(by: span)
        switch machine {
        case .crossing(var state):
            state.shift(by: span)
            machine = .crossing(state)
        case .approach(var state):
            state.shift(by: span)
            machine = .approach(state)
        }
    }
}
