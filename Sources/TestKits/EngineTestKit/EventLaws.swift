package import Model

/// What must be true of the list of events of every drive, checked from the list alone.
package enum EventLaws {
    /// Checks that, per fence, openings and exits strictly alternate, beginning with an opening,
    /// with at most one dwell between the two. Nil if they do.
    package static func alternationFlaw(_ events: some Sequence<Event>) -> String? {
        var inside: Set<String> = []
        var dwelt: Set<String> = []
        var speeding: Set<String> = []
        var overstayed: Set<String> = []
        var arriving: Set<String> = []
        var isLost = false
        var isDeaf = false
        var isDoubtful = false
        var isMissing = false
        for event in events {
            switch event.kind {
            case .positionLost:
                if isLost { return "lost twice: \(event)" }
                isLost = true
            case .positionRegained:
                if !isLost { return "regained what was not lost: \(event)" }
                isLost = false
            case .positionDoubtful:
                if isDoubtful { return "doubtful twice: \(event)" }
                isDoubtful = true
            case .positionTrusted:
                if !isDoubtful { return "trusted what was not doubtful: \(event)" }
                isDoubtful = false
            case .beaconsLost:
                if isDeaf { return "lost twice: \(event)" }
                isDeaf = true
            case .beaconsRegained:
                if !isDeaf { return "regained what was not lost: \(event)" }
                isDeaf = false
            case .fencesLost:
                if isMissing { return "lost twice: \(event)" }
                isMissing = true
            case .fencesBack:
                if !isMissing { return "back without a loss: \(event)" }
                isMissing = false
            case .enter, .initial:
                guard let fence = event.fence else { return "of no fence: \(event)" }
                guard inside.insert(fence).inserted else { return "second opening: \(event)" }
                arriving.remove(fence)
            case .exit:
                guard let fence = event.fence else { return "of no fence: \(event)" }
                guard inside.remove(fence) != nil else { return "exit without opening: \(event)" }
                if speeding.contains(fence) { return "exit while too fast: \(event)" }
                dwelt.remove(fence)
                overstayed.remove(fence)
            case .dwell:
                guard let fence = event.fence else { return "of no fence: \(event)" }
                guard inside.contains(fence) else { return "dwell outside: \(event)" }
                guard dwelt.insert(fence).inserted else { return "second dwell: \(event)" }
            case .overspeed:
                guard let fence = event.fence else { return "of no fence: \(event)" }
                guard inside.contains(fence) else { return "overspeed outside: \(event)" }
                guard speeding.insert(fence).inserted else { return "second overspeed: \(event)" }
            case .overspeedEnd:
                guard let fence = event.fence else { return "of no fence: \(event)" }
                guard inside.contains(fence) else { return "overspeed-end outside: \(event)" }
                guard speeding.remove(fence) != nil else { return "nothing to end: \(event)" }
            case .overstay:
                guard let fence = event.fence else { return "of no fence: \(event)" }
                guard inside.contains(fence) else { return "overstay outside: \(event)" }
                guard overstayed.insert(fence).inserted else { return "overstayed twice: \(event)" }
            case .noStop:
                guard let fence = event.fence else { return "of no fence: \(event)" }
                if inside.contains(fence) { return "no-stop inside: \(event)" }
            case .arriving:
                guard let fence = event.fence else { return "of no fence: \(event)" }
                if inside.contains(fence) { return "arriving inside: \(event)" }
                guard arriving.insert(fence).inserted else { return "arriving twice: \(event)" }
            case .arrivingOver:
                guard let fence = event.fence else { return "of no fence: \(event)" }
                guard arriving.remove(fence) != nil else { return "was not arriving: \(event)" }
            case .advisory, .urgent, .clear, .towed: break
            default: return "of an unknown kind: \(event)"
            }
        }
        return nil
    }

    /// Checks that each enter and exit which the law proved carries numbers that meet its rule, and
    /// that no other event has any. Nil if so.
    package static func evidenceFlaw(_ events: some Sequence<Event>) -> String? {
        for event in events {
            guard event.kind == .enter || event.kind == .exit, let reason = event.reason else {
                if event.evidence != nil { return "\(event.kind.name) has evidence" }
                continue
            }
            guard let evidence = event.evidence else {
                switch reason {
                case .certain, .path, .settled:
                    return "\(event.kind.name) of \(event.fence ?? "") without evidence"
                default: continue
                }
            }
            let meets =
                event.kind == .enter ? evidence.provesEnter(reason) : evidence.provesExit(reason)
            if !meets { return "\(event.kind.name) \(reason.name) by \(evidence)" }
        }
        return nil
    }

    /// Checks that, per hazard, every approach is (advisory, urgent?, clear) or (urgent, clear), the
    /// last one perhaps without its clear. Nil if it is.
    package static func stagesFlaw(_ events: some Sequence<Event>) -> String? {
        var stages: [String: EventKind] = [:]
        for event in events {
            guard let fence = event.fence else { continue }
            switch (event.kind, stages[fence]) {
            case (.advisory, nil), (.urgent, nil), (.urgent, .advisory?):
                stages[fence] = event.kind
            case (.clear, .some): stages[fence] = nil
            case (.advisory, _), (.urgent, _), (.clear, _):
                return "\(event.kind) after \(stages[fence]?.name ?? "nothing"): \(event)"
            default: break
            }
        }
        return nil
    }

    /// The order of the events of one instant, from HANDBOOK and not from the engine:
    /// `position-regained`; `position-doubtful` or `position-trusted`; dwells of earlier stays (by id), their exits (smaller area first); then
    /// of the first stays begun here the openings (larger first), dwells, exits; then of the
    /// second; the clears of approaches (by id), their stages (the nearest hazard first); `position-lost`
    /// last.
    ///
    /// - Parameter sizes: of the fences, m².
    package static func orderFlaw(_ events: [Event], sizes: [String: Double]) -> String? {
        var stays: [String: Int] = [:]
        var before: Rank?
        for event in events {
            let rank = Rank(event, &stays, sizes)
            if let before, !before.precedes(rank) { return "out of order: \(event)" }
            before = rank
        }
        return nil
    }

    private struct Rank {
        /// The stay of the fence within the instant, and the kind of the event.
        let phase: Int
        let size: Double
        let id: [UInt8]

        init(_ event: Event, _ stays: inout [String: Int], _ sizes: [String: Double]) {
            let fence = event.fence ?? ""
            let area = sizes[fence] ?? 0
            id = Array(fence.utf8)
            switch event.kind {
            case .positionRegained: (phase, size) = (-2, 0)
            case .positionDoubtful, .positionTrusted: (phase, size) = (-1, 0)
            case .positionLost: (phase, size) = (.max, 0)
            case .towed: (phase, size) = (.max - 1, .infinity)
            case .enter, .initial:
                stays[fence, default: 0] += 1
                (phase, size) = (8 * stays[fence, default: 0], -area)
            case .dwell: (phase, size) = (8 * stays[fence, default: 0] + 1, 0)
            case .overstay: (phase, size) = (8 * stays[fence, default: 0] + 2, 0)
            case .noStop: (phase, size) = (8 * stays[fence, default: 0] + 7, 0)
            case .overspeed: (phase, size) = (8 * stays[fence, default: 0] + 3, 0)
            case .overspeedEnd: (phase, size) = (8 * stays[fence, default: 0] + 4, 0)
            case .exit: (phase, size) = (8 * stays[fence, default: 0] + 6, area)
            // Beacons are judged after every fix.
            case .beaconsLost, .beaconsRegained: (phase, size) = (.max, 0)
            // After every crossing: what is over, then what is ahead, the nearest first.
            case .clear: (phase, size) = (.max - 4, 0)
            case .advisory, .urgent: (phase, size) = (.max - 3, event.approach?.toGo ?? 0)
            case .arrivingOver: (phase, size) = (.max - 2, 0)
            case .arriving: (phase, size) = (.max - 1, 0)
            case .position: (phase, size) = (.max - 1, 1)
            case .trip: (phase, size) = (.max - 1, 2)
            default: (phase, size) = (.max, 0)
            }
        }

        func precedes(_ other: Rank) -> Bool {
            if phase != other.phase { return phase < other.phase }
            if size != other.size { return size < other.size }
            return id.lexicographicallyPrecedes(other.id)
        }
    }
}

// Section 3 again, of numbers alone. They are rounded to the centimetre: each may be half of one off.
extension Evidence {
    private static var slack: Double { 0.03 }

    fileprivate func provesEnter(_ reason: EventReason) -> Bool {
        let isCertain =
            distance + error <= Self.slack
            || (error <= (buffer + inradius) / 2 + Self.slack
                && distance <= Self.slack - inradius / 2)
        let isRun = run.map { $0 >= min(inradius, error) - Self.slack } ?? false
        let isSettled =
            settled != nil && distance <= Self.slack && error <= inradius + buffer + Self.slack
        return switch reason {
        case .certain: isCertain
        case .path: isRun
        case .settled: isSettled
        default: isCertain || isRun || isSettled
        }
    }

    fileprivate func provesExit(_ reason: EventReason) -> Bool {
        guard let proofBound else { return false }
        let isCertain = distance - error >= max(buffer, proofBound) - Self.slack
        let isSettled =
            settled != nil && distance >= buffer - Self.slack
            && distance - error >= max(0, proofBound) - Self.slack
        return switch reason {
        case .certain: isCertain
        case .settled: isSettled
        default: isCertain || isSettled
        }
    }
}
