import Bytes
import Engine
import Geodesy

/// How many fences there are in each cell of a grid, counted in portions. Every fence whose bounding
/// box meets that of the grid counts once, where the centre of its box is, or next to it. What is
/// changed meanwhile may be counted or not.
package final class FenceCounting {
    private let catalogue: Catalogue
    private let grid: FenceGrid
    private var course = Course.open
    private var counts: [UInt32]

    private enum Course {
        case open
        /// The cells of the catalogue that are left.
        case cells([Int64])
        /// All of them in the order of their numbers, from the first one after this.
        case all(after: Int64)
        case done
    }

    /// A box that more cells meet is nearly everything.
    private static let mostCells = 4_096
    /// Cells looked at between two looks at the clock.
    private static let stride = 32

    init(_ catalogue: Catalogue, _ grid: FenceGrid) {
        self.catalogue = catalogue
        self.grid = grid
        counts = [UInt32](repeating: 0, count: grid.columns * grid.rows)
    }

    /// Goes on until `isTimeUp` says so; at the end the counts, row by row from the north-west.
    /// - Throws: ``StoreError``; then it is over.
    package func step(until isTimeUp: () -> Bool) throws -> [UInt32]? {
        while true {
            try catalogue.use { try goOn($0) }
            if case .done = course { return counts }
            if isTimeUp() { return nil }
        }
    }

    private func goOn(_ database: Database) throws {
        switch course {
        case .open:
            let cells = try catalogue.cells(
                meeting: grid.box, atMost: Self.mostCells, database)
            course = cells.map { .cells($0) } ?? .all(after: .min)
        case .cells(var rest):
            for _ in 0..<min(Self.stride, rest.count) {
                _ = try database.first(
                    "SELECT number, fences FROM cell WHERE number = ?",
                    .integer(rest.removeLast()), read: count)
            }
            course = rest.isEmpty ? .done : .cells(rest)
        case .all(var last):
            var cells = 0
            try database.rows(
                "SELECT number, fences FROM cell WHERE number > ? ORDER BY number",
                .integer(last)
            ) { row in
                last = row.integer(0)
                cells += 1
                try count(row)
                return cells < Self.stride
            }
            course = cells < Self.stride ? .done : .all(after: last)
        case .done: break
        }
    }

    private func count(_ row: borrowing Row) throws {
        let cell = row.integer(0)
        try row.withBytes(1) { bytes in
            try FenceCell.forEach(bytes, damaged: { catalogue.note($0, of: cell) }) {
                record, _ in
                let circle = try record.plainCircle()
                if let circle, grid.holds(circle.center) {
                    counts[grid.cell(of: circle.center)] &+= 1
                    return
                }
                let box = try record.box()
                guard grid.box.intersects(box) else { return }
                let center = Coordinate(
                    latitude: (box.south + box.north) / 2, longitude: (box.west + box.east) / 2)
                counts[grid.cell(of: circle?.center ?? center)] &+= 1
            }
        }
    }
}
