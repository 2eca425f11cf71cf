/// The checks before an area may be stored, so that the engine need not make them: the form of the
/// geometry (``AreaForm``), that its rings do not cross, and that it keeps within a budget.
enum AreaValidation {
    static func check(_ geometry: Geometry, _ budget: inout AreaBudget) throws(AreaError) {
        try budget.takeSteps(0)
        try count(geometry, &budget)
        try AreaForm.check(geometry)
        switch geometry {
        case .circle: break
        case .corridor(let line, _):
            try weigh(UnwrappedRing.layOut(line).points, &budget)
        case .lines(let lines, _):
            for line in lines { try weigh(UnwrappedRing.layOut(line).points, &budget) }
        case .polygons(let polygons):
            var seam = Seam()
            var boxes = RingBoxes()
            for (index, polygon) in polygons.enumerated() {
                let place = AreaForm.place(index, of: polygons)
                let rings = try check(polygon, place, &budget)
                for (number, ring) in rings.enumerated() {
                    seam.add(ring, isHole: number > 0, part: index)
                    boxes.add(ring)
                }
            }
            // Every piece of seam adds a vertex.
            let pieces = seam.pieceCount(atMost: budget.positions)
            try budget.takePosition(pieces)
            try boxes.check(&budget)
        }
    }

    /// The checks that need no look at the numbers.
    private static func count(
        _ geometry: Geometry, _ budget: inout AreaBudget
    ) throws(AreaError) {
        var positions = 0
        switch geometry {
        case .circle: break
        case .corridor(let line, _): positions = line.count
        case .lines(let lines, _):
            for line in lines {
                try budget.takeRing()
                positions += line.count
            }
        case .polygons(let polygons):
            for polygon in polygons {
                for ring in polygon {
                    try budget.takeRing()
                    positions += ring.count
                }
            }
        }
        try budget.takePosition(positions)
        // Their weight is taken off the budget when they are checked.
        budget.positions += positions
    }

    private static func weigh(
        _ points: [SIMD2<Double>], _ budget: inout AreaBudget
    ) throws(AreaError) {
        for (a, b) in zip(points, points.dropFirst()) {
            try budget.takePosition(AreaBudget.weight(from: a, to: b))
        }
    }

    private static func check(
        _ polygon: [[Coordinate]], _ place: String, _ budget: inout AreaBudget
    ) throws(AreaError) -> [UnwrappedRing] {
        func name(_ ring: Int) -> String { place + AreaForm.name(ring) }
        let rings = PolygonShape.unwrap(polygon)
        for (index, ring) in rings.enumerated() {
            guard ring.turns.magnitude <= 1 else {
                throw AreaForm.refuse(name(index), "goes round the Earth more than once")
            }
            try weigh(ring.points, &budget)
            var check = RingCheck(ring, steps: budget.steps)
            if let fault = check.run() { throw AreaForm.refuse(name(index), fault.description) }
            try budget.takeSteps(check.steps)
        }
        guard rings.count > 1 else { return rings }
        // Prepared once for all the holes of the shell.
        var check = HoleCheck(shell: rings[0])
        for hole in rings.indices.dropFirst() {
            if let fault = check.run(rings[hole], steps: budget.steps) {
                throw AreaForm.refuse(name(hole), fault)
            }
        }
        try budget.takeSteps(check.steps)
        return rings
    }
}

/// The boxes of all rings of a geometry. Where many of them overlap, which is not so on real maps,
/// every point-in-polygon query would have to visit each of them.
private struct RingBoxes {
    private struct Box {
        var west = Double.infinity
        var south = Double.infinity
        var east = -Double.infinity
        var north = -Double.infinity
    }

    /// Pairs of rings whose boxes may meet: enough for 300 rings that all meet each other.
    private static let pairs = 50_000
    /// Further pairs for each ring: islands and lakes lie in the box of their mainland.
    private static let pairsEach = 16

    private var boxes: [Box] = []

    mutating func add(_ ring: UnwrappedRing) {
        var box = Box()
        for point in ring.points {
            box.west = min(box.west, point.x)
            box.south = min(box.south, point.y)
            box.east = max(box.east, point.x)
            box.north = max(box.north, point.y)
        }
        boxes.append(box)
    }

    func check(_ budget: inout AreaBudget) throws(AreaError) {
        let sorted = boxes.sorted { $0.south < $1.south }
        var left = Self.pairs + Self.pairsEach * boxes.count
        for (index, box) in sorted.enumerated() {
            for other in sorted[(index + 1)...] {
                guard other.south < box.north else { break }
                try budget.takeSteps(1)
                guard box.west < other.east, other.west < box.east else { continue }
                left -= 1
                guard left >= 0 else {
                    throw AreaError(
                        description: "geometry has too many rings that lie over one another")
                }
            }
        }
    }
}
