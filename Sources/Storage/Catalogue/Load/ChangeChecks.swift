import Law
import Model

/// A change that adds nothing passes, even if a limit has been lowered since.
extension ChangeConditions {
    /// Checked while reading, so that a file with too many fences is not read to its end.
    /// - Parameters:
    ///   - kept: of the origin's fences those that stay, whatever is removed at the end.
    ///   - others: fences of all other origins.
    func check(
        kept: Int, of before: Int, others: Int, _ origin: FenceOrigin
    ) throws(ChangeRefusal) {
        guard kept > before else { return }
        if others + kept > fenceLimit { throw .tooManyFences(limit: fenceLimit) }
        if kept > originLimit { throw .quotaExceeded(origin, limit: originLimit) }
    }

    /// Checks the number of fences in the catalogue.
    func check(count: Int, before: Int) throws(ChangeRefusal) {
        guard count > before, count > fenceLimit else { return }
        throw .tooManyFences(limit: fenceLimit)
    }

    /// Checks the number of fences of the origin.
    func check(owned: Int, before: Int, _ origin: FenceOrigin) throws(ChangeRefusal) {
        guard owned > before, owned > originLimit else { return }
        throw .quotaExceeded(origin, limit: originLimit)
    }

    /// Checks the number of beacon fences, all of which are monitored all the time.
    func check(beacons: Int) throws(ChangeRefusal) {
        if beacons > BeaconRegion.most { throw .tooManyBeacons(limit: BeaconRegion.most) }
    }

    /// Checks the number of fences whose way is followed, which are in every window.
    func check(followed: Int) throws(ChangeRefusal) {
        if followed > Arrival.most { throw .tooManyFollowed(limit: Arrival.most) }
    }

    /// Checks the numbers of fences that are monitored wherever the vehicle is, if some of them were put.
    /// Those of beacons have no box.
    func checkFoundAtOnce(in database: Database, beacons: Int, followed: Int) throws {
        guard beacons > 0 || followed > 0 else { return }
        try CellTable.removeEmptyFoundAtOnce(from: database)
        let numbers = try database.first(
            "SELECT count(*), count(box.number) FROM beacon LEFT JOIN box ON box.number = beacon.number"
        ) { (all: Int($0.integer(0)), followed: Int($0.integer(1))) }
        guard let numbers else { return }
        if beacons > 0 { try check(beacons: numbers.all - numbers.followed) }
        if followed > 0 { try check(followed: numbers.followed) }
    }

    /// Checks the number of the origin's fences that are or will be removed.
    func check(removed: Int, of before: Int, _ origin: FenceOrigin) throws(ChangeRefusal) {
        guard let mostRemoved, removed > mostRemoved else { return }
        throw .tooManyRemoved(origin, count: removed, present: before, limit: mostRemoved)
    }
}

extension FenceOrigin {
    /// The number of named origins that may have fences.
    private static let mostNamed = 256

    /// Whether one more named origin may have fences; other origins are limited by the number of
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
