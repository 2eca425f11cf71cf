import Geodesy
import Time

// Fences that come to an end by themselves.

extension CatalogueEntry {
    /// It is over after its first exit.
    var isOnce: Bool { hasTerms && fence.terms.once }
}

extension FenceMonitor {
    /// What it found up to its first exit, after which a fence that is left once is over.
    mutating func untilOver(_ found: [Transition]) -> [Transition] {
        guard entry.isOnce,
            let exit = found.firstIndex(where: { $0.kind == .exit && $0.isCrossing })
        else { return found }
        isSpent = true
        state = .outside(nil)
        return Array(found[...exit])
    }

    /// A fence that is over.
    mutating func rest(_ passage: Passage) {
        let distance = entry.signedDistance(to: passage.point)
        state = .outside(nil)
        lastDistance = distance
        isTouched = distance <= 0
    }

    /// It came to its end at that time, or before it.
    func isOver(at time: ReceiverTime) -> Bool {
        if isSpent { return true }
        guard let expires = entry.expires else { return false }
        return time >= expires
    }
}

extension Engine {
    /// The fences that are over and were not so before: their regions rest from now on.
    mutating func noteSpent(_ regions: [FenceMonitor], at time: ReceiverTime) -> [SpentFence] {
        var found: [SpentFence] = []
        for index in regions.indices where regions[index].entry.mayEnd {
            guard regions[index].isOver(at: time) else { continue }
            let fence = SpentFence(regions[index].entry)
            if spent.insert(fence).inserted { found.append(fence) }
        }
        return found
    }

    /// These are gone from the catalogue, or never will be.
    mutating func forget(_ fences: [SpentFence]) { spent.subtract(fences) }

    /// Goes on with the fences that were over when the process ended.
    package mutating func resume(spent fences: [SpentFence]) { spent.formUnion(fences) }
}
