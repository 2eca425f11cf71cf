/// Stored records that are not as they were written: a bit of the disk has changed, or another
/// version wrote them. Each is left out of every answer, as if it had been removed, and named once;
/// none of the others is touched by it.
struct UnreadableRecords {
    /// So many are told apart; a disk that has lost more has lost everything.
    static let most = 1_000

    /// Their names by number of the fence, or of the event.
    private(set) var names: [Int64: String] = [:]

    /// - Parameter name: what it is called in the log.
    mutating func note(_ number: Int64, _ name: @autoclosure () -> String) {
        guard names[number] == nil, names.count < Self.most else { return }
        names[number] = name()
    }

    /// Forgets those that can be read now, or are gone.
    mutating func keep(where isUnreadable: (Int64) -> Bool) {
        guard !names.isEmpty else { return }
        names = names.filter { isUnreadable($0.key) }
    }
}
