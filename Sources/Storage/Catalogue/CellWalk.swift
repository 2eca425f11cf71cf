import Bytes
import Geodesy

/// The cells that meet a box, or all of them, some at a time.
struct CellWalk {
    private enum Rest {
        case few([Int64])
        /// All in the order of their numbers, beginning after this one.
        case all(after: Int64)
    }

    private var rest: Rest

    /// Above this number of cells a box covers much of the catalogue, which is faster to read in
    /// order.
    private static let mostCells = 4_096
    /// Cells between two looks at the clock.
    private static let stride = 32

    /// - Parameter box: nil for all of them.
    init(meeting box: GeoBox?, of catalogue: Catalogue, _ database: Database) throws {
        let few = try box.flatMap {
            try catalogue.cells(meeting: $0, atMost: Self.mostCells, database)
        }
        rest = few.map { .few($0) } ?? .all(after: .min)
    }

    /// Calls `each` with the number and the bytes of the next cells; false when those were the
    /// last.
    mutating func advance(
        _ database: Database, _ each: (Int64, ByteView) throws -> Void
    ) throws -> Bool {
        switch rest {
        case .few(let cells):
            for cell in cells.suffix(Self.stride) {
                _ = try database.first(
                    "SELECT fences FROM cell WHERE number = ?", .integer(cell)
                ) { row in try row.withBytes(0) { try each(cell, $0) } }
            }
            rest = .few(cells.dropLast(Self.stride))
            return cells.count > Self.stride
        case .all(var last):
            var count = 0
            try database.rows(
                "SELECT number, fences FROM cell WHERE number > ? ORDER BY number",
                .integer(last)
            ) { row in
                last = row.integer(0)
                count += 1
                try row.withBytes(1) { try each(last, $0) }
                return count < Self.stride
            }
            rest = .all(after: last)
            return count == Self.stride
        }
    }
}

extension Catalogue {
    /// Numbers of the cells whose boxes meet `box`; nil if there are more than ``mostCells``.
    fileprivate func cells(
        meeting box: GeoBox, atMost limit: Int, _ database: Database
    ) throws -> [Int64]? {
        var found: Set<Int64> = []
        for turn in turns(of: box) {
            try database.rows(
                """
                SELECT number FROM box
                WHERE west <= ? AND east >= ? AND south <= ? AND north >= ?
                """, .real(box.east + turn), .real(box.west + turn), .real(box.north),
                .real(box.south)
            ) { row in
                found.insert(row.integer(0))
                return found.count <= limit
            }
            if found.count > limit { return nil }
        }
        return found.sorted()
    }
}
