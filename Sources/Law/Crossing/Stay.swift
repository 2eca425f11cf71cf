package import Time

/// Fixes in a row that agree where none is certain.
package struct Settling: Hashable, Sendable {
    /// Receiver time of the first of them.
    package var since: UTCTime
    /// How many.
    package var fixes: Int

    /// With one fix more; nil where that one does not support it.
    static func next(
        _ settling: Settling?, at time: UTCTime, isSupport: Bool
    ) -> Settling? {
        guard isSupport else { return nil }
        guard var settling else { return Settling(since: time, fixes: 1) }
        settling.fixes += 1
        return settling
    }

    /// From the first of them to that time.
    func agreement(at time: UTCTime) -> TimeSpan { time - since }

    /// A re-base: translates the receiver time to the new time base.
    mutating func shift(by span: TimeSpan) { since = since + span }
}

/// Outside, and the last accepted fix has d ≤ 0: an enter may be coming.
package struct PendingEnter: Hashable, Sendable {
    /// Where the boundary was last crossed inwards.
    package var crossedIn: UTCTime
    /// Metres of path run inside since then.
    package var run = 0.0
    /// The least signed distance of that run, m.
    package var deepest: Double
    /// A fix since then had d ≤ 0.
    package var hasFixInside = false
    /// Fixes so far that agree on an enter; nil when none does.
    package var settling: Settling?
}

/// From an enter (or `initial`) to its exit.
package struct Stay: Hashable, Sendable {
    /// Time of the event that opened it, in the present time base.
    package var began: UTCTime
    /// U: the vehicle was certainly no further out than this, m; 0 from where it was certainly
    /// inside.
    package private(set) var proofBound: Double
    /// Where the boundary was last crossed outwards, while the vehicle is beyond it.
    package var crossedOut: UTCTime?
    /// Fixes so far that agree on an exit; nil when none does.
    package var settling: Settling?
    /// A fix of this stay had d ≤ 0.
    package var hasFixInside: Bool
    /// The last fix, since the way out, had d > 0.
    package var hasFixOutside = false
    /// The `dwell` of this stay has been recorded, once and for all.
    package var dwellTold = false

    /// `proofBound` below 0 is 0.
    package init(
        began: UTCTime, proofBound: Double, crossedOut: UTCTime? = nil, settling: Settling? = nil,
        hasFixInside: Bool, hasFixOutside: Bool = false, dwellTold: Bool = false
    ) {
        self.began = began
        self.proofBound = max(proofBound, 0)
        self.crossedOut = crossedOut
        self.settling = settling
        self.hasFixInside = hasFixInside
        self.hasFixOutside = hasFixOutside
        self.dwellTold = dwellTold
    }

    /// The vehicle was certainly no further out than `bound`, m.
    mutating func lower(to bound: Double) { proofBound = max(min(proofBound, bound), 0) }

    /// U of an area that was edited.
    mutating func beginProof(_ bound: Double) { proofBound = max(bound, 0) }

    /// Nothing is pending, and fixes inside change nothing any more.
    @inline(__always)
    var isSteady: Bool {
        proofBound <= 0 && hasFixInside && crossedOut == nil && settling == nil
    }
}
