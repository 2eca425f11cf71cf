import Geodesy

/// Makes the graph from ways and the positions of their nodes.
struct NetworkBuilder {
    private let collector: WayCollector
    private let collected: [CollectedWay]
    /// Ids of nodes, ascending; as many as points.
    private let ids: [Int64]
    private let points: [RoadPoint]
    /// Which point stands for one; empty while each stands for itself.
    private var substitutes: [Int32] = []
    private var missing = 0

    private var ways: [RoadWay] = []
    private var shape: [Int32] = []
    /// Pieces of ways without missing nodes: the way, and the range of `shape`.
    private var runs: [(way: Int32, first: Int32, last: Int32)] = []
    /// Points next to missing nodes.
    private var cutPoints: Set<Int32> = []
    private var railwayBridges: [[RoadPoint]] = []
    /// By way: its limits.
    private var restricted: [RestrictedObject] = []

    init(collector: WayCollector, ways: [CollectedWay], ids: [Int64], points: [RoadPoint]) {
        (self.collector, collected, self.ids, self.points) = (collector, ways, ids, points)
    }

    mutating func build(nodes: [NodeCollector.Node], duplicates: Int) -> Extract {
        for way in collected { add(way) }
        joinEqualPoints()
        let vertexOf = vertices(nodes)
        let (segments, vertexPoints) = segments(vertexOf)
        let (first, leaving) = incidence(segments, vertexPoints.count)
        let cut = cutVertices(vertexOf, vertexPoints, first)
        for node in nodes {
            let vertex = vertexOf[Int(substitute(Int32(node.index)))]
            guard vertex >= 0 else { continue }
            restricted.append(
                RestrictedObject(
                    place: .node(id: node.id, vertex: Int(vertex)), tags: node.tags,
                    timestamp: node.timestamp))
        }
        let rules = turnRules(vertexOf, segments, first, leaving)
        return Extract(
            network: RoadNetwork(
                ways: ways, segments: segments, points: points, shape: shape,
                vertexPoints: vertexPoints, firstLeaving: first, leaving: leaving,
                cutVertices: cut, turnRules: rules, names: collector.names),
            restricted: restricted, railwayBridges: railwayBridges, missingNodes: missing,
            duplicates: duplicates)
    }

    private func index(_ id: Int64) -> Int32 {
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return Int32(low)
    }

    private func isKnown(_ point: Int32) -> Bool { points[Int(point)].longitude != .max }

    private mutating func add(_ way: CollectedWay) {
        let line = collector.nodes[way.first..<way.first + way.count].map { index($0) }
        guard let road = way.road else {
            let known = line.filter { isKnown($0) }.map { points[Int($0)] }
            if known.count >= 2 { railwayBridges.append(known) }
            return
        }
        let number = Int32(ways.count)
        var begin = 0
        var hasRun = false
        while begin < line.count {
            guard isKnown(line[begin]) else {
                missing += 1
                begin += 1
                continue
            }
            let end = line[begin...].firstIndex { !isKnown($0) } ?? line.count
            if begin > 0 { cutPoints.insert(line[begin]) }
            if end < line.count { cutPoints.insert(line[end - 1]) }
            if end - begin >= 2 {
                runs.append((number, Int32(shape.count), Int32(shape.count + end - begin - 1)))
                shape += line[begin..<end]
                hasRun = true
            }
            begin = end
        }
        guard hasRun else { return }
        ways.append(road)
        if way.limits >= 0 {
            restricted.append(
                RestrictedObject(
                    place: .way(Int(number)), tags: collector.limits[Int(way.limits)],
                    timestamp: road.timestamp))
        }
    }

    /// Neighbours on a way at the same position become one point, so that no edge has the length 0.
    private mutating func joinEqualPoints() {
        for run in runs {
            for index in Int(run.first)..<Int(run.last) {
                let (a, b) = (shape[index], shape[index + 1])
                guard a != b, points[Int(a)] == points[Int(b)] else { continue }
                if substitutes.isEmpty { substitutes = Array(0..<Int32(points.count)) }
                let (x, y) = (root(a), root(b))
                substitutes[Int(max(x, y))] = min(x, y)
            }
        }
        // No point stands for a later one, so one pass leads every point to the last of its chain.
        for point in substitutes.indices {
            substitutes[point] = substitutes[Int(substitutes[point])]
        }
        var (kept, filled): ([(way: Int32, first: Int32, last: Int32)], Int) = ([], 0)
        kept.reserveCapacity(runs.count)
        for run in runs {
            let start = filled
            for index in Int(run.first)...Int(run.last) {
                let point = substitute(shape[index])
                if filled > start, shape[filled - 1] == point { continue }
                shape[filled] = point
                filled += 1
            }
            if filled - start >= 2 {
                kept.append((run.way, Int32(start), Int32(filled - 1)))
            } else {
                filled = start
            }
        }
        shape.removeLast(shape.count - filled)
        runs = kept
    }

