import Geodesy
import Model
import Time

// The speed limit of a fence.
extension RegionMonitor {
    /// A fix inside the area is above the limit if its speed minus its error is; it is no longer
    /// above it if its speed is not. Between the two nothing begins and nothing ends, so that a
    /// speed at the limit does not flap.
    mutating func observeSpeed(
        _ passage: Passage, _ terms: FenceTerms, _ settings: TermsSettings, stay: Int
    ) -> [Transition] {
        var found: [Transition] = []
        guard let distance = lastDistance, distance <= 0,
            let speed = passage.speed(settings)
        else {
            if watch?.speeding?.isTold == false { watch?.speeding = nil }
            return found
        }
        let time = passage.to.time
        let limit = terms.speedLimit / 3.6
        guard var speeding = watch?.speeding else {
            if speed.value - speed.error > limit {
                watch?.speeding = Speeding(since: time, last: time, highest: speed.value)
            }
            return found
        }
        speeding.last = time
        speeding.highest = max(speeding.highest, speed.value)
        if !speeding.isTold {
            guard speed.value - speed.error > limit else {
                watch?.speeding = nil
                return found
            }
            if time - speeding.since >= settings.overspeedHold {
                speeding.isTold = true
                found.append(
                    transition(.overspeed, of: speeding, at: speeding.since, stay, terms))
            }
        } else if speed.value > limit {
            speeding.below = nil
        } else {
            let below = speeding.below ?? time
            speeding.below = below
            if time - below >= settings.overspeedHold {
                watch?.speeding = nil
                found.append(transition(.overspeedEnd, of: speeding, at: below, stay, terms))
                return found
            }
        }
        watch?.speeding = speeding
        return found
    }

    /// Ends a reported overspeed, at the latest at `time`; nil for the last fix that was judged.
    mutating func endSpeeding(
        at time: UTCTime? = nil, stay: Int = 0, terms: FenceTerms
    ) -> [Transition] {
        guard let speeding = watch?.speeding else { return [] }
        watch?.speeding = nil
        guard speeding.isTold else { return [] }
        // The exit of a stay may be dated before the last fix that was judged inside.
        let end = speeding.below ?? max(time ?? speeding.last, speeding.since)
        return [transition(.overspeedEnd, of: speeding, at: end, stay, terms)]
    }

    private func transition(
        _ kind: EventKind, of speeding: Speeding, at time: UTCTime, _ stay: Int,
        _ terms: FenceTerms
    ) -> Transition {
        var details = TermsDetails()
        details.speedLimit = terms.speedLimit
        details.speedUnit = terms.speedUnit
        if kind == .overspeedEnd {
            details.highestSpeed = speeding.highest * 3.6
            details.length = time - speeding.since
        }
        return Transition(
            kind: kind, stay: stay, time: time, distance: lastDistance, terms: details)
    }
}

extension Passage {
    /// The speed that the receiver reports at the fix, otherwise that of the wheels, otherwise that
    /// of the path; nil without all three.
    func speed(_ settings: TermsSettings) -> SpeedReading? {
        (to.speed ?? wheels?.speed).map { SpeedReading(value: $0, error: settings.speedError) }
            ?? pathSpeed
    }
}

extension OpenStay {
    /// The end of a reported overspeed in a fence that was removed; nil if there was none.
    var overspeedEnd: Event? {
        guard let speeding = watch?.speeding, speeding.isTold else { return nil }
        var event = Event(
            kind: .overspeedEnd, fence: fence, time: speeding.end, fixTime: speeding.last,
            presence: .inside)
        var details = TermsDetails()
        details.highestSpeed = speeding.highest * 3.6
        details.length = speeding.end - speeding.since
        event.terms = details
        return event
    }
}
