import Bytes
import Model

/// Fences of lost sets that may be of an older one than was accepted: perhaps they have been moved or
/// removed since. Crossings of them are held, and they are in no answer to the engine; hazards among them
/// are, for one too many is told rather than one too few.
struct OlderSets {
    /// By the number of the origin: fences whose last change was not after this.
    fileprivate(set) var generations: [Int64: Generation] = [:]

    /// Whether a fence is held.
    func hold(_ record: FenceRecord) -> Bool {
        guard !generations.isEmpty, !record.form.contains(.approach),
            let history = try? record.history(), let last = generations[history.origin]
        else { return false }
        return history.changed <= last
    }
}

extension Catalogue {
    /// After whatever may have changed which sets are older. The generation stands for what is in answers.
    func refreshOlder(isStart: Bool) throws {
        let older = manifest.older
        guard !older.isEmpty || !olderSets.generations.isEmpty else { return }
        let generations = try connection.use { database in
            try older.reduce(into: [Int64: Generation]()) { found, set in
                let number = try database.first(
                    "SELECT number FROM origin WHERE name = ?", .text(set.key.text)
                ) { $0.integer(0) }
                if let number { found[number] = set.value }
            }
        }
        guard generations != olderSets.generations else { return }
        olderSets.generations = generations
        forget()
        if !isStart, !connection.isReadOnly { try raiseGeneration(to: generation + 1) }
    }
}
