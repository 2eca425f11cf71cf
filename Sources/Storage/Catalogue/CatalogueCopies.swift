import Bytes
package import Model

// The copies of the catalogue's sets.
extension Catalogue {
    /// After the commit.
    func noteCopied(_ change: SetCopyChange) {
        guard connection.absence == nil else { return }
        copies.note(change)
    }

    /// What there is of each origin that has a copy, or should have one.
    private func copied() throws -> [ExactText: SetContents] {
        try connection.use { database in
            try SetContents.all(in: database).filter { SetCopyFormat.isKept($0.key.text) }
        }
    }

    /// Copies of sets that nobody has any more are removed.
    func tidyCopies() {
        guard let present = try? copied() else { return }
        copies.keep(only: Set(present.keys).union(manifest.lost.keys))
    }

    /// Origins whose copy is not what is here, and has to be written as a whole by
    /// ``SetCopies/write(of:in:)``. That of a lost set is left as it is until it was put back. Empty while
    /// the catalogue cannot be read.
    package var copiesBehind: [FenceOrigin] {
        guard connection.absence == nil, connection.suspect == nil, let copied = try? copied()
        else {
            return []
        }
        return copied.filter { name, contents in
            if manifest.lost[name] != nil, isHealable(name.text, contents) { return false }
            return copies.isBehind(name.text, contents)
        }.keys.sorted().map { FenceOrigin(name: $0.text) }
    }

    /// The origins of lost sets that can be filled again: there is a copy, which is not what is here.
    package var healable: [FenceOrigin] {
        guard connection.absence == nil, !manifest.lost.isEmpty, let present = try? copied() else {
            return []
        }
        return manifest.lost.keys.sorted().map(\.text).filter {
            isHealable($0, present[$0] ?? .nothing)
        }.map(FenceOrigin.init(name:))
    }

    /// A process has written a copy, and has ended well. What it has written is dropped if the set has
    /// changed meanwhile.
    package func takeCopy(of origin: FenceOrigin) {
        guard
            let contents = try? connection.use({ database in
                try SetContents.read(of: origin.name, database)
            })
        else { return }
        copies.take(origin.name, contents)
    }

    /// Such a process has failed.
    package func copyFailed(_ why: String) { copies.fail(why) }

    /// Why the last copy could not be written; nil when it could.
    package var copyProblem: String? { copies.problem }

    /// Whether a fence has that id, of whatever origin.
    func hasID(_ id: String) throws -> Bool {
        try use { try CellTable.number(id: id, in: $0) != nil }
    }

    private func isHealable(_ name: String, _ present: SetContents) -> Bool {
        copies.contents(of: name).map { $0 != present } ?? false
    }
}
