import Glibc

/// Finds roads beside the legs of an approach, in much the same direction.
struct RivalFinder {
    /// m, degrees.
    private static let reach = 40.0
    private static let sharpest = 45.0
    /// Longer lines are looked at in steps of this, m.
    private static let step = 80.0
    /// Comparisons for one approach.
    private static let budget = 2_000_000
    /// Roads beside one step of a leg.
    private static let mostSegments = 2_000

    private let network: RoadNetwork
    private let grid: RoadGrid

    /// A straight line of at most a step.
    private struct Piece {
        let start: Offset
        let end: Offset
        /// Degrees.
        let direction: Double

        var middle: Offset {
            Offset(east: (start.east + end.east) / 2, north: (start.north + end.north) / 2)
        }
    }

    private struct Cell: Hashable {
        let column: Int32
        let row: Int32
    }

    init(_ network: RoadNetwork, _ grid: RoadGrid) {
        self.network = network
        self.grid = grid
    }

    /// Lines of edges, each where it is near a leg; a two-way road may be there twice.
    /// - Parameter own: edges that are no rivals: those of the approach and of the section.
    func rivals(beside legs: [[RoadPoint]], without own: Set<RoadEdge>) -> [[RoadPoint]] {
        guard let origin = legs.first?.first else { return [] }
        let plane = LocalPlane(at: origin)
        var cells: [Cell: [Piece]] = [:]
        var near: Set<Int> = []
        for leg in legs {
            for index in leg.indices.dropLast() {
                for piece in pieces(leg[index], leg[index + 1], plane) {
                    cells[cell(piece.middle), default: []].append(piece)
                    near.formUnion(
                        grid.segments(
                            near: plane.point(at: piece.middle), within: Self.reach + Self.step / 2,
                            budget: Self.mostSegments))
                }
            }
        }
        var budget = Self.budget
        var lines: [[RoadPoint]] = []
        for segment in near.sorted() {
            for isForward in [true, false] {
                let edge = RoadEdge(segment: segment, isForward: isForward)
                guard network.isOpen(edge), !own.contains(edge) else { continue }
                lines += self.lines(of: edge, plane, cells, &budget)
            }
        }
        return lines
    }

    private func lines(
        of edge: RoadEdge, _ plane: LocalPlane, _ cells: [Cell: [Piece]], _ budget: inout Int
    ) -> [[RoadPoint]] {
        let points = network.points(of: edge)
        var lines: [[RoadPoint]] = []
        var line: [RoadPoint] = []
        for index in points.indices.dropLast() {
            let isNear = pieces(points[index], points[index + 1], plane).contains {
                isBesideLeg($0, cells, &budget)
            }
            if isNear {
                if line.isEmpty { line = [points[index]] }
                line.append(points[index + 1])
            } else if !line.isEmpty {
                lines.append(line)
                line = []
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    private func isBesideLeg(
        _ piece: Piece, _ cells: [Cell: [Piece]], _ budget: inout Int
    ) -> Bool {
        let here = cell(piece.middle)
        for row in here.row - 1...here.row + 1 {
            for column in here.column - 1...here.column + 1 {
                for other in cells[Cell(column: column, row: row)] ?? [] {
                    budget -= 1
                    guard budget > 0 else { return false }
                    let angle = turn(from: piece.direction, to: other.direction).magnitude
                    if angle <= Self.sharpest, distance(piece, other) <= Self.reach { return true }
                }
            }
        }
        return false
    }

    private func pieces(_ a: RoadPoint, _ b: RoadPoint, _ plane: LocalPlane) -> [Piece] {
        let (start, end) = (plane.offset(of: a), plane.offset(of: b))
        let delta = Offset(east: end.east - start.east, north: end.north - start.north)
        guard delta.length > 0 else { return [] }
        let direction = atan2(delta.east, delta.north) * 180 / .pi
        let count = min(Int(delta.length / Self.step) + 1, 1000)
        return (0..<count).map { index in
            func at(_ number: Int) -> Offset {
                let share = Double(number) / Double(count)
                return Offset(
                    east: start.east + delta.east * share, north: start.north + delta.north * share)
            }
            return Piece(start: at(index), end: at(index + 1), direction: direction)
        }
    }

    /// So large that what is in reach lies in this cell or one beside it.
    private func cell(_ place: Offset) -> Cell {
        let size = Self.step + Self.reach
        return Cell(
            column: Int32(clamping: Int((place.east / size).rounded(.down))),
            row: Int32(clamping: Int((place.north / size).rounded(.down))))
    }

    /// Between two lines, m; those that cross are less than their ends are apart, and no rivals of
    /// each other at most angles.
    private func distance(_ a: Piece, _ b: Piece) -> Double {
        min(
            min(distance(a.start, b), distance(a.end, b)),
            min(distance(b.start, a), distance(b.end, a)))
    }

    private func distance(_ point: Offset, _ piece: Piece) -> Double {
        let (dx, dy) = (piece.end.east - piece.start.east, piece.end.north - piece.start.north)
        let (x, y) = (point.east - piece.start.east, point.north - piece.start.north)
        let share = max(0, min(1, (x * dx + y * dy) / (dx * dx + dy * dy)))
        return Offset(east: x - share * dx, north: y - share * dy).length
    }
}