    private mutating func root(_ point: Int32) -> Int32 {
        var point = point
        while substitutes[Int(point)] != point {
            // Halves the path for the next search.
            substitutes[Int(point)] = substitutes[Int(substitutes[Int(point)])]
            point = substitutes[Int(point)]
        }
        return point
    }

    private func substitute(_ point: Int32) -> Int32 {
        substitutes.isEmpty ? point : substitutes[Int(point)]
    }

    /// By point: its vertex, or -1.
    private func vertices(_ nodes: [NodeCollector.Node]) -> [Int32] {
        var uses = [UInt8](repeating: 0, count: points.count)
        for run in runs {
            uses[Int(shape[Int(run.first)])] = 2
            uses[Int(shape[Int(run.last)])] = 2
            for index in Int(run.first)..<Int(run.last) {
                let point = Int(shape[index])
                uses[point] = min(uses[point] + 1, 2)
            }
        }
        for node in nodes {
            let point = Int(substitute(Int32(node.index)))
            if uses[point] > 0 { uses[point] = 2 }
        }
        var vertices = [Int32](repeating: -1, count: points.count)
        var count: Int32 = 0
        for point in uses.indices where uses[point] == 2 {
            vertices[point] = count
            count += 1
        }
        return vertices
    }

    private func segments(_ vertexOf: [Int32]) -> ([RoadSegment], [Int32]) {
        var vertexPoints: [Int32] = []
        for point in vertexOf.indices where vertexOf[point] >= 0 {
            vertexPoints.append(Int32(point))
        }
        var segments: [RoadSegment] = []
        for run in runs {
            var begin = Int(run.first)
            var length = 0.0
            for index in begin + 1...Int(run.last) {
                let (before, point) = (Int(shape[index - 1]), Int(shape[index]))
                length += points[before].distance(to: points[point])
                guard vertexOf[point] >= 0 else { continue }
                segments.append(
                    RoadSegment(
                        from: vertexOf[Int(shape[begin])], to: vertexOf[point], way: run.way,
                        first: Int32(begin), last: Int32(index), length: Float(length)))
                (begin, length) = (index, 0)
            }
        }
        return (segments, vertexPoints)
    }

    private func incidence(_ segments: [RoadSegment], _ vertices: Int) -> ([Int32], [RoadEdge]) {
        var first = [Int32](repeating: 0, count: vertices + 1)
        for segment in segments {
            first[Int(segment.from) + 1] += 1
            first[Int(segment.to) + 1] += 1
        }
        for vertex in 0..<vertices { first[vertex + 1] += first[vertex] }
        var next = first
        var leaving = [RoadEdge](repeating: RoadEdge(number: 0), count: segments.count * 2)
        for (number, segment) in segments.enumerated() {
            for (vertex, isForward) in [(segment.from, true), (segment.to, false)] {
                leaving[Int(next[Int(vertex)])] = RoadEdge(segment: number, isForward: isForward)
                next[Int(vertex)] += 1
            }
        }
        return (first, leaving)
    }

    /// Beside missing nodes, and dead ends at the border of the files' boxes or outside them.
    private func cutVertices(
        _ vertexOf: [Int32], _ vertexPoints: [Int32], _ first: [Int32]
    ) -> Set<Int32> {
        var cut = Set(cutPoints.map { vertexOf[Int(substitute($0))] }.filter { $0 >= 0 })
        // About 30 m.
        let margin = 3e-4
        for vertex in vertexPoints.indices where first[vertex + 1] - first[vertex] == 1 {
            let place = points[Int(vertexPoints[vertex])].coordinate
            let isInside = collector.boxes.contains {
                place.longitude > $0.x + margin && place.longitude < $0.z - margin
                    && place.latitude > $0.y + margin && place.latitude < $0.w - margin
            }
            if !collector.boxes.isEmpty, !isInside { cut.insert(Int32(vertex)) }
        }
        return cut
    }

    /// Those whose two ways meet at their node.
    private func turnRules(
        _ vertexOf: [Int32], _ segments: [RoadSegment], _ first: [Int32], _ leaving: [RoadEdge]
    ) -> [Int32: [TurnRule]] {
        var rules: [Int32: [TurnRule]] = [:]
        for restriction in collector.restrictions {
            let point = index(restriction.via)
            guard point < ids.count, ids[Int(point)] == restriction.via else { continue }
            let vertex = vertexOf[Int(substitute(point))]
            let isOnly = restriction.kind.hasPrefix("only_")
            guard vertex >= 0, isOnly || restriction.kind.hasPrefix("no_") else { continue }
            let edges = leaving[Int(first[Int(vertex)])..<Int(first[Int(vertex) + 1])]
            let here = Set(edges.map { ways[Int(segments[$0.segment].way)].id })
            guard here.contains(restriction.from), here.contains(restriction.to) else { continue }
            rules[vertex, default: []].append(
                TurnRule(
                    kind: isOnly ? .only : .forbidden, from: restriction.from, to: restriction.to))
        }
        return rules
    }
}
