import Geodesy
package import Time

/// One fence's presence: the small state machine of section 3.
package struct FenceMonitor: Hashable, Sendable {
    /// Presence, and what is kept to judge the next fix.
    package enum State: Hashable, Sendable {
        /// No accepted fix since the fence was added.
        case unknown
        /// Outside; the value is there while the last fix has d ≤ 0.
        case outside(PendingEnter?)
        case inside(Stay)
        /// Of a fence with an approach: the vehicle is, or may be, on it.
        indirect case approaching(ApproachProgress)
    }

    /// A change of presence, or a completed dwell, on one passage.
    package struct Transition: Hashable, Sendable {
        /// Of a stay or of an approach. A stay begins with `enter` here; whether that is told as
        /// `initial` is for the fence to say.
        package var kind: EventKind
        /// Which stay of this passage, from 1; 0 is the one that began before it.
        package var stay: Int
        /// When it happened, receiver UTC: the `time` of the event.
        package var time: ReceiverTime
        /// The `reason` of the event; nil for a dwell.
        package var reason: EventReason?
        /// No fix lies between this crossing and its neighbour.
        package var inferred = false
        /// m; nil for an approach.
        package var distance: Double?
        /// Of an exit.
        package var length: TimeSpan?
        /// Of an approach.
        @Boxed package var details: ApproachDetails?
        /// Of an opening or exit that an inequality proved.
        @Boxed package var evidence: Evidence?
        /// The details about the terms of the fence.
        @Boxed package var terms: TermsDetails?
    }

    /// The fence that is monitored.
    package var entry: CatalogueEntry
    /// After the last fix or timer that was judged.
    package var state: State
    /// Signed distance at the last judged fix, m; nil where it was not measured there.
    package var lastDistance: Double?
    /// The passage to the last judged fix touched the area, or something is pending.
    var isTouched = false
    /// Until the odometer of the engine reads this, m, no path can have touched the area. Only
    /// while nothing is pending.
    var clearUntil = -Double.infinity

    /// The part of the fence's hours that was looked up.
    var openSpan = OpenSpan()
    /// The fence has ended, see ``SpentFence``.
    package internal(set) var isSpent = false
    /// The watch of the open stay, if the fence has terms about stays.
    @Boxed package var watch: StayWatch?
    /// Whether there is such a watch.
    @inline(__always)
    var isWatched: Bool { if case .present = _watch { true } else { false } }

    package init(entry: CatalogueEntry, state: State, lastDistance: Double? = nil) {
        self.entry = entry
        self.state = state
        self.lastDistance = lastDistance
        watch = nil
    }

    /// What is known of the fence.
    package var presence: Presence {
        switch state {
        case .unknown: .unknown
        case .outside, .approaching: .outside
        case .inside: .inside
        }
    }

    /// Nothing is pending: as long as no path touches the area there is nothing to judge.
    package var isIdle: Bool {
        if case .outside(nil) = state { true } else { false }
    }

    /// Judges the step to the next accepted fix.
    /// - Parameter announcer: knows which approaches the vehicle has just turned off.
    package mutating func judge(
        _ passage: Passage, law: Law, announcer: Announcer
    ) -> [Transition] {
        guard entry.hasTerms else {
            return judgeCrossings(
                passage, law: law, announcer: announcer)
        }
        return judgeOnTerms(
            passage, law: law, announcer: announcer)
    }

    /// The same for a fence within its hours.
    @inline(__always)
    mutating func judgeCrossings(
        _ passage: Passage, law: Law, announcer: Announcer
    ) -> [Transition] {
        if let approach = entry.approach {
            return judge(
                passage, of: approach, rules: law.approaches,
                isQuiet: announcer.isQuiet(entry.fence, at: passage.to.time))
        }
        let area = entry.area
        let end = area.clearance(at: passage.point)
        let distance = end.signedDistance
        defer { lastDistance = distance }
        isTouched = false
        if case .unknown = state {
            let transitions = judgeFirst(passage, distance)
            isTouched = !isIdle || area.isTouched(by: passage, end: distance)
            return transitions
        }
        var before: Double?
        if case .path(let path) = passage.link {
            let start = lastDistance ?? area.signedDistance(to: path.start)
            if isIdle, start + distance - path.length > 2 * Self.slack(path.length) { return [] }
            before = start
        } else if isIdle, distance > 0 {
            return []
        }
        var judgement = Judgement(
            rules: CrossingRules(settings: law.crossing), passage: passage, area: area,
            dwell: entry.fence.dwell, end: end, state: state)
        judgement.run(from: before)
        state = judgement.state
        let transitions = judgement.transitions
        isTouched = !isIdle || !transitions.isEmpty || area.isTouched(by: passage, end: distance)
        return transitions
    }

    /// Notes how far the vehicle may drive before the area can be touched; `odometer` is its
    /// reading where ``lastDistance`` was measured, m.
    mutating func noteClearance(from odometer: Double) {
        guard isIdle, let lastDistance else {
            clearUntil = -.infinity
            return
        }
        // Beyond 100 km distances are promised to 0.6 % only.
        let way = min(lastDistance + spare, 50_000)
        clearUntil = odometer + way - Self.slack(way)
    }

    /// How much nearer than the boundary of an approach the vehicle has to come before a leg can be
    /// matched, m, if no error exceeds ``ApproachRules/usualError``.
    private var spare: Double {
        guard let approach = entry.approach, case .legs = approach.course else { return 0 }
        return Approach.reach - ApproachRules.usualReach
    }

    /// What is to be taken off all clearances at a fix of a larger error, m.
    @inline(__always)
    static func wider(_ fix: Fix) -> Double {
        fix.error <= ApproachRules.usualError ? 0 : Approach.reach - ApproachRules.usualReach
    }

    /// The path did not come near the area: there is nothing to judge.
    mutating func passBy() {
        lastDistance = nil
        isTouched = false
    }

    /// The error of a measured distance on a path of that length, m.
    static func slack(_ length: Double) -> Double { 0.01 + length * 1e-3 }

    private mutating func judgeFirst(_ passage: Passage, _ distance: Double) -> [Transition] {
        guard distance <= 0 else {
            state = .outside(nil)
            return []
        }
        let stay = Stay(
            began: passage.to.time, proofBound: distance + passage.to.error, hasFixInside: true)
        state = .inside(stay)
        return [
            Transition(
                kind: .enter, stay: 1, time: passage.to.time, reason: .initial,
                distance: distance)
        ]
    }
}

