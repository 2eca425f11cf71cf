import Time

/// When the next look is due. Times are s since 1970 of a clock that may be wrong or step: what it
/// says is believed only within bounds that a look of this source can have set.
package enum SyncSchedule {
    /// Of a wait after failures, s.
    private static let longestWait: Int64 = 3600

    /// Whether a look is due.
    package static func isDue(_ state: SourceState, every: Double, now: Int64) -> Bool {
        let span = Int64(every)
        guard state.triedAt > 0, state.triedAt <= now else { return true }
        if state.failures > 0 {
            return now >= state.notBefore || state.notBefore > now + longestWait
        }
        return now >= state.triedAt + span
    }

    /// When that is, s since 1970, as far as the clock decides.
    package static func next(_ state: SourceState, every: Double) -> Int64 {
        state.failures > 0 ? state.notBefore : state.triedAt + Int64(every)
    }

    /// Whether fetching only the changes is enough.
    package static func mayAskForChanges(
        _ state: SourceState, fullEvery: Double, now: Int64
    ) -> Bool {
        guard !state.sum.isEmpty, !state.deltaLink.isEmpty, state.version == 4 else { return false }
        return state.wholeAt <= now && now - state.wholeAt < Int64(fullEvery)
    }

    /// The same of what is near the vehicle. Where the vehicle is decides, and not the clock.
    /// - Parameters:
    ///   - depth: of the vehicle in its metafence, m, negative outside; nil without a metafence.
    ///   - pause: between two answers, s.
    package static func isDue(
        _ state: SourceState, depth: Double?, pause: Double, every: Double, now: Int64
    ) -> Bool {
        let isLeft = depth.map { $0 < 0 } ?? true
        // A failure has its own wait, and does not use up the pause.
        guard isLeft, state.failures == 0 else { return isDue(state, every: every, now: now) }
        let since = now - state.checkedAt
        return state.checkedAt <= 0 || since < 0 || since >= Int64(pause.rounded(.up))
    }

    /// How long to wait after that many failures, from 1, s: as long as the server asks, or else 1 min,
    /// doubled up to 10 min, or to 1 h where credentials are refused, or the look was killed. A part of
    /// it is chance, so that a fleet does not come back at once.
    package static func wait(
        after failures: Int, _ failure: SyncFailure, chance: Double
    ) -> Int64 {
        let isRare = failure.isAboutCredentials || failure.state == .killed
        let most: Int64 = isRare ? longestWait : 600
        let delay = DoublingDelay(first: .seconds(60), limit: .seconds(Double(most)))
        let own = delay.after(Int64(failures)).seconds * (0.5 + 0.5 * min(max(chance, 0), 1))
        guard let asked = failure.retryAfter else { return Int64(own) }
        let wait = RetryDelay.asked(.seconds(Double(asked)), random: chance).seconds.rounded(.up)
        // Trying again soon locks accounts, whoever says that one may.
        return Int64(failure.isAboutCredentials ? max(own, wait) : wait)
    }
}

extension SourceState {
    /// The last look was killed. The next one is a download of everything.
    /// - Parameters:
    ///   - now: wall clock, s since 1970.
    ///   - chance: 0 to 1, see ``SyncSchedule``.
    package mutating func noteDeath(now: Int64, chance: Double) {
        let failure = SyncFailure(
            .killed, "the last look was killed: out of memory, out of time, or by a person")
        state = failure.state
        detail = failure.reason
        deltaLink = ""
        triedAt = now
        failures += 1
        notBefore = now + SyncSchedule.wait(after: failures, failure, chance: chance)
        nextAt = notBefore
    }
}
