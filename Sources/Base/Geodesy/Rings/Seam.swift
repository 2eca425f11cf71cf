/// Pieces of meridian on which two sides of an area meet, so that they are not boundary: at ±180,
/// where data sets cut an area that lies on both sides, and where a ring is exactly 360° wide.
///
/// Found by intervals, for the two sides need not have the same vertices.
struct Seam {
    /// An edge along a meridian that may be a seam.
    struct Candidate {
        let meridian: Double
        let low: Double
        let high: Double
        let isAreaWest: Bool
        let part: Int
    }

    struct Interval {
        let low: Double
        let high: Double
    }

    private var candidates: [Candidate] = []
    private var joined: [Double: [Interval]] = [:]

    /// Adds the candidates of a ring; `part` is the index of its polygon.
    mutating func add(_ ring: UnwrappedRing, isHole: Bool, part: Int) {
        let isCounterClockwise = ring.doubledArea > 0
        let extent = Self.fullExtent(ring)
        for i in 0..<max(ring.points.count - 1, 0) where ring.origins[i + 1] >= 0 {
            let a = ring.points[i]
            let b = ring.points[i + 1]
            guard let meridian = Self.meridian(a, b, extent: extent) else { continue }
            candidates.append(
                Candidate(
                    meridian: meridian, low: min(a.y, b.y), high: max(a.y, b.y),
                    isAreaWest: ((b.y > a.y) == isCounterClockwise) != isHole, part: part))
        }
    }

    /// Into how many pieces the seams will cut the edges, before ``finish(join:)``; `limit` + 1 for
    /// anything above `limit`.
    func pieceCount(atMost limit: Int) -> Int {
        var count = 0
        for found in Dictionary(grouping: candidates, by: \.meridian).values {
            let both = Self.intersection(
                Self.union(found.filter(\.isAreaWest)), Self.union(found.filter { !$0.isAreaWest }))
            for candidate in found {
                count += Self.overlapping(both, low: candidate.low, high: candidate.high).count
                guard count <= limit else { return limit + 1 }
            }
        }
        return count
    }

    /// To be called once, after the last ring. `join` is called for parts that meet on a seam.
    mutating func finish(join: (Int, Int) -> Void) {
        let byMeridian = Dictionary(grouping: candidates, by: \.meridian)
        for (meridian, found) in byMeridian {
            let west = Self.union(found.filter(\.isAreaWest))
            let east = Self.union(found.filter { !$0.isAreaWest })
            let both = Self.intersection(west, east)
            joined[meridian] = both
            var first: [Int?] = both.map { _ in nil }
            for candidate in found {
                for k in Self.overlapping(both, low: candidate.low, high: candidate.high) {
                    if let other = first[k] {
                        join(other, candidate.part)
                    } else {
                        first[k] = candidate.part
                    }
                }
            }
        }
        candidates = []
    }

    /// The seam pieces on the edge a–b, in rising order; empty for every other edge.
    func pieces(
        _ a: SIMD2<Double>, _ b: SIMD2<Double>, extent: ClosedRange<Double>?
    ) -> [Interval] {
        guard !joined.isEmpty, let meridian = Self.meridian(a, b, extent: extent),
            let all = joined[meridian]
        else { return [] }
        let low = min(a.y, b.y)
        let high = max(a.y, b.y)
        return Self.overlapping(all, low: low, high: high).map {
            Interval(low: max(all[$0].low, low), high: min(all[$0].high, high))
        }
    }

    /// The longitudes between which a ring lies that is exactly 360° wide.
    static func fullExtent(_ ring: UnwrappedRing) -> ClosedRange<Double>? {
        guard let first = ring.points.first, ring.points.allSatisfy({ !$0.x.isNaN }) else {
            return nil
        }
        var west = first.x
        var east = first.x
        for point in ring.points {
            west = min(west, point.x)
            east = max(east, point.x)
        }
        return east - west == 360 ? west...east : nil
    }

    /// The meridian, −180..<180, that the edge may share with another; nil where it runs along
    /// none.
    static func meridian(
        _ a: SIMD2<Double>, _ b: SIMD2<Double>, extent: ClosedRange<Double>?
    ) -> Double? {
        guard a.x == b.x, a.y != b.y else { return nil }
        let normal = a.x - 360 * ((a.x + 180) / 360).rounded(.down)
        if normal == -180 { return normal }
        guard let extent, a.x == extent.lowerBound || a.x == extent.upperBound else { return nil }
        return normal
    }

    private static func union(_ edges: [Candidate]) -> [Interval] {
        var result: [Interval] = []
        for edge in edges.sorted(by: { $0.low < $1.low }) {
            if let last = result.last, edge.low <= last.high {
                result[result.count - 1] = Interval(
                    low: last.low, high: max(last.high, edge.high))
            } else {
                result.append(Interval(low: edge.low, high: edge.high))
            }
        }
        return result
    }

    private static func intersection(_ a: [Interval], _ b: [Interval]) -> [Interval] {
        var result: [Interval] = []
        var i = 0
        var j = 0
        while i < a.count, j < b.count {
            let low = max(a[i].low, b[j].low)
            let high = min(a[i].high, b[j].high)
            if low < high { result.append(Interval(low: low, high: high)) }
            if a[i].high < b[j].high { i += 1 } else { j += 1 }
        }
        return result
    }

    /// Which of the disjoint rising intervals have more than a point in common with `low`…`high`.
    private static func overlapping(
        _ intervals: [Interval], low: Double, high: Double
    ) -> Range<Int> {
        var start = 0
        var end = intervals.count
        while start < end {
            let middle = (start + end) / 2
            if intervals[middle].high > low { end = middle } else { start = middle + 1 }
        }
        var stop = start
        end = intervals.count
        while stop < end {
            let middle = (stop + end) / 2
            if intervals[middle].low < high { stop = middle + 1 } else { end = middle }
        }
        return start..<stop
    }
}
