import Fencing
import Geodesy

/// New fences on their way into cells: sorted by where they lie, filled into cells in that order,
/// and their ids into the table of ids in theirs. In portions, and in memory that does not grow
/// with their number.
///
/// Written in the order of a table's key, pages are filled once and to the top: half the room and a
/// tenth of the time of a million insertions here and there.
struct CellLoader {
    /// How many fences were added.
    private(set) var count = 0
    private let places: RunSorter
    private let ids: RunSorter
    private var scratch: [UInt8] = []
    private var stage = Stage.cells
    private var cell = CellBuilder()
    private var idRows: IDRows
    private var lastID: [UInt8] = []

    private enum Stage {
        case cells, ids, done
    }

    /// - Parameter directory: where files may be made to sort in.
    init(directory: String) {
        places = RunSorter(directory: directory)
        ids = RunSorter(directory: directory, suffix: MemoryLayout<Int64>.size)
        idRows = IDRows()
    }

    mutating func add(_ fence: Fence, _ history: FenceRecord.History) throws(StoreError) {
        count += 1
        let key = SpaceKey.of(fence.area.boundingBox)
        try places.append(key: key) {
            FenceRecord.append(fence, slot: 0, history: history, to: &$0)
        }
    }

    /// Goes on with the writing until `isTimeUp` says so; true at the end of it.
    /// - Parameters:
    ///   - loosely: a cell for every fence, see ``CatalogueWriter``.
    ///   - next: the next number that was never given to a fence.
    /// - Throws: ``CatalogueRefusal`` for an id that was added twice; ``StoreError``.
    mutating func write(
        to database: Database, loosely: Bool, next: inout Int64, until isTimeUp: () -> Bool
    ) throws -> Bool {
        while stage == .cells {
            for _ in 0..<64 where stage == .cells {
                let isMore = try places.next { record in
                    if loosely || !cell.hasRoom(for: record.count) {
                        try cell.write(to: database, &next)
                    }
                    let number = next + Int64(cell.count)
                    try cell.append(record)
                    try note(try FenceRecord(record).id(), number)
                }
                guard !isMore else { continue }
                try cell.write(to: database, &next)
                stage = .ids
            }
            if isTimeUp() { return false }
        }
        while stage == .ids {
            for _ in 0..<8 where stage == .ids {
                while idRows.hasRoom, stage == .ids {
                    let isMore = try ids.next { try take(id: $0) }
                    if !isMore { stage = .done }
                }
                try idRows.write(to: database)
            }
            if isTimeUp() { break }
        }
        return stage == .done
    }

    private func note(_ id: UnsafeRawBufferPointer, _ number: Int64) throws(StoreError) {
        var key: UInt64 = 0
        for index in 0..<8 {
            key = key << 8 | (index < id.count ? UInt64(id[index]) : 0)
        }
        try ids.append(key: key) {
            $0.append(contentsOf: id)
            $0.append(raw: number)
        }
    }

    private mutating func take(id entry: UnsafeRawBufferPointer) throws {
        let length = entry.count - MemoryLayout<Int64>.size
        let number = entry.loadUnaligned(fromByteOffset: length, as: Int64.self)
        let id = UnsafeRawBufferPointer(rebasing: entry[..<length])
        guard !id.elementsEqual(lastID) else {
            throw CatalogueRefusal(
                fence: String(decoding: id, as: UTF8.self), reason: "comes twice in one batch")
        }
        lastID.replaceSubrange(0..<lastID.count, with: id)
        idRows.append(id, Int64(littleEndian: number))
    }
}

/// The cell that is being filled.
private struct CellBuilder {
    private(set) var count = 0
    private var bytes: [UInt8] = [FenceCell.version]
    private var box = GeoBox(west: 0, south: 0, east: 0, north: 0)
    private var isFull = false

    func hasRoom(for record: Int) -> Bool {
        guard count > 0 else { return true }
        return !isFull && count < FenceCell.mostFences && record <= FenceCell.mostShared
            && bytes.count + record + 2 <= FenceCell.mostBytes
    }

    mutating func append(_ record: UnsafeRawBufferPointer) throws {
        let added = try FenceRecord(record).box()
        box = count == 0 ? added : box.union(added)
        isFull = record.count > FenceCell.mostShared
        bytes.append(varint: UInt64(record.count))
        // The first byte is the slot.
        bytes.append(UInt8(truncatingIfNeeded: count))
        bytes.append(contentsOf: record.dropFirst())
        count += 1
    }

    mutating func write(to database: Database, _ next: inout Int64) throws {
        guard count > 0 else { return }
        try CellTable.insert(next, bytes, box, into: database)
        next += Int64(count)
        count = 0
        bytes.removeAll(keepingCapacity: true)
        bytes.append(FenceCell.version)
    }
}

/// Rows of the table of ids, written by the dozen: a statement run has its price.
private struct IDRows {
    private static let rows = 64
    private static func sql(_ rows: Int) -> String {
        "INSERT INTO fence (id, number) VALUES "
            + repeatElement("(?, ?)", count: rows).joined(separator: ", ")
    }
    private static let many = sql(rows)
    private static let one = sql(1)

    private var text: [UInt8] = []
    private var ends: [Int] = []
    private var numbers: [Int64] = []

    var hasRoom: Bool { numbers.count < Self.rows }

    mutating func append(_ id: UnsafeRawBufferPointer, _ number: Int64) {
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
