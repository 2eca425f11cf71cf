package import Geodesy
package import Time

/// One fence's presence: the small state machine of section 3.
package struct FenceMonitor: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// No accepted fix since the fence was added.
        case unknown
        /// Outside; the value is there while the last fix has d ≤ 0.
        case outside(Approach?)
        case inside(Stay)
    }

    /// What the monitor found on one passage. `stay` counts the stays: 0 began before this passage.
    package struct Finding: Hashable, Sendable {
        package enum Kind: Hashable, Sendable { case opening, exit, dwell }
        package var kind: Kind
        package var stay: Int
        package var time: ReceiverTime
        package var reason: EventReason?
        package var inferred = false
        /// m
        package var distance: Double
        /// Of an exit.
        package var length: TimeSpan?
    }

    package var entry: CatalogueEntry
    package var state: State
    /// Signed distance at the last judged fix, m; nil where it was not measured there.
    package var lastDistance: Double?
    /// The passage to the last judged fix touched the area, or something is pending.
    var isTouched = false
    /// As long as the odometer of the engine shows less than this, m, no path can have touched the
    /// area. Only while nothing is pending.
    private(set) var clearUntil = -Double.infinity

    package init(entry: CatalogueEntry, state: State, lastDistance: Double? = nil) {
        self.entry = entry
        self.state = state
        self.lastDistance = lastDistance
    }

    package var presence: Presence {
        switch state {
        case .unknown: .unknown
        case .outside: .outside
        case .inside: .inside
        }
    }

    /// Nothing is pending: as long as no path touches the area there is nothing to judge.
    package var isIdle: Bool {
        if case .outside(nil) = state { true } else { false }
    }

    /// Judges the way to the next accepted fix.
    package mutating func judge(
        _ passage: Passage, settings: CrossingSettings
    ) -> [Finding] {
        let area = entry.fence.area
        let end = area.clearance(at: passage.point)
        let distance = end.signedDistance
        defer { lastDistance = distance }
        isTouched = false
        if case .unknown = state {
            let findings = judgeFirst(passage, distance)
            isTouched = !isIdle || area.isTouched(by: passage, end: distance)
            return findings
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
            rules: CrossingRules(settings: settings), passage: passage, area: area,
            dwell: entry.fence.dwell, end: end, state: state)
        judgement.run(from: before)
        state = judgement.state
        let findings = judgement.findings
        isTouched = !isIdle || !findings.isEmpty || area.isTouched(by: passage, end: distance)
        return findings
    }

    /// Notes how far the vehicle may go from where the odometer shows `odometer`, which is where
    /// ``lastDistance`` was measured.
    mutating func noteClearance(from odometer: Double) {
        guard isIdle, let lastDistance else {
            clearUntil = -.infinity
            return
        }
        // Beyond 100 km distances are promised to 0.6 % only.
        let way = min(lastDistance, 50_000)
        clearUntil = odometer + way - Self.slack(way)
    }

    /// A path did not come near: there is nothing to judge.
    mutating func passBy() {
        lastDistance = nil
        isTouched = false
    }

    /// What the accuracy of distances leaves open on a path of that length, m.
    static func slack(_ length: Double) -> Double { 0.01 + length * 1e-3 }

    private mutating func judgeFirst(_ passage: Passage, _ distance: Double) -> [Finding] {
        guard distance <= 0 else {
            state = .outside(nil)
            return []
        }
        let stay = Stay(
            began: passage.to.time, proofBound: distance + passage.to.error, hasFixInside: true)
        state = .inside(stay)
        return [
            Finding(
                kind: .opening, stay: 1, time: passage.to.time, reason: .initial,
                distance: distance)
        ]
    }
}

// MARK: - Timers: what is decided because fixes stopped

extension FenceMonitor {
    /// A decision that falls due without a fix.
    package enum Due: Hashable, Sendable { case settle, dwell }

