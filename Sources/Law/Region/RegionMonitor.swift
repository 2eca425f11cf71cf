import Geodesy
package import Model
import Time

/// One region of the window: a fence, the machine that judges it, and what its terms need.
package struct RegionMonitor: Hashable, Sendable {
    /// One of the two machines; which one follows from the fence.
    package enum Machine: Hashable, Sendable {
        /// Enter and exit: section 3.
        case crossing(CrossingState)
        /// Of a fence with an approach: section 8.
        case approach(ApproachState)

        /// Of a fence that was not judged yet, or was outside when it was.
        init(of entry: CatalogueEntry, isUnknown: Bool) {
            self =
                entry.approach == nil
                ? .crossing(isUnknown ? .unknown : .outside(nil))
                : .approach(isUnknown ? .unknown : .away)
        }

        /// This machine, if the fence has it; otherwise the other one, in its initial state.
        func fitting(_ entry: CatalogueEntry) -> Machine {
            switch (self, entry.approach) {
            case (.crossing, nil), (.approach, .some): self
            default: Machine(of: entry, isUnknown: presence == .unknown)
            }
        }

        /// What is known of the fence.
        var presence: Presence {
            switch self {
            case .crossing(.unknown), .approach(.unknown): .unknown
            case .crossing(.outside), .approach: .outside
            case .crossing(.inside): .inside
            }
        }
    }

    /// The fence that is monitored.
    package var entry: CatalogueEntry
    /// After the last fix or timer that was judged.
    package var machine: Machine
    /// The metres of the pending enter or the stay; nil where there is none, or they are not known.
    var way: StayWay?
    /// Signed distance at the last judged fix, m; nil where it was not measured there: where the
    /// path did not come near the boundary.
    package var lastDistance: Double?
    /// The passage to the last judged fix touched the area, or something is pending.
    var isTouched = false
    /// Until the odometer of the engine reads this, m, no path can have come to the boundary. Only
    /// while nothing is pending; see ``isSteady``.
    var clearUntil = -Double.infinity

    // Of the terms of the fence.

    /// The part of the fence's hours that was looked up.
    var openSpan = OpenSpan()
    /// The fence has ended, see ``SpentFence``.
    package internal(set) var isSpent = false
    /// The watch of the open stay, if the fence has terms about stays.
    @Boxed package var watch: StayWatch?
    /// What is kept of the way to the fence, if it is followed: section 14.
    @Boxed package var arrival: Arrival?
    /// Whether there is such a watch.
    @inline(__always)
    var isWatched: Bool { if case .present = _watch { true } else { false } }

    /// A fence that was not judged yet, or was outside when it was.
    package init(_ entry: CatalogueEntry, isUnknown: Bool, lastDistance: Double? = nil) {
        self.init(
            entry, Machine(of: entry, isUnknown: isUnknown), lastDistance: lastDistance)
    }

    /// `machine` is the one that the fence has.
    init(_ entry: CatalogueEntry, _ machine: Machine, lastDistance: Double? = nil) {
        self.entry = entry
        self.machine = machine
        self.lastDistance = lastDistance
        watch = nil
        arrival = nil
    }

    /// What is known of the fence.
    package var presence: Presence { machine.presence }

    /// Nothing is pending: as long as no path touches the area there is nothing to judge.
    package var isIdle: Bool {
        switch machine {
        case .crossing(.outside(nil)), .approach(.away): true
        case .crossing, .approach: false
        }
    }

    /// As long as no path comes to the boundary there is nothing to judge: idle, or so far into a stay
    /// that neither place nor time can bring anything.
    @inline(__always)
    var isSteady: Bool {
        guard case .crossing(.inside(let stay)) = machine else { return isIdle }
        return stay.isSteady && !entry.hasTerms && (stay.dwellTold || entry.fence.dwell == .zero)
    }

    /// Measures the distance where that was left out; `point` is the last judged fix.
    mutating func measure(at point: SurfacePoint) {
        if lastDistance == nil { lastDistance = entry.signedDistance(to: point) }
    }

    /// When the open stay began, or the first stage of the approach was announced; nil for neither.
    var openedAt: UTCTime? {
        switch machine {
        case .crossing(.inside(let stay)): stay.began
        case .approach(.near(let progress)): progress.began
        case .crossing, .approach: nil
        }
    }

    /// The stay that must outlive a power cut, if one is open.
    var openStay: OpenStay? {
        switch machine {
        case .crossing(.inside(let stay)):
            var open = OpenStay(
                fence: entry.id, added: entry.added, began: stay.began,
                dwellTold: stay.dwellTold)
            open.watch = watch
            open.way = way
            return open
        case .approach(.near(let progress)):
            guard let stage = progress.stage, let began = progress.began else { return nil }
            return OpenStay(
                fence: entry.id, added: entry.added, began: began, dwellTold: false,
                stage: stage)
        case .crossing, .approach: return nil
        }
    }

    /// Nothing is missed at it while the receiver sleeps.
    var mayRest: Bool {
        switch machine {
        case .crossing(.inside(let stay)): stay.settling == nil && stay.crossedOut == nil
        case .crossing, .approach: isIdle || presence == .unknown
        }
    }

    /// The id of its fence.
    var key: FenceKey { entry.key }

    /// Judges the step to the next accepted fix.
    /// - Parameter announcer: knows which approaches the vehicle has just turned off.
    package mutating func judge(
        _ passage: Passage, law: LawNumbers, announcer: Announcer
    ) -> [Transition] {
        guard entry.hasTerms else {
            return judgeMachine(passage, law: law, announcer: announcer)
        }
        return judgeOnTerms(passage, law: law, announcer: announcer)
    }

    /// The same without the terms of the fence.
    @inline(__always)
    mutating func judgeMachine(
        _ passage: Passage, law: LawNumbers, announcer: Announcer
    ) -> [Transition] {
        switch machine {
        case .crossing(let state):
            judgeCrossing(passage, in: state, law.crossing)
        case .approach(let state):
            judgeApproach(
                passage, in: state, law.approaches,
                isQuiet: announcer.isQuiet(key, at: passage.to.time))
        }
    }

    /// Notes how far the vehicle may drive before it can come to the boundary; `odometer` is its
    /// reading where ``lastDistance`` was measured, m.
    mutating func noteClearance(from odometer: Double) {
        guard isSteady, let lastDistance, !isArriving else {
            clearUntil = -.infinity
            return
        }
        // Beyond 100 km distances are promised to 0.6 % only.
        let way = min(
            isIdle ? lastDistance + spare - entry.arriveReach : -lastDistance, 50_000)
        guard way > 0 || !entry.isFollowed else {
            clearUntil = -.infinity
            return
        }
        clearUntil = odometer + way - PathProfile.slack(way)
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

    /// The path did not come near the boundary: there is nothing to judge.
    mutating func passBy() {
        lastDistance = nil
        isTouched = false
    }

    /// There is no room for it at this step: it is not judged, and stays outside.
    package mutating func leaveOut() {
        setAway()
        passBy()
        leaveArrival()
    }

    /// Outside, with nothing pending, not known how far.
    mutating func setAway() {
        machine = Machine(of: entry, isUnknown: false)
        way = nil
        clearUntil = -.infinity
    }
}
