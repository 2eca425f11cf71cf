import Bytes
import Geodesy
import Model

/// Whether the records of a catalogue are the sets that were accepted, and are found by what stands
/// beside them: one pass over all of it, in a process of its own.
struct CatalogueCheck {
    /// What is not as it should be, in words; origins with how many of their fences there are.
    private(set) var flaws: [String] = []
    private var numbers = CatalogueNumbers()
    /// Sums over the ids and numbers of fences: of the records, less those of the table of ids.
    private var ids: UInt64 = 0
    private var damaged = 0
    private var misplaced = 0

    /// At most this number of flaws is named.
    private static let most = 20
    /// Cells between two pauses.
    private static let stride = 32

    /// - Parameter pause: called every few milliseconds.
    init(_ database: Database, pause: () -> Void = {}) throws {
        // All of it is of one state.
        try database.script("BEGIN")
        var (cells, rows) = (0, 0)
        try database.rows(
            """
            SELECT cell.number, fences, box.number, west, south, east, north, beacon.number
            FROM cell LEFT JOIN box ON box.number = cell.number
                LEFT JOIN beacon ON beacon.number = cell.number
            """
        ) { row in
            let cell = row.integer(0)
            let box =
                row.isNull(2)
                ? nil
                : GeoBox(
                    west: row.real(3), south: row.real(4), east: row.real(5), north: row.real(6))
            let place = CellPlace(box: box, isFoundAtOnce: !row.isNull(7))
            try row.withBytes(1) { try look(at: $0, of: cell, at: place) }
            cells += 1
            if cells % Self.stride == 0 { pause() }
            return true
        }
        try database.rows("SELECT id, number FROM fence") { row in
            let number = row.integer(1)
            row.withBytes(0) { ids &-= Self.mark($0, number) }
            rows += 1
            if rows % (64 * Self.stride) == 0 { pause() }
            return true
        }
        if damaged > 0 { flaws.append("records not as they were written: \(damaged)") }
        if misplaced > 0 { flaws.append("cells not where their fences are: \(misplaced)") }
        if ids != 0 { flaws.append("ids do not lead to their fences") }
        try compare(database)
        try database.script("COMMIT")
    }

    private mutating func look(
        at bytes: ByteView, of cell: Int64, at place: CellPlace
    ) throws {
        var expected = CellPlace()
        try FenceCell.forEach(bytes, of: cell, damaged: { _ in damaged += 1 }) { record, _ in
            if !record.isProven { _ = try Self.decoded(record) }
            try numbers.count(record, in: cell)
            ids &+= Self.mark(try record.id(), cell + Int64(record.slot))
            try expected.add(record)
        }
        if !place.serves(expected) { misplaced += 1 }
    }

    /// - Throws: ``DamagedRecord``
    private static func decoded(_ record: FenceRecord) throws -> Fence {
        do { return try record.fence().fence } catch { throw DamagedRecord() }
    }

    private static func mark(_ id: ByteView, _ number: Int64) -> UInt64 {
        FNV1a.mixed(FNV1a.hash64(wordsOf: id, seed: UInt64(bitPattern: number)))
    }

    private mutating func compare(_ database: Database) throws {
        try database.rows("SELECT number, name, accepted, sum, hazards, fences FROM origin") {
            row in
            let found = numbers.mark(of: row.integer(0))
            let contents = SetContents(row, from: 2)
            guard !contents.isMade(of: found), flaws.count < Self.most else { return true }
            let name = FenceOrigin(name: row.text(1))
            flaws.append(
                found.count == contents.fences
                    ? "fences of \(name) are not those that were accepted: some of \(found.count)"
                    : "fences of \(name): \(found.count), of \(contents.fences)")
            return true
        }
    }
}

/// By what a cell is found.
struct CellPlace {
    /// Holds its fences; nil if they have no place.
    var box: GeoBox?
    /// It is among those that are found at once, see ``CellTable``.
    var isFoundAtOnce = false
    private var isEmpty = true

    init() {}

    init(box: GeoBox?, isFoundAtOnce: Bool) {
        (self.box, self.isFoundAtOnce) = (box, isFoundAtOnce)
    }

    /// One more fence of the cell.
    mutating func add(_ record: FenceRecord) throws {
        let added = try record.box()
        box = isEmpty ? added : added.flatMap { box?.union($0) }
        if isEmpty { isFoundAtOnce = try record.isFoundAtOnce() }
        isEmpty = false
    }

    /// Whether a cell at this place is found wherever one is wanted whose fences are at `other`.
    func serves(_ other: CellPlace) -> Bool {
        if other.isEmpty { return true }
        guard isFoundAtOnce == other.isFoundAtOnce else { return false }
        guard let wanted = other.box else { return true }
        return box?.holds(wanted.reduced(by: Self.slack)) ?? false
    }

    /// Degrees: two metres. Boxes of the same circle are measured in two ways.
    private static let slack = 2e-5
}

extension GeoBox {
    fileprivate func reduced(by slack: Double) -> GeoBox {
        GeoBox(
            west: west + slack, south: south + slack, east: east - slack, north: north - slack)
    }
}

extension SetContents {
    /// Whether a set of which these records are there is as it was accepted. Where some have ended, it
    /// is known of them only how many they are.
    func isMade(of found: SetMark) -> Bool {
        fences == found.count && (mark == found || fences < mark.count)
    }
}
