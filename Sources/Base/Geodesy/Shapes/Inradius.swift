/// The largest inscribed circle of one part of a shape, by the method of Mapbox's polylabel: cells
/// of longitude and latitude, the most promising first, halved until none can hold a centre that is
/// better by more than the tolerance.
struct Inradius {
    let shape: PolygonShape
    let part: Int
    private let members: Range<Int>
    private var heap: [Cell] = []
    /// m
    private(set) var best = 0.0
    private var questions = 0
    /// Steps used, see ``AreaBudget/steps``.
    private(set) var steps = 0
    private let limit: Int

    /// The result is at most this much too small, relative.
    private static var tolerance: Double { 0.001 }
    /// Cells visited at most: the search in a long sliver ends with the best so far.
    private static var budget: Int { 4_000 }

    private struct Cell {
        let center: SIMD2<Double>
        let half: SIMD2<Double>
        /// Upper bound of the depth of the points of the cell, m.
        let promise: Double
        /// Halving it from west to east lowers the bound more than from south to north.
        let isSplitWest: Bool
    }

    /// - Parameter limit: steps after which the search ends with the best so far.
    init(_ shape: PolygonShape, part: Int, steps limit: Int) {
        self.limit = limit
        self.shape = shape
        self.part = part
        members = shape.members(of: part)
    }

    mutating func run() -> Double {
        for polygon in members {
            guard let shell = shape.polygons[polygon].rings.first else { continue }
            let ring = shape.rings[shell]
            push(
                SIMD2((ring.west + ring.east) / 2, (ring.south + ring.north) / 2),
                SIMD2((ring.east - ring.west) / 2, (ring.north - ring.south) / 2))
        }
        while let cell = pop(), questions < Self.budget, steps < limit {
            guard cell.promise > best * (1 + Self.tolerance) else { break }
            if cell.isSplitWest {
                let half = SIMD2(cell.half.x / 2, cell.half.y)
                push(SIMD2(cell.center.x - half.x, cell.center.y), half)
                push(SIMD2(cell.center.x + half.x, cell.center.y), half)
            } else {
                let half = SIMD2(cell.half.x, cell.half.y / 2)
                push(SIMD2(cell.center.x, cell.center.y - half.y), half)
                push(SIMD2(cell.center.x, cell.center.y + half.y), half)
            }
        }
        return best
    }

    private mutating func depth(
        _ center: SIMD2<Double>
    ) -> (depth: Double, point: SurfacePoint, edge: Int) {
        questions += 1
        let point = SurfacePoint(Coordinate(latitude: center.y, longitude: center.x))
        let found = shape.signedDistance(point, part: part, polygons: members)
        // The steps of the distance and of the side.
        steps += found.steps + 32
        return (-found.distance, point, found.edge)
    }

    private mutating func push(_ center: SIMD2<Double>, _ half: SIMD2<Double>) {
        let (depth, point, edge) = depth(center)
        let width = Self.width(center, half)
        let height = Self.height(half)
        let reach = min((width * width + height * height).squareRoot(), Ellipsoid.farthest)
        if depth > best {
            best = depth
            climb(center, half)
        }
        var promise = depth + reach
        var isSplitWest = width > height
        if depth > 0, edge >= 0, reach < 20_000, promise > best * (1 + Self.tolerance) {
            let walls = DepthBound(shape, part: part, nearest: edge, of: point, reach: reach)
            promise = min(promise, walls.worst(width, height))
            isSplitWest = walls.worst(width / 2, height) < walls.worst(width, height / 2)
        }
        guard promise > best * (1 + Self.tolerance) else { return }
        heap.append(
            Cell(
                center: center, half: half, promise: promise, isSplitWest: isSplitWest))
        var child = heap.count - 1
        while child > 0, heap[(child - 1) / 2].promise < heap[child].promise {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Moves a new best centre uphill, so that cells that cannot be better are dropped early.
    private mutating func climb(_ center: SIMD2<Double>, _ half: SIMD2<Double>) {
        var center = center
        var step = half * 0.5
        for _ in 0..<8 {
            var moved = false
            for move in [
                SIMD2(step.x, 0), SIMD2(-step.x, 0), SIMD2(0, step.y), SIMD2(0, -step.y),
            ] {
                let next = center + move
                guard next.y.magnitude <= 90, steps < limit else { continue }
                let depth = depth(next).depth
                if depth > best {
                    best = depth
                    center = next
                    moved = true
                }
            }
            if !moved { step *= 0.5 }
        }
    }

    private mutating func pop() -> Cell? {
        guard let top = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return top }
        heap[0] = last
        var parent = 0
        while true {
            var largest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].promise > heap[largest].promise {
                largest = child
            }
            if largest == parent { break }
            heap.swapAt(parent, largest)
            parent = largest
        }
        return top
    }

    /// Half the extent of a cell from west to east, not too small, m.
    private static func width(_ center: SIMD2<Double>, _ half: SIMD2<Double>) -> Double {
        let nearest = max(center.y.magnitude - half.y, 0)
        // cos φ ≤ 1 − φ²/2 + φ⁴/24, without a call.
        let phi = nearest * Ellipsoid.radiansPerDegree
        let cosine = 1 - phi * phi / 2 * (1 - phi * phi / 12)
        return Ellipsoid.greatestRadius * half.x * Ellipsoid.radiansPerDegree * cosine
    }

    private static func height(_ half: SIMD2<Double>) -> Double {
        Ellipsoid.greatestRadius * half.y * Ellipsoid.radiansPerDegree
    }
}

extension PolygonShape {
    /// Inradius of every part, m, to 1 % as far as the steps allow; and the steps used. Later parts
    /// may use what earlier ones have left.
    func inradii(steps: Int) -> (inradii: [Double], steps: Int) {
        var left = steps
        var used = 0
        let inradii = parts.indices.map { part in
            var search = Inradius(self, part: part, steps: left / (parts.count - part))
            let found = search.run()
            left = max(left - search.steps, 0)
            used += search.steps
            return found > 0 ? found : leastInradius(of: part)
        }
        return (inradii, used)
    }

    /// For a sliver in which no point was found, m: the inradius is not below area / length of the
    /// boundary (Bonnesen). 0 for a part without a measurable area.
    private func leastInradius(of part: Int) -> Double {
        var area = 0.0
        for polygon in polygons[members(of: part)] {
            for index in polygon.rings {
                let edges = rings[index].edges
                guard !edges.isEmpty else { continue }
                let size = SurfaceArea.ring(table.planar[edges.lowerBound...edges.upperBound])
                area += index == polygon.rings.lowerBound ? size : -size
            }
        }
        var length = 0.0
        for edge in parts[part] where table.isBoundary(edge) {
            length += Ellipsoid.distance(table.ecef[edge], table.ecef[edge + 1])
        }
        return length > 0 && area > 0 ? area / length : 0
    }
}
