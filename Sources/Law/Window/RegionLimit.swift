package import Geodesy
import Model

/// A step to a fix, as far as it says which areas it touches.
package struct Reach: Hashable, Sendable {
    /// The path to the fix; nil on a new path and across a gap.
    var path: PathSegment?
    /// The fix.
    var point: SurfacePoint

    init(_ link: Passage.Link, to point: SurfacePoint) {
        if case .path(let path) = link { self.path = path }
        self.point = point
    }

    /// Contains every position of the step.
    package var box: GeoBox {
        path?.boundingBox ?? GeoBox(around: point.coordinate, radius: 1)
    }

    /// Whether the area of the fence is touched: as in the coverage law.
    package func touches(_ entry: CatalogueEntry) -> Bool {
        let end = entry.area.signedDistance(to: point)
        guard end > 0, let path else { return end <= 0 }
        // Too far away to be worth a closer look.
        guard end <= path.length + PathProfile.slack(path.length) else { return false }
        return entry.area.meets(path)
    }
}

extension Passage {
    /// The step that it judges.
    package var reach: Reach { Reach(link, to: point) }
}

/// How many regions may have something open at once: section 4 of the law.
package enum RegionLimit {
    /// Which of the monitors, by index, have no room at this step; usually none. A stay, an
    /// approach, and whatever is pending keep their room. What is left is given to the fences that
    /// the step touches, in the order of their ids.
    package static func leftOut(
        _ monitors: [RegionMonitor], at step: Reach, limit: Int
    ) -> [Int] {
        guard monitors.count > limit else { return [] }
        let room = max(0, limit - openCount(monitors))
        let touched = monitors.indices.filter {
            !monitors[$0].isOpen && step.touches(monitors[$0].entry)
        }
        guard touched.count > room else { return [] }
        let ordered = touched.sorted {
            monitors[$0].entry.id.utf8.lexicographicallyPrecedes(monitors[$1].entry.id.utf8)
        }
        return Array(ordered[room...])
    }

    /// Whether no fence can be begun with.
    static func isFull(_ monitors: [RegionMonitor], limit: Int) -> Bool {
        monitors.count >= limit && openCount(monitors) >= limit
    }

    private static func openCount(_ monitors: [RegionMonitor]) -> Int {
        monitors.reduce(0) { $0 + ($1.isOpen ? 1 : 0) }
    }
}

extension RegionMonitor {
    /// It has a stay or an approach, or something is pending.
    fileprivate var isOpen: Bool { !isIdle && presence != .unknown }
}
