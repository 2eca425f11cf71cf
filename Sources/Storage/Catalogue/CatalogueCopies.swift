import Bytes
import Model

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

    /// Origins whose copy is not what is here. That of a lost set is left as it is until it was put
    /// back.
    func copiesBehind() throws -> [FenceOrigin] {
        guard connection.absence == nil, connection.suspect == nil else { return [] }
        return try copied().filter { name, contents in
            if manifest.lost[name] != nil, isHealable(name.text, contents) { return false }
            return copies.isBehind(name.text, contents)
        }.keys.sorted().map { FenceOrigin(name: $0.text) }
    }

    /// The origins of lost sets of which there is a copy, unless it is what is here.
    func healable() throws -> [FenceOrigin] {
        guard connection.absence == nil, !manifest.lost.isEmpty else { return [] }
        let present = try copied()
        return manifest.lost.keys.sorted().map(\.text).filter {
            isHealable($0, present[$0] ?? .nothing)
        }.map(FenceOrigin.init(name:))
    }

    /// Whether a fence has that id, of whatever origin.
    func hasID(_ id: String) throws -> Bool {
        try use { try CellTable.number(id: id, in: $0) != nil }
    }

    private func isHealable(_ name: String, _ present: SetContents) -> Bool {
        copies.contents(of: name).map { $0 != present } ?? false
    }
}
