import Engine

/// A change that adds nothing passes, though a limit has been lowered since.
extension ChangeConditions {
    /// What has been put stays, whatever is removed at the end: a file without end is not read to
    /// its end.
    func check(kept: Int, of before: Int, _ origin: FenceOrigin) throws(ChangeRefusal) {
        guard kept > before else { return }
        if kept > fenceLimit { throw .tooManyFences(limit: fenceLimit) }
        if kept > originLimit { throw .quotaExceeded(origin, limit: originLimit) }
    }

    /// Fences of the catalogue.
    func check(count: Int, before: Int) throws(ChangeRefusal) {
        guard count > before, count > fenceLimit else { return }
        throw .tooManyFences(limit: fenceLimit)
    }

    /// Fences of the origin.
    func check(owned: Int, before: Int, _ origin: FenceOrigin) throws(ChangeRefusal) {
        guard owned > before, owned > originLimit else { return }
        throw .quotaExceeded(origin, limit: originLimit)
    }

    /// Fences of the origin that are gone, or will be.
    func check(removed: Int, of before: Int, _ origin: FenceOrigin) throws(ChangeRefusal) {
        guard let mostRemoved, removed > mostRemoved else { return }
        throw .tooManyRemoved(origin, count: removed, present: before, limit: mostRemoved)
    }
}

extension FenceOrigin {
    /// Named origins that may have fences.
    private static let mostNamed = 256

    /// Whether one more named origin may have fences; of the others there are as many as there are
    /// files.
    func checkRoom(in database: Database) throws {
        guard case .named = self else { return }
        let others = try database.first(
            "SELECT count(*) FROM origin WHERE fences > 0 AND instr(name, '/') > 0"
        ) { Int($0.integer(0)) }
        guard others ?? 0 < Self.mostNamed else {
            throw ChangeRefusal.tooManyOrigins(limit: Self.mostNamed)
        }
    }
}
