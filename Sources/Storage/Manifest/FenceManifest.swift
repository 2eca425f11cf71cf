import Bytes
import Model

/// What was accepted of each origin, in a small file beside the catalogue: a catalogue that is lost,
/// or is an older one, is noticed.
///
/// A line for each change. Before the commit it has the old and the new set, and is durable; after
/// it the new one alone: a kill or a power cut at any step leaves a line that the catalogue agrees
/// with. What was accepted is in a second file as well, which is never waited for: with the catalogue
/// and the copies of its sets there are four witnesses of each, and of those that are there the one
/// with the latest generation is right.
final class FenceManifest {
    /// What the catalogue may have of one origin.
    struct Entry: Equatable {
        /// Nothing, where all of it was removed.
        var set: AcceptedSet
        /// Being committed.
        var next: AcceptedSet?
        /// While the set is lost: fences of which the last change was not after this may be of an older one.
        var older: Generation = 0
    }

    private var file: ManifestFile
    private var second: ManifestFile
    /// By ``FenceOrigin/name``.
    private(set) var entries: [ExactText: Entry]
    /// What the second file had at the start.
    private var witnessed: [ExactText: Entry]
    /// Sets that the catalogue does not have.
    private(set) var lost: [ExactText: SetMark] = [:]
    /// Prepared and not settled, and whether the whole set was.
    private var pending: [ExactText: Bool] = [:]

    /// Names that are remembered though nothing is accepted of them any more: an older witness may
    /// turn up.
    private static let mostEmpty = 256

    init(directory: String) {
        file = ManifestFile(directory: directory, ManifestFile.names[0])
        second = ManifestFile(directory: directory, ManifestFile.names[1])
        entries = file.load()
        witnessed = second.load()
    }

    /// Neither of the files could be read as a whole: there may be sets of which nobody knows.
    /// - Parameter wasUsed: there were fences before, as others know.
    func isSilent(wasUsed: Bool) -> Bool {
        [file, second].allSatisfy { $0.isDamaged || wasUsed && $0.isMissing }
    }

    /// Whether there are fences that are in no file of `fences.d`, or are missed.
    var hasFencesOfNoFile: Bool {
        entries.contains {
            ($1.set.mark.count > 0 || lost[$0] != nil) && !FenceOrigin(name: $0.text).isFile
        }
    }

    /// The latest generation of a set.
    var generation: Generation { entries.values.map(\.set.generation).max() ?? 0 }

    /// Compares with what the catalogue has of each origin.
    /// - Parameters:
    ///   - present: what it says.
    ///   - copied: what the copies of its sets say.
    ///   - isOurs: the catalogue is in its file: what it has and nobody knows of was accepted.
    ///   - counted: the marks from the fences themselves; asked only where one differs.
    /// - Returns: the names whose marks in the catalogue are wrong, and what they are.
    func compare(
        _ present: [ExactText: AcceptedSet], copied: [ExactText: AcceptedSet], isOurs: Bool,
        counted: () throws -> [ExactText: SetMark]
    ) rethrows -> [ExactText: SetMark] {
        lost = [:]
        pending = [:]
        var differing: [ExactText: AcceptedSet] = [:]
        for name in Set(entries.keys).union(witnessed.keys).union(copied.keys).union(present.keys) {
            let here = present[name] ?? AcceptedSet()
            var latest = entries[name]?.set ?? AcceptedSet()
            for other in [witnessed[name]?.set, copied[name]] {
                if let other, other.generation > latest.generation { latest = other }
            }
            let isNext = here.mark == entries[name]?.next?.mark
            if here.mark == latest.mark || isNext || here.generation > latest.generation {
                guard isOurs else { continue }
                let generation = max(here.generation, latest.generation)
                accept(name, Entry(set: AcceptedSet(mark: here.mark, generation: generation)))
            } else {
                differing[name] = latest
            }
        }
        defer { if isOurs { repair() } }
        guard !differing.isEmpty else { return [:] }
        let counted = try counted()
        return differing.reduce(into: [:]) { mended, differing in
            let (name, latest) = differing
            let mark = counted[name] ?? .nothing
            if mark == latest.mark || mark == entries[name]?.next?.mark {
                mended[name] = mark
                if isOurs {
                    accept(name, Entry(set: AcceptedSet(mark: mark, generation: latest.generation)))
                }
            } else {
                lost[name] = latest.mark
                guard isOurs else { return }
                var entry = Entry(set: latest)
                entry.older = max(entries[name]?.older ?? 0, witnessed[name]?.older ?? 0)
                let here = present[name] ?? AcceptedSet()
                if here.generation < latest.generation {
                    entry.older = max(entry.older, here.generation)
                }
                accept(name, entry)
            }
        }
    }

