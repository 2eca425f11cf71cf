import Bytes

/// The fences of an origin that were there and were not put, cell after cell.
struct UnseenFences {
    /// One with some of them.
    struct Cell {
        var number: Int64
        /// What is left without them; nil for nothing.
        var rest: [UInt8]?
        /// Ids and numbers of those that go.
        var gone: [(id: String, number: Int64)]
    }

    private let database: Database
    private let origin: Int64
    /// The last cell that was looked at; nil at the end, so that those written later are not.
    private var last: Int64? = .min

    private static let cellsAtOnce = 100

    init(of origin: Int64, _ database: Database) {
        self.origin = origin
        self.database = database
    }

    /// Some more; nil at the end.
    /// - Parameter seen: the numbers of those that were put.
    mutating func next(besides seen: RowSet) throws -> [Cell]? {
        guard let last else { return nil }
        var found: [Cell] = []
        var (end, count) = (last, 0)
        try database.rows(
            "SELECT number, fences FROM cell WHERE number > ? ORDER BY number", .integer(last)
        ) { row in
            end = row.integer(0)
            count += 1
            if let cell = try cell(row, besides: seen) { found.append(cell) }
            return count < Self.cellsAtOnce
        }
        self.last = count < Self.cellsAtOnce ? nil : end
        return found
    }

    private func cell(_ row: borrowing Row, besides seen: RowSet) throws -> Cell? {
        let cell = row.integer(0)
        do {
            return try row.withBytes(1) { bytes in
                var gone: [(id: String, number: Int64)] = []
                let rest = try FenceCell.rewritten(bytes, of: cell) { record in
                    let number = cell + Int64(record.slot)
                    guard let history = try? record.history(), history.origin == origin,
                        !seen.contains(number), let id = try? record.id()
                    else { return nil }
                    gone.append((String(decoding: id, as: UTF8.self), number))
                    return []
                }
                // An older program leaves a cell in which there is nothing.
                return gone.isEmpty && rest != nil
                    ? nil : Cell(number: cell, rest: rest, gone: gone)
            }
        } catch is DamagedRecord {
            // An unreadable record may not be ours.
            return nil
        }
    }
}
