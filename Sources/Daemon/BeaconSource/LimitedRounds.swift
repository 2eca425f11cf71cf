import Time

/// When to listen without monitors. The controller then filters duplicates: in one discovery it
/// passes each beacon on only once, or once in 10 s. A stay needs two sightings at most 15 s apart,
/// so a listening time has several rounds, each of which is a discovery.
struct LimitedRounds {
    /// The number of rounds so far; that of the present one, which differs from every other.
    private var number = 0
    /// Rounds of this listening time; 0 in a pause.
    private var listened = 0
    /// When the present round or pause ends; nil before the first.
    private(set) var until: Uptime?

    /// Begins with a listening time.
    mutating func restart() { (listened, until) = (0, nil) }

    /// The number of the round at `now`; nil in a pause.
    /// - Parameter isActive: there are no pauses.
    mutating func round(
        at now: Uptime, isActive: Bool, _ settings: BeaconRadioSettings
    ) -> Int? {
        let isPause = listened == 0
        if let until, now < until, !(isPause && isActive) { return isPause ? nil : number }
        if isPause || isActive || listened < settings.limitedRounds {
            number += 1
            listened += 1
            until = now + settings.limitedRound
            return number
        }
        listened = 0
        until = now + settings.limitedPause
        return nil
    }
}