    /// The next decision and when it falls due, if no further fix is accepted after `last`.
    package func due(after last: Fix, settings: CrossingSettings) -> (at: Uptime, what: Due)? {
        let grace = last.arrival + settings.settle + settings.settleGrace
        switch state {
        case .outside(let approach?):
            guard let settling = approach.settling, settling.fixes >= 2 else { return nil }
            return (grace, .settle)
        case .inside(let stay):
            if let settling = stay.settling, settling.fixes >= 2 { return (grace, .settle) }
            guard entry.fence.dwell > .zero, !stay.dwellTold, lastDistance ?? 1 <= 0 else {
                return nil
            }
            let complete = last.arrival + (stay.began + entry.fence.dwell - last.time)
            return (max(complete, grace), .dwell)
        case .unknown, .outside(nil):
            return nil
        }
    }

    /// Decides what fell due; `last` is the last accepted fix.
    package mutating func decide(
        _ what: Due, last: Fix
    ) -> [Finding] {
        let distance = lastDistance ?? 0
        switch (state, what) {
        case (.outside(let approach?), .settle):
            state = .inside(
                Stay(
                    began: approach.crossedIn, proofBound: distance + last.error,
                    hasFixInside: true))
            return [
                Finding(
                    kind: .opening, stay: 1, time: approach.crossedIn, reason: .settled,
                    distance: distance)
            ]
        case (.inside(let stay), .settle):
            state = .outside(nil)
            return stay.ending(
                at: stay.crossedOut ?? last.time, reason: .settled, distance: distance,
                dwell: entry.fence.dwell, ordinal: 0)
        case (.inside(var stay), .dwell):
            stay.dwellTold = true
            state = .inside(stay)
            return [
                Finding(
                    kind: .dwell, stay: 0, time: stay.began + entry.fence.dwell,
                    distance: distance)
            ]
        default:
            return []
        }
    }
}

// MARK: - Edits

extension FenceMonitor {
    /// The fence was edited. Its new area is judged at once at the last accepted fix.
    package mutating func edit(
        _ new: CatalogueEntry, last: (fix: Fix, point: SurfacePoint)?
    ) -> [Finding] {
        let areaChanged = new.fence.area != entry.fence.area
        entry = new
        guard areaChanged else { return [] }
        clearUntil = -.infinity
        lastDistance = last.map { new.fence.area.signedDistance(to: $0.point) }
        switch state {
        case .unknown:
            return []
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

    /// The fence was removed; `time` is that of the last accepted fix.
    package func remove(at time: ReceiverTime) -> [Finding] {
        guard case .inside(let stay) = state else { return [] }
        return stay.ending(
            at: time, reason: .fenceRemoved, distance: lastDistance ?? 0, dwell: .zero,
            ordinal: 0)
    }

    /// Receiver time began anew: what was remembered in the old time base is translated.
    package mutating func shift(by span: TimeSpan) {
        guard case .inside(var stay) = state else { return }
        stay.began = stay.began + span
        stay.crossedOut = stay.crossedOut.map { $0 + span }
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
    /// The end of this stay: its dwell, if it lasted that long and it was not told, and its exit.
    func ending(
        at time: ReceiverTime, reason: EventReason, distance: Double, dwell: TimeSpan, ordinal: Int
    ) -> [FenceMonitor.Finding] {
        let length = max(time - began, .zero)
        var findings: [FenceMonitor.Finding] = []
        if dwell > .zero, !dwellTold, length >= dwell {
            findings.append(
                FenceMonitor.Finding(
                    kind: .dwell, stay: ordinal, time: began + dwell, distance: distance))
        }
        findings.append(
            FenceMonitor.Finding(
                kind: .exit, stay: ordinal, time: time, reason: reason,
                inferred: !hasFixInside, distance: distance, length: length))
        return findings
    }
}

extension FenceMonitor {
    /// The id of its fence.
    var key: FenceKey { entry.key }
}
