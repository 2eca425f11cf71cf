import Bytes
import Geodesy
import Model

/// Loads new fences into cells: sorted by position, packed into cells in that order, and their ids
/// inserted into the table of ids in its order. In portions, with memory that does not grow with
/// their number.
///
/// Written in the order of a table's key, pages are filled once and completely: half the space and
/// a tenth of the time of a million random insertions.
struct CellLoader {
    /// How many fences were added.
    private(set) var count = 0
    /// Of those that were added.
    private(set) var mark = SetMark()
    private var places: RunSorter
    private var ids: RunSorter
    private var record = ByteBuffer()
    private var stage = Stage.cells
    private var cell = CellBuilder()
    private var idRows: IDRows
    private var lastID: [UInt8] = []

    private enum Stage {
        case cells, ids, done
    }

    /// - Parameter directory: for temporary files to sort in.
    init(directory: String) {
        places = RunSorter(directory: directory)
        ids = RunSorter(directory: directory)
        idRows = IDRows()
    }

    mutating func add(_ fence: Fence, _ history: FenceRecord.History) throws {
        count += 1
        record.removeAll()
        FenceRecord.append(fence, slot: 0, history: history, to: &record)
        // Beacon fences at the end.
        let key = fence.area.map { SpaceKey.of($0.boundingBox) } ?? .max
        try places.append(key: key, record.bytes)
        mark += try FenceRecord(record.bytes).mark()
    }

    /// Continues writing until `isTimeUp` returns true; true at the end.
    /// - Parameters:
    ///   - loosely: a cell for every fence, see ``CatalogueWriter``.
    ///   - next: the next number that no fence ever had.
    /// - Throws: ``CatalogueRefusal`` for an id that was added twice; ``StoreError``.
    mutating func write(
        to database: Database, loosely: Bool, next: inout Int64, until isTimeUp: () -> Bool
    ) throws -> Bool {
        while stage == .cells {
            for _ in 0..<64 {
                guard let (record, _) = try places.next() else {
                    try cell.write(to: database, &next)
                    stage = .ids
                    break
                }
                let isAlone = try loosely || FenceRecord(record).isFoundAtOnce()
                if isAlone || !cell.hasRoom(for: record.count) {
                    try cell.write(to: database, &next)
                }
                let number = next + Int64(cell.count)
                try cell.append(record, of: next)
                let id = try FenceRecord(record).id()
                try ids.append(key: Self.key(id), id, number: number)
            }
            if isTimeUp() { return false }
        }
        while stage == .ids {
            for _ in 0..<8 where stage == .ids {
                while idRows.hasRoom {
                    guard let (id, number) = try ids.next() else {
                        stage = .done
                        break
                    }
                    try take(id, number)
                }
                try idRows.write(to: database)
            }
            if isTimeUp() { break }
        }
        return stage == .done
    }

    /// The first eight bytes, which sort like the id.
    private static func key(_ id: ByteView) -> UInt64 {
        if id.count >= 8 { return id.integer(at: 0, as: UInt64.self).byteSwapped }
        var key: UInt64 = 0
        for byte in id { key = key << 8 | UInt64(byte) }
        return key << UInt64(8 * (8 - id.count))
    }

    private mutating func take(_ id: ByteView, _ number: Int64) throws {
        guard !id.elementsEqual(lastID) else {
            throw CatalogueRefusal(
                fence: String(decoding: id, as: UTF8.self), reason: "comes twice in one batch")
        }
        lastID.removeAll(keepingCapacity: true)
        lastID.append(contentsOf: id)
        idRows.append(id, number)
    }
}

/// The cell that is being filled.
private struct CellBuilder {
    private var bytes = CellBytes()
    /// Nil for the cell of a beacon fence.
    private var box: GeoBox?
    private var isFull = false
    /// Of a fence whose way is followed.
    private var isFollowed = false

    var count: Int { bytes.count }

    func hasRoom(for record: Int) -> Bool {
        guard count > 0 else { return true }
        return !isFull && count < FenceCell.mostFences && record <= FenceCell.mostShared
            && bytes.size(with: record) <= FenceCell.mostBytes
    }

    /// - Parameter cell: its number.
    mutating func append(_ record: ByteView, of cell: Int64) throws {
        let fence = try FenceRecord(record)
        let added = try fence.box()
        isFollowed = try fence.isFollowed()
        box = count == 0 ? added : added.flatMap { box?.union($0) }
        isFull = added == nil || isFollowed || record.count > FenceCell.mostShared
        bytes.append(record, of: cell, slot: UInt8(truncatingIfNeeded: count))
    }

    mutating func write(to database: Database, _ next: inout Int64) throws {
        guard count > 0 else { return }
        try CellTable.insert(
            next, bytes.bytes(of: next), box, isFollowed: isFollowed, into: database)
        next += Int64(count)
        bytes.removeAll()
    }
}

/// Rows of the table of ids, inserted several at a time: each run of a statement has a cost.
private struct IDRows {
    private static let rows = 64
    private static let many: SQL = """
        INSERT INTO fence (id, number) VALUES
            (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?),
            (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?),
            (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?),
            (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?),
            (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?),
            (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?),
            (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?),
            (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?), (?,?)
        """
    private static let one: SQL = "INSERT INTO fence (id, number) VALUES (?, ?)"

    private var text: [UInt8] = []
    private var ends: [Int] = []
    private var numbers: [Int64] = []

    var hasRoom: Bool { numbers.count < Self.rows }

    mutating func append(_ id: ByteView, _ number: Int64) {
        text.append(contentsOf: id)
        ends.append(text.count)
        numbers.append(number)
    }

    mutating func write(to database: Database) throws {
        defer {
            text.removeAll(keepingCapacity: true)
            ends.removeAll(keepingCapacity: true)
            numbers.removeAll(keepingCapacity: true)
        }
        if numbers.count == Self.rows {
            return try database.run(Self.many, text: text, ends: ends, numbers: numbers[...])
        }
        var start = 0
        for (index, end) in ends.enumerated() {
            try database.run(
                Self.one, text: Array(text[start..<end]), ends: [end - start],
                numbers: numbers[index...index])
            start = end
        }
    }
}
