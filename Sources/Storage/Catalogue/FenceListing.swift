import Bytes
import Engine
import Geodesy

/// A page of the fences that a filter lets through, by id as UTF-8 bytes. It is made in portions,
/// for one fence in a million may be meant. A fence that is changed meanwhile is in it as it was or
/// as it is.
package final class FenceListing {
    private let catalogue: Catalogue
    private let filter: FenceFilter
    private let limit: Int
    /// Fences that still are to be passed over.
    private var offset: Int
    private var course = Course.open
    /// The number of the filter's origin.
    private var origin: Int64?
    private var fences: [StoredFence] = []
    /// Bytes of their records.
    private var size = 0

    private enum Course {
        /// Not begun.
        case open
        /// The few cells that are left, and the fences in others: sorted at the end.
        case cells([Int64], found: [Found])
        /// By id, from the first one after this.
        case ids(after: String)
        case done
    }

    private struct Found {
        var id: String
        var number: Int64
    }

    /// A box of more cells is walked through by id: where many fences meet it they come soon.
    private static let mostCells = 512
    /// Fences looked at between two looks at the clock.
    private static let stride = 64
    private let after: String

    init(
        _ catalogue: Catalogue, _ filter: FenceFilter, after: String, offset: Int, limit: Int
    ) {
        self.catalogue = catalogue
        self.filter = filter
        self.after = after
        self.offset = max(offset, 0)
        self.limit = max(limit, 0)
    }

    /// Goes on until `isTimeUp` says so; the page once it is whole. There are fewer than `limit`
    /// where they are large; none only at the end.
    /// - Throws: ``StoreError``; then it is over.
    package func step(until isTimeUp: () -> Bool) throws -> [StoredFence]? {
        while true {
            try catalogue.use { try goOn($0) }
            if case .done = course { return fences }
            if isTimeUp() { return nil }
        }
    }

    private func goOn(_ database: Database) throws {
        switch course {
        case .open: course = try begin(database)
        case .cells(var rest, var found):
            guard let cell = rest.popLast() else {
                try finish(found, database)
                course = .done
                return
            }
            // Lest the array be copied with every cell.
            course = .done
            try look(at: cell, database, &found)
            course = .cells(rest, found: found)
        case .ids(let last): course = try walk(from: last, database)
        case .done: break
        }
    }

    private func begin(_ database: Database) throws -> Course {
        guard limit > 0 else { return .done }
        if let wanted = filter.origin {
            origin = try database.first(
                "SELECT number FROM origin WHERE name = ?", .text(wanted.name)
            ) { $0.integer(0) }
            if origin == nil { return .done }
        }
        if let box = filter.within,
            let cells = try catalogue.cells(meeting: box, atMost: Self.mostCells, database)
        {
            return .cells(cells, found: [])
        }
        return .ids(after: after)
    }

    private func look(
        at cell: Int64, _ database: Database, _ found: inout [Found]
    ) throws {
        _ = try database.first(
            "SELECT fences FROM cell WHERE number = ?", .integer(cell)
        ) { row in
            try row.withBytes(0) { bytes in
                try FenceCell.forEach(bytes, damaged: { catalogue.note($0, of: cell) }) {
                    record, _ in
                    guard try admits(record) else { return }
                    let id = try record.id().text
                    guard after.utf8.lexicographicallyPrecedes(id.utf8) else { return }
                    found.append(Found(id: id, number: cell + Int64(record.slot)))
                }
            }
        }
    }

    private func finish(_ found: [Found], _ database: Database) throws {
        let sorted = found.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        for fence in sorted.dropFirst(offset) {
            guard try take(fence.id, fence.number, database) else { return }
        }
    }

    private func walk(from last: String, _ database: Database) throws -> Course {
        var some: [Found] = []
        try database.rows(
            "SELECT id, number FROM fence WHERE id > ? ORDER BY id LIMIT ?", .text(last),
            .integer(Int64(Self.stride))
        ) { row in
            some.append(Found(id: row.text(0), number: row.integer(1)))
            return true
        }
        for fence in some where try isAdmitted(fence, database) {
            if offset > 0 {
                offset -= 1
            } else if try !take(fence.id, fence.number, database) {
                return .done
            }
        }
        guard let end = some.last, some.count == Self.stride else { return .done }
        return .ids(after: end.id)
    }

    /// What cannot be read is noted by ``take(_:_:_:)``, should it be wanted.
    private func isAdmitted(_ fence: Found, _ database: Database) throws -> Bool {
        let admitted = try? CellTable.cell(of: fence.number, in: database) { cell, bytes in
            try FenceCell.record(fence.number - cell, of: bytes).map { try admits($0) }
        }
        return (admitted ?? nil) == true
    }

    private func admits(_ record: FenceRecord) throws(DamagedRecord) -> Bool {
        if let origin, try record.history().origin != origin { return false }
        guard let box = filter.within else { return true }
        return try box.intersects(record.box())
    }

    /// False: the page is full.
    private func take(_ id: String, _ number: Int64, _ database: Database) throws -> Bool {
        let fence = try catalogue.stored(number, id, database, isLent: true, size: &size)
        if let fence { fences.append(fence) }
        return fences.count < limit && (size <= Catalogue.longestPage || fences.isEmpty)
    }
}

extension Catalogue {
    /// Numbers of the cells whose boxes meet `box`; nil where there are more of them.
    func cells(
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
        return Array(found)
    }
}
