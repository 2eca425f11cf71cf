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

extension Engine {
    /// The fences that have newly ended: their regions rest from now on. `fix` is the time of a fix
    /// that was judged just now; nil after a timer, when only an exit ends a fence: the clock may go
    /// back before a region is judged that was added or edited since.
    mutating func noteSpent(_ regions: [RegionMonitor], at fix: UTCTime?) -> [SpentFence] {
        var found: [SpentFence] = []
        for index in regions.indices where regions[index].entry.mayEnd {
            guard regions[index].isSpent || fix.map(regions[index].hasExpired) ?? false else {
                continue
            }
            let fence = SpentFence(regions[index].entry)
            if spent.insert(fence).inserted { found.append(fence) }
        }
        return found
    }

    /// These fences were removed from the catalogue, or never will be.
    mutating func forget(_ fences: [SpentFence]) { spent.subtract(fences) }

    /// Resumes with the fences that had ended before the process did.
    package mutating func resume(spent fences: [SpentFence]) { spent.formUnion(fences) }
}
