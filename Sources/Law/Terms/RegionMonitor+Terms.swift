import Model
package import Time

// The terms of a fence, judged around its machine: what is cut off by the end of its hours or by its
// own, what is followed during a stay, and what a fix shows in it.
extension RegionMonitor {
    /// Judges the step to the next accepted fix for a fence that has terms.
    mutating func judgeOnTerms(
        _ passage: Passage, law: LawNumbers, announcer: Announcer
    ) -> [Transition] {
        let found = judgeStayOnTerms(passage, law: law, announcer: announcer)
        guard entry.isFollowed else { return found }
        return found + judgeArrival(passage, after: found, law.approaches.route)
    }

    private mutating func judgeStayOnTerms(
        _ passage: Passage, law: LawNumbers, announcer: Announcer
    ) -> [Transition] {
        guard !isSpent else {
            rest(passage)
            return []
        }
        var found =
            entry.isTimed
            ? judgeInHours(passage, law: law, announcer: announcer)
            : judgeMachine(passage, law: law, announcer: announcer)
        found = untilOver(found)
        guard entry.watchesStays else { return found }
        // Before an exit that the same fix proves: the speed meanwhile is not known.
        let ended = passage.isJoined ? [] : endSpeeding(terms: entry.fence.terms)
        return ended + watched(found)
            + observe(passage, law.crossing.terms, stay: found.last?.stay ?? 0)
    }

    /// The fence was edited. Its new area is judged at once at the last accepted fix.
    package mutating func edit(
        _ new: CatalogueEntry, last: JudgedFix?, law: LawNumbers
    ) -> [Transition] {
        let old = entry
        openSpan = OpenSpan()
        // It has ended, and is about to be removed.
        if isSpent {
            entry = new
            setAway()
            arrival = nil
            return []
        }
        let over = endArrival(before: new, at: last?.fix.time)
        let found = over + editMachine(new, last: last, law: law)
        guard old.watchesStays || new.watchesStays || watch != nil else { return found }
        // States of the old terms end first, before stays that the edit ends.
        let limit = new.fence.terms.speedLimit
        let isOver = limit == 0 || limit != old.fence.terms.speedLimit
        let ended = isOver ? endSpeeding(at: last?.fix.time, terms: old.fence.terms) : []
        if new.watchesStays, watch == nil, presence == .inside { watch = .unseen }
        return ended + watched(found, terms: old.fence.terms)
    }

    /// The transitions of a timer or a removal, with those of the terms; `seenUntil` as below.
    mutating func followed(
        _ found: [Transition], seenUntil: UTCTime? = nil
    ) -> [Transition] {
        entry.watchesStays ? watched(found, seenUntil: seenUntil) : found
    }

    /// The fence was removed; `time` is that of the last accepted fix.
    package func remove(at time: UTCTime, law: LawNumbers) -> [Transition] {
        let found = ending(
            at: time, reason: .fenceRemoved, distance: lastDistance, law: law)
        var gone = self
        return gone.endingArrival(at: time, reason: .fenceRemoved) + gone.followed(found)
    }

    // MARK: Stays begin and end

    /// Follows the stays that these transitions begin and end, and adds the transitions of their
    /// terms. `seenUntil`: of the last fix, where an exit may be later: the speed since then is not
    /// known.
    private mutating func watched(
        _ found: [Transition], terms given: FenceTerms? = nil, seenUntil: UTCTime? = nil
    ) -> [Transition] {
        guard !found.isEmpty else { return [] }
        let terms = given ?? entry.fence.terms
        var all: [Transition] = []
        for transition in found {
            switch transition.kind {
            case .enter:
                watch = StayWatch()
                watch?.isUnseen = transition.reason == .initial
                all.append(transition)
            case .exit:
                all += endSpeeding(
                    at: min(transition.time, seenUntil ?? transition.time),
                    stay: transition.stay, terms: terms)
                if let length = transition.length, transition.reason != .fenceChanged,
                    transition.reason != .fenceRemoved
                {
                    all += overstayed(
                        transition.time + (.zero - length), until: transition.time,
                        ordinal: transition.stay, terms: terms)
                }
                all += leaving(transition, terms: terms)
                watch = nil
            default:
                all.append(transition)
            }
        }
        if !entry.watchesStays { watch = nil }
        return all
    }

    // MARK: Fixes

    /// Judges the fix at the end of a passage, in the stay that is open there.
    private mutating func observe(
        _ passage: Passage, _ settings: TermsSettings, stay ordinal: Int
    ) -> [Transition] {
        guard case .crossing(.inside(let stay)) = machine else { return [] }
        if watch == nil { watch = .unseen }
        let terms = entry.fence.terms
        let found = observeStay(passage, terms, stay, ordinal: ordinal)
        guard terms.speedLimit > 0 else { return found }
        return found + observeSpeed(passage, terms, settings, stay: ordinal)
    }
}

extension StayWatch {
    /// The watch of a stay whose beginning was not watched.
    fileprivate static var unseen: StayWatch {
        var watch = StayWatch()
        watch.isUnseen = true
        return watch
    }
}

extension Passage {
    /// A path leads from the fix before.
    fileprivate var isJoined: Bool { if case .path = link { true } else { false } }
}

extension CatalogueEntry {
    /// Whether its terms need a watch during stays.
    var watchesStays: Bool { hasTerms && fence.terms.areOfStays }
}

extension FenceTerms {
    /// See ``CatalogueEntry/watchesStays``.
    var areOfStays: Bool { speedLimit > 0 || stop > .zero || maxStay > .zero }
}
