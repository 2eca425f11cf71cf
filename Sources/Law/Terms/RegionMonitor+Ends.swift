import Geodesy
import Model
import Time

// Fences that end by themselves: `expires` and `once`.

extension CatalogueEntry {
    /// Whether it ends with its first exit.
    @inline(__always)
    var isOnce: Bool { hasTerms && fence.terms.once }
}

extension RegionMonitor {
    /// The transitions up to the first exit, with which a fence with `once` ends.
    mutating func untilOver(_ found: [Transition]) -> [Transition] {
        guard entry.isOnce,
            let exit = found.firstIndex(where: { $0.kind == .exit && $0.isCrossing })
        else { return found }
        isSpent = true
        setAway()
        return Array(found[...exit])
    }

    /// A fence that has ended.
    mutating func rest(_ passage: Passage) {
        let distance = entry.signedDistance(to: passage.point)
        setAway()
        lastDistance = distance
        isTouched = distance <= 0
    }

    /// Whether it has expired by that time.
    func hasExpired(by time: UTCTime) -> Bool {
        entry.expires.map { time >= $0 } ?? false
    }
}
