package import Geodesy
import Model

/// The regions monitored at once: the fences nearest to the anchor, the must-have ones, and the
/// metafence, inside which they are known to be enough.
package struct Window: Hashable, Sendable {
    /// Where the window was last centred.
    package var anchor: SurfacePoint
    /// Radius of the metafence, m; nil when the whole catalogue is in the window. Not above 0:
    /// every fix refills.
    package var metafenceRadius: Double?
    /// By must-have, then by signed distance from the anchor.
    package var regions: [RegionMonitor]

    /// Is the window known to be enough at `point`?
    func covers(_ point: SurfacePoint) -> Bool {
        guard let metafenceRadius else { return true }
        return anchor.distance(to: point) < metafenceRadius
    }

    /// Its regions, which it lacks until they are assigned again.
    mutating func takeRegions() -> [RegionMonitor] {
        var taken: [RegionMonitor] = []
        swap(&taken, &regions)
        return taken
    }

    /// How far the vehicle may move from `point` before the window may not be enough, m.
    func reserve(at point: SurfacePoint) -> Double {
        guard let metafenceRadius else { return .infinity }
        return metafenceRadius - anchor.distance(to: point)
    }
}

/// How the window is composed: section 4 of the law.
struct WindowComposer {
    let settings: WindowSettings

    /// How many of the nearest fences must be known to compose a window: one more than there are
    /// slots, for the metafence ends at the nearest that is left out.
    func demand(mustHave: Int) -> Int { max(settings.size, mustHave) + 1 }

    /// Composes the window around `anchor`, the last judged fix. `nearest` are the nearest
    /// ``demand(mustHave:)`` fences in order; `mustHave` are monitors that keep their slot and
    /// their state, by id. Beyond the demand `nearest` has all fences whose way is followed.
    func compose(
        anchor: SurfacePoint, nearest: [RankedEntry], mustHave: [RegionMonitor],
        known: Generation
    ) -> (window: Window, grew: Bool) {
        let kept = RegionIndex(mustHave)
        var others = nearest.indices.filter { !kept.contains(nearest[$0].entry) }
        // All whose way is followed are among them, whatever the demand was.
        let followed = others.filter { nearest[$0].entry.isFollowed }
        if !followed.isEmpty { others.removeAll { nearest[$0].entry.isFollowed } }
        let asked = nearest.reduce(0) { $0 + ($1.entry.isFollowed ? 0 : 1) }
        let taken = mustHave.count + followed.count
        let fitsWhole =
            taken + others.count <= settings.size
            && asked < demand(mustHave: mustHave.count)
        let slots = fitsWhole ? settings.size : settings.size - 1
        let chosen = others.prefix(max(0, slots - taken))
        let leftOut = others.dropFirst(chosen.count).first.map { nearest[$0].signedDistance }
        var regions: [RegionMonitor] = []
        regions.reserveCapacity(taken + chosen.count)
        regions += mustHave
        for index in followed + chosen {
            let entry = nearest[index].entry
            regions.append(
                RegionMonitor(
                    entry, isUnknown: entry.added > known,
                    lastDistance: nearest[index].signedDistance))
        }
        let window = Window(
            anchor: anchor, metafenceRadius: leftOut.map { radius(to: $0) }, regions: regions)
        return (window, taken > settings.size - 1 && !fitsWhole)
    }

    /// R from E, the signed distance to the nearest fence left out, m.
    func radius(to nearestLeftOut: Double) -> Double {
        min(0.99 * nearestLeftOut - 1, settings.metafenceLimit)
    }
}
