/// Finds segments near a place: the cells of a grid, each with the segments that pass through it.
package struct RoadGrid: Sendable {
    /// Cells are about as wide as this, m, or wider, so that there are at most four million.
    private static let cellSize = 250.0
    private static let mostCells = 4_000_000.0
    /// Longer pieces between two points are no roads, m, and would fill the grid.
    private static let longestPiece = 20_000.0

    private let network: RoadNetwork
    private let origin: RoadPoint
    /// 1e-7 degrees.
    private let width: Double
    private let height: Double
    private let columns: Int
    private let rows: Int
    /// By cell: where its segments begin in `segments`.
    private let first: [Int32]
    private let segments: [Int32]

    /// Takes time and memory in proportion to the roads.
    package init(_ network: RoadNetwork) {
        var (west, south, east, north) = (Int32.max, Int32.max, Int32.min, Int32.min)
        for index in network.shape {
            let point = network.points[Int(index)]
            (west, east) = (min(west, point.longitude), max(east, point.longitude))
            (south, north) = (min(south, point.latitude), max(north, point.latitude))
        }
        if west > east { (west, south, east, north) = (0, 0, 0, 0) }
        let middle = RoadPoint(
            longitude: west, latitude: Int32((Int64(south) + Int64(north)) / 2))
        let unit = LocalPlane(at: middle).point(at: Offset(east: 1000, north: 1000))
        // At least 1 cm a unit of longitude, also where the plane ends at ±180°.
        let perMetre = (
            max(Double(unit.longitude) - Double(middle.longitude), 90_000) / 1000,
            (Double(unit.latitude) - Double(middle.latitude)) / 1000
        )
        let spans = (Double(east) - Double(west), Double(north) - Double(south))
        let area = spans.0 / perMetre.0 * spans.1 / perMetre.1
        let size = max(
            Self.cellSize, (area / Self.mostCells).squareRoot(),
            max(spans.0 / perMetre.0, spans.1 / perMetre.1) / Self.mostCells * 2)
        (width, height) = (size * perMetre.0, size * perMetre.1)
        columns = Int(spans.0 / width) + 1
        rows = Int(spans.1 / height) + 1
        origin = RoadPoint(longitude: west, latitude: south)
        self.network = network
        (first, segments) = Self.filled(network, origin, width, height, columns, rows, size)
    }

    private static func filled(
        _ network: RoadNetwork, _ origin: RoadPoint, _ width: Double, _ height: Double,
        _ columns: Int, _ rows: Int, _ size: Double
    ) -> ([Int32], [Int32]) {
        func visit(_ segment: RoadSegment, _ body: (Int) -> Void) {
            var last = -1
            for index in Int(segment.first)..<Int(segment.last) {
                let a = network.points[Int(network.shape[index])]
                let b = network.points[Int(network.shape[index + 1])]
                let length = a.distance(to: b)
                if length > longestPiece { continue }
                let steps = Int(length / (size / 2)) + 1
                let dx = Double(b.longitude) - Double(a.longitude)
                let dy = Double(b.latitude) - Double(a.latitude)
                if dx.magnitude > 1.8e9 { continue }
                for step in 0...steps {
                    let share = Double(step) / Double(steps)
                    let x = Double(a.longitude) + share * dx - Double(origin.longitude)
                    let y = Double(a.latitude) + share * dy - Double(origin.latitude)
                    let column = min(max(Int(x / width), 0), columns - 1)
                    let cell = min(max(Int(y / height), 0), rows - 1) * columns + column
                    if cell != last { body(cell) }
                    last = cell
                }
            }
        }
        var first = [Int32](repeating: 0, count: columns * rows + 1)
        for segment in network.segments { visit(segment) { first[$0 + 1] += 1 } }
        for cell in 0..<columns * rows { first[cell + 1] += first[cell] }
        var next = first
        var segments = [Int32](repeating: 0, count: Int(first[columns * rows]))
        for (number, segment) in network.segments.enumerated() {
            visit(segment) {
                segments[Int(next[$0])] = Int32(number)
                next[$0] += 1
            }
        }
        return (first, segments)
    }

    /// The segments that may come as near to a point as this, ascending, each once; at most
    /// `budget`, because a place with a million roads is a mistake of the data.
    /// - Parameter radius: m.
    package func segments(near point: RoadPoint, within radius: Double, budget: Int) -> [Int] {
        var found: [Int] = []
        visit(near: point, within: radius) { segment in
            if found.count < 2 * budget { found.append(segment) }
        }
        return Array(Set(found).sorted().prefix(budget))
    }

    /// Gives the segments of the cells around a point; one may come several times.
    func visit(near point: RoadPoint, within radius: Double, _ body: (Int) -> Void) {
        let corner = LocalPlane(at: point).point(at: Offset(east: -radius, north: -radius))
        let dx = (Double(point.longitude) - Double(corner.longitude)).magnitude + width / 2
        let dy = (Double(point.latitude) - Double(corner.latitude)).magnitude + height / 2
        let x = Double(point.longitude) - Double(origin.longitude)
        let y = Double(point.latitude) - Double(origin.latitude)
        func clamped(_ value: Double, _ count: Int) -> Int {
            Int(max(0, min(value.rounded(.down), Double(count - 1))))
        }
        for row in clamped((y - dy) / height, rows)...clamped((y + dy) / height, rows) {
            for column in clamped((x - dx) / width, columns)...clamped((x + dx) / width, columns) {
                let cell = row * columns + column
                for index in Int(first[cell])..<Int(first[cell + 1]) { body(Int(segments[index])) }
            }
        }
    }
}