    /// By the names of lost sets that may have fences of an older one: what of them is not newer.
    var older: [ExactText: Generation] {
        lost.isEmpty ? [:] : entries.filter { $1.older > 0 && lost[$0] != nil }.mapValues(\.older)
    }

    /// Whether a set that was accepted is not among these.
    func misses(_ present: [ExactText: AcceptedSet]) -> Bool {
        entries.contains { $1.set.mark.count > 0 && present[$0] == nil }
    }

    /// The name by which a set was accepted that nobody knows by the one that it has: a bit of that has
    /// changed.
    /// - Parameter present: all names that there are.
    func rightName(of set: AcceptedSet, called name: ExactText, _ present: Set<ExactText>)
        -> String?
    {
        guard set.mark.count > 0, entries[name] == nil, witnessed[name] == nil else { return nil }
        return entries.first { $0.value.set == set && !present.contains($0.key) }?.key.text
    }

    /// Before a commit after which the catalogue has that set of that origin.
    /// - Parameter isWhole: it is a whole set. Until then, or until all of it is there again, a lost
    ///   one stays lost.
    /// - Parameter isOlder: what was put may be of an older set than was accepted.
    /// - Throws: ``StoreError`` if that cannot be made durable; then nothing may be committed.
    func prepare(
        _ name: String, _ set: AcceptedSet, isWhole: Bool, isOlder: Bool = false
    ) throws(StoreError) {
        let name = ExactText(name)
        pending[name] = isWhole || pending[name] == true
        let entry = entries[name] ?? Entry(set: AcceptedSet())
        if let missing = lost[name], !isWhole, set.mark != missing {
            // What is missed is missed of the catalogue as it will be.
            var later = Entry(set: AcceptedSet(mark: missing, generation: set.generation))
            later.older = isOlder ? set.generation : entry.older
            return try write(name, later, durably: true)
        }
        if set == entry.set, entry.next == nil { return }
        try write(name, Entry(set: entry.set, next: set, older: entry.older), durably: true)
    }

    /// After a commit or a failed one: what the catalogue has of an origin by now.
    func confirm(_ present: (String) throws -> AcceptedSet) rethrows {
        for (name, isWhole) in pending {
            let set = try present(name.text)
            pending[name] = nil
            if let missing = lost[name], set.mark != missing {
                guard isWhole, set.mark == entries[name]?.next?.mark else { continue }
            }
            lost[name] = nil
            accept(name, Entry(set: set))
        }
    }

    /// There were fences, and nobody knows which: perhaps of the bus, which nobody brings again.
    func loseUnknown() {
        let name = ExactText(FenceOrigin.bus.name)
        lost[name] = .unknown
        accept(name, Entry(set: AcceptedSet(mark: .unknown, generation: generation + 1)))
    }

    /// What is lost is not missed any more.
    /// - Parameter present: what there is of it; no witness has a later generation.
    /// - Throws: ``StoreError``; then it is still missed.
    func forget(_ name: String, present: AcceptedSet) throws(StoreError) {
        let name = ExactText(name)
        guard lost[name] != nil else { return }
        try write(name, Entry(set: present), durably: true)
        lost[name] = nil
    }

    /// A line that cannot be written now is written with the next change: the one before it names
    /// this set, too.
    private func accept(_ name: ExactText, _ entry: Entry) {
        guard (entries[name] ?? Entry(set: AcceptedSet())) != entry else { return }
        try? write(name, entry, durably: false)
    }

    /// Both files say what is known by now; it is written later where that cannot be.
    private func repair() {
        if file.isDamaged, !entries.isEmpty { try? file.rewrite(entries) }
        if witnessed.mapValues(\.set) != entries.mapValues(\.set) { try? second.rewrite(entries) }
        witnessed = [:]
    }

    private func write(_ name: ExactText, _ entry: Entry, durably: Bool) throws(StoreError) {
        var changed = entries
        changed[name] = entry == Entry(set: AcceptedSet()) ? nil : entry
        let empty = changed.filter { $1.set.mark == .nothing && $1.next == nil }
        if empty.count > Self.mostEmpty,
            let oldest = empty.min(by: { $0.value.set.generation < $1.value.set.generation })
        {
            changed[oldest.key] = nil
        }
        try file.write(name, entry, of: changed, durably: durably)
        entries = changed
        if entry.next == nil { try? second.write(name, entry, of: changed, durably: false) }
    }
}
