/// What clocks show at a place, from a file of the system's time zone database.
package struct Zone: Hashable, Sendable {
    /// A change of the clock.
    struct Change: Hashable, Sendable {
        /// Seconds since 1970, UTC: the first at which the new offset holds.
        var at: Int64
        /// Seconds east of UTC from then on.
        var offset: Int
    }

    /// The offset before the first change, seconds east of UTC.
    let earliest: Int
    /// In the order of time.
    let changes: [Change]
    /// The rule after the last of them; nil if that change is final.
    let rule: PosixRule?

    /// No offset, ever.
    package static let utc = Zone(earliest: 0, changes: [], rule: nil)

    /// The offset at a time, seconds east of UTC.
    /// - Parameter seconds: since 1970, UTC, as a receiver can report it.
    package func offset(at seconds: Int64) -> Int { clock(at: seconds).offset }

    /// What holds at a time.
    /// - Returns: the offset, seconds east of UTC, and the second from which another may hold; nil
    ///   if none ever does.
    func clock(at seconds: Int64) -> (offset: Int, until: Int64?) {
        let next = Self.countUntil(seconds, in: changes)
        if next < changes.count {
            return (next > 0 ? changes[next - 1].offset : earliest, changes[next].at)
        }
        guard let rule else { return (changes.last?.offset ?? earliest, nil) }
        let turns = Self.turns(of: rule, around: seconds)
        let turn = Self.countUntil(seconds, in: turns)
        return (
            turn > 0 ? turns[turn - 1].offset : rule.standard,
            turn < turns.count ? turns[turn].at : nil
        )
    }

    /// The changes of the year and of its neighbours, in the order of time.
    private static func turns(of rule: PosixRule, around seconds: Int64) -> [Change] {
        guard rule.saving != nil else { return [] }
        let year = CalendarDay(daysSince1970: seconds.dividedDown(by: 86_400)).year
        return (year - 1...year + 1).flatMap { rule.changes(in: $0) }.sorted { $0.at < $1.at }
    }

    /// How many of the changes have happened by then.
    private static func countUntil(_ seconds: Int64, in changes: [Change]) -> Int {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].at <= seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
