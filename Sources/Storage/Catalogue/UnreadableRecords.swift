/// Stored records that are damaged (a bit of the disk has changed) or were written by another
/// version. Each is left out of every answer, and named once; no other record is affected.
struct UnreadableRecords {
    /// At most this number is distinguished; a disk that has lost more has lost everything.
    static let most = 1_000

    /// Their names, by number of the fence or of the event.
    private(set) var names: [Int64: String] = [:]

    /// - Parameter name: its name in the daemon's log.
    mutating func note(_ number: Int64, _ name: @autoclosure () -> String) {
        guard names[number] == nil, names.count < Self.most else { return }
        names[number] = name()
    }

    /// Forgets those that can be read now, or no longer exist.
    mutating func keep(where isUnreadable: (Int64) -> Bool) {
        guard !names.isEmpty else { return }
        names = names.filter { isUnreadable($0.key) }
    }
}