// MARK: - Edits

extension FenceMonitor {
    /// The same for a fence without terms.
    mutating func editCrossing(
        _ new: CatalogueEntry, last: (fix: Fix, point: SurfacePoint)?, law: Law
    ) -> [Transition] {
        let areaChanged =
            new.area != entry.area || new.approach != entry.approach
        let ending =
            areaChanged
            ? endingApproach(
                at: last?.fix.time ?? approachBegan, reason: .fenceChanged, rules: law.approaches)
            : []
        entry = new
        openSpan = OpenSpan()
        guard areaChanged else { return [] }
        clearUntil = -.infinity
        lastDistance = last.map { new.area.signedDistance(to: $0.point) }
        switch state {
        case .unknown:
            return []
        case .approaching:
            state = .outside(nil)
            return ending
        case .inside(let stay) where new.approach != nil:
            state = .outside(nil)
            return stay.ending(
                at: last?.fix.time ?? stay.began, reason: .fenceChanged,
                distance: lastDistance ?? 0, dwell: .zero, ordinal: 0)
        case .outside:
            // Where the last fix lies inside the new area, the next path begins inside.
            state = .outside(nil)
            return []
        case .inside(var stay):
            stay.settling = nil
            guard let fix = last?.fix, let distance = lastDistance else {
                state = .inside(stay)
                return []
            }
            guard distance <= 0 else {
                state = .outside(nil)
                return stay.ending(
                    at: fix.time, reason: .fenceChanged, distance: distance, dwell: .zero,
                    ordinal: 0)
            }
            stay.crossedOut = nil
            stay.hasFixInside = true
            stay.proofBound = distance + fix.error
            state = .inside(stay)
            return []
        }
    }

    /// The same for a fence without terms.
    func removeCrossing(at time: ReceiverTime, law: Law) -> [Transition] {
        if case .approaching = state {
            return endingApproach(at: time, reason: .fenceRemoved, rules: law.approaches)
        }
        guard case .inside(let stay) = state else { return [] }
        return stay.ending(
            at: time, reason: .fenceRemoved, distance: lastDistance ?? 0, dwell: .zero,
            ordinal: 0)
    }

    /// A re-base: translates the stored receiver times to the new time base.
    package mutating func shift(by span: TimeSpan) {
        watch?.shift(by: span)
        if case .approaching(var progress) = state {
            progress.began = progress.began.map { $0 + span }
            state = .approaching(progress)
        }
        if case .outside(var pending?) = state {
            pending.crossedIn = pending.crossedIn + span
            pending.settling?.shift(by: span)
            state = .outside(pending)
        }
        guard case .inside(var stay) = state else { return }
        stay.began = stay.began + span
        stay.crossedOut = stay.crossedOut.map { $0 + span }
        stay.settling?.shift(by: span)
        state = .inside(stay)
    }
}

extension Area {
    /// Does the passage touch the area? `end` is the signed distance where it ends.
    fileprivate func isTouched(by passage: Passage, end: Double) -> Bool {
        guard end > 0 else { return true }
        guard case .path(let path) = passage.link else { return false }
        return meets(path)
    }
}

extension Stay {
    /// The end of this stay: its dwell, if it lasted that long and has not been recorded, and its
    /// exit.
    func ending(
        at time: ReceiverTime, reason: EventReason, distance: Double, dwell: TimeSpan,
        ordinal: Int, evidence: Evidence? = nil
    ) -> [FenceMonitor.Transition] {
        let length = max(time - began, .zero)
        var transitions: [FenceMonitor.Transition] = []
        if dwell > .zero, !dwellTold, length >= dwell {
            transitions.append(
                FenceMonitor.Transition(
                    kind: .dwell, stay: ordinal, time: began + dwell, distance: distance))
        }
        transitions.append(
            FenceMonitor.Transition(
                kind: .exit, stay: ordinal, time: time, reason: reason,
                inferred: !hasFixInside, distance: distance, length: length, evidence: evidence))
        return transitions
    }
}

extension FenceMonitor {
    /// The id of its fence.
    var key: FenceKey { entry.key }
}
