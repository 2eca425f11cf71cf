import Engine

/// What was accepted of each origin, in a small file beside the catalogue: a catalogue that is lost,
/// or is an older one, is noticed.
///
/// A line for each change. Before the commit it has the old and the new mark, and is durable; after
/// it the new mark alone: a kill or a power cut at any step leaves a line that the catalogue agrees
/// with.
final class FenceManifest {
    /// What the catalogue may have of one origin.
    struct Entry: Equatable {
        var mark: SetMark
        /// Being committed.
        var next: SetMark?
    }

    private var file: ManifestFile
    /// By ``FenceOrigin/name``.
    private(set) var entries: [String: Entry]
    /// Sets that the catalogue does not have.
    private(set) var lost: [String: SetMark] = [:]
    /// Prepared and not settled, and whether the whole set was.
    private var pending: [String: Bool] = [:]

    init(directory: String) {
        file = ManifestFile(directory: directory)
        entries = file.load()
    }

    /// It could not be read, or not as a whole: nobody knows of which sets.
    var isDamaged: Bool { file.isDamaged }

    /// There is no such file.
    var isMissing: Bool { file.isMissing }

    /// Compares with what the catalogue has of each origin.
    /// - Parameters:
    ///   - present: their marks.
    ///   - counted: the same from the fences themselves; asked only where one differs.
    ///   - isOurs: the catalogue is in its file: what it has and nobody knows of was accepted.
    /// - Returns: the names whose marks in the catalogue are wrong, and what they are.
    func compare(
        _ present: [String: SetMark], isOurs: Bool,
        counted: () throws -> [String: SetMark]
    ) rethrows -> [String: SetMark] {
        lost = [:]
        pending = [:]
        var differing: Set<String> = []
        for (name, entry) in entries {
            let mark = present[name] ?? .nothing
            if mark == entry.mark || mark == entry.next {
                if entry.next != nil, isOurs { accept(name, mark) }
            } else {
                differing.insert(name)
            }
        }
        if isOurs { for (name, mark) in present where entries[name] == nil { accept(name, mark) } }
        guard !differing.isEmpty else { return [:] }
        let counted = try counted()
        return differing.reduce(into: [:]) { mended, name in
            guard let entry = entries[name] else { return }
            if let mark = counted[name], mark == entry.mark || mark == entry.next {
                mended[name] = mark
                if isOurs { accept(name, mark) }
            } else {
                lost[name] = entry.mark
            }
        }
    }

    /// Before a commit after which the catalogue has `mark` of that origin.
    /// - Parameter isWhole: it is a whole set. Until then, or until all of it is there again, a lost
    ///   one stays lost.
    /// - Throws: ``StoreError`` if that cannot be made durable; then nothing may be committed.
    func prepare(_ name: String, _ mark: SetMark, isWhole: Bool) throws(StoreError) {
        pending[name] = isWhole || pending[name] == true
        let entry = entries[name] ?? Entry(mark: .nothing)
        if mark == entry.mark, entry.next == nil || lost[name] != nil { return }
        guard lost[name] == nil || isWhole else { return }
        try write(name, Entry(mark: entry.mark, next: mark), durably: true)
    }

    /// After a commit or a failed one: what the catalogue has of an origin by now.
    func settle(_ present: (String) throws -> SetMark) rethrows {
        for (name, isWhole) in pending {
            let mark = try present(name)
            pending[name] = nil
            if let missing = lost[name], mark != missing {
                guard isWhole, mark == entries[name]?.next else { continue }
            }
            lost[name] = nil
            accept(name, mark)
        }
    }

    /// There were fences, and nobody knows which: perhaps of the bus, which nobody brings again.
    func loseUnknown() {
        lose(FenceOrigin.bus.name, .unknown)
    }

    /// There was a set with that mark, as others than this manifest know.
    func lose(_ name: String, _ mark: SetMark) {
        lost[name] = mark
        accept(name, mark)
    }

    /// What is lost is not missed any more.
    /// - Throws: ``StoreError``; then it is still missed.
    func forget(_ name: String, present mark: SetMark) throws(StoreError) {
        guard lost[name] != nil else { return }
        try write(name, Entry(mark: mark), durably: true)
        lost[name] = nil
    }

    /// A line that cannot be written now is written with the next change: the one before it names
    /// this mark, too.
    private func accept(_ name: String, _ mark: SetMark) {
        guard (entries[name] ?? Entry(mark: .nothing)) != Entry(mark: mark) else { return }
        try? write(name, Entry(mark: mark), durably: false)
    }

    private func write(_ name: String, _ entry: Entry, durably: Bool) throws(StoreError) {
        var changed = entries
        changed[name] = entry == Entry(mark: .nothing) ? nil : entry
        try file.write(name, entry, of: changed, durably: durably)
        entries = changed
    }
}
