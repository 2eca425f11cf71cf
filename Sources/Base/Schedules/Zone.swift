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
    package func offset(at seconds: Int64) -> Int {
        if let rule, seconds >= changes.last?.at ?? .min {
            return Self.last(of: Self.turns(of: rule, around: seconds), upTo: seconds)?.offset
                ?? rule.standard
        }
        return Self.last(of: changes, upTo: seconds)?.offset ?? earliest
    }

    /// When the clock is changed next after that second; nil if it never is.
    package func nextChange(after seconds: Int64) -> Int64? {
        if let listed = changes.first(where: { $0.at > seconds }) { return listed.at }
        guard let rule else { return nil }
        return Self.turns(of: rule, around: seconds).first { $0.at > seconds }?.at
    }

    /// The changes of the year and of its neighbours, in the order of time.
    private static func turns(of rule: PosixRule, around seconds: Int64) -> [Change] {
        guard rule.saving != nil else { return [] }
        let year = CalendarDay(daysSince1970: seconds.dividedDown(by: 86_400)).year
        return (year - 1...year + 1).flatMap { rule.changes(in: $0) }.sorted { $0.at < $1.at }
    }

    private static func last(of changes: [Change], upTo seconds: Int64) -> Change? {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].at <= seconds { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? changes[low - 1] : nil
    }
}
