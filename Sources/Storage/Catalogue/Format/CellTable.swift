import Bytes
import Geodesy
import Model

/// The rows of cells with their places, and the cell of each fence. The place of a cell is its box;
/// nil for the cell of a beacon fence. That, and the one of a fence whose way is followed, contains
/// nothing else and is in the table `beacon`, by which these are found all at once.
enum CellTable {
    static func insert(
        _ number: Int64, _ bytes: [UInt8], _ box: GeoBox?, isFollowed: Bool,
        into database: Database
    ) throws {
        try database.run(
            "INSERT INTO cell (number, fences) VALUES (?, ?)", .integer(number), .blob(bytes))
        try insertPlace(number, box, isFollowed: isFollowed, into: database)
    }

    static func insertPlace(
        _ number: Int64, _ box: GeoBox?, isFollowed: Bool, into database: Database
    ) throws {
        if box == nil || isFollowed {
            try database.run("INSERT INTO beacon (number) VALUES (?)", .integer(number))
        }
        guard let box else { return }
        try database.run(
            "INSERT INTO box (number, west, east, south, north) VALUES (?, ?, ?, ?, ?)",
            .integer(number), .real(box.west), .real(box.east), .real(box.south),
            .real(box.north))
    }

    static func update(_ number: Int64, _ bytes: [UInt8], in database: Database) throws {
        try database.run(
            "UPDATE cell SET fences = ? WHERE number = ?", .blob(bytes), .integer(number))
    }

    /// What is left of a cell, nil for nothing; its box may be larger than necessary.
    static func replace(_ number: Int64, _ bytes: [UInt8]?, in database: Database) throws {
        if let bytes {
            try update(number, bytes, in: database)
        } else {
            try remove(number, from: database)
        }
    }

    static func remove(_ number: Int64, from database: Database) throws {
        try removePlace(number, from: database)
        try database.run("DELETE FROM cell WHERE number = ?", .integer(number))
    }

    static func removePlace(_ number: Int64, from database: Database) throws {
        try database.run("DELETE FROM box WHERE number = ?", .integer(number))
        try database.run("DELETE FROM beacon WHERE number = ?", .integer(number))
    }

    /// Those of the table `beacon` in which an older program has left no fence but a ``CellProof``.
    static func removeEmptyFoundAtOnce(from database: Database) throws {
        var empty: [Int64] = []
        try database.rows(
            "SELECT beacon.number, fences FROM beacon JOIN cell ON cell.number = beacon.number"
        ) { row in
            let cell = row.integer(0)
            if row.withBytes(1, { FenceCell.isEmpty($0, cell) }) { empty.append(cell) }
            return true
        }
        for cell in empty { try remove(cell, from: database) }
    }

    /// Nil if the R*Tree has no such cell: then it is damaged.
    static func box(_ number: Int64, in database: Database) throws -> GeoBox? {
        try database.first(
            "SELECT west, south, east, north FROM box WHERE number = ?", .integer(number)
        ) { row in
            GeoBox(west: row.real(0), south: row.real(1), east: row.real(2), north: row.real(3))
        }
    }

    /// The number of the fence with that id.
    static func number(id: String, in database: Database) throws -> Int64? {
        try database.first("SELECT number FROM fence WHERE id = ?", .text(id)) {
            $0.integer(0)
        }
    }

    /// Of the ids before and behind one that is not in the table the first that leads to no fence of that
    /// id. Where a row has changed, that of a fence or one that a search for it passes, it is there.
    static func strayID(beside id: String, in database: Database) throws -> String? {
        let before: SQL = "SELECT id, number FROM fence WHERE id < ? ORDER BY id DESC LIMIT 1"
        let behind: SQL = "SELECT id, number FROM fence WHERE id > ? ORDER BY id LIMIT 1"
        for neighbour in [before, behind] {
            let row = try database.first(neighbour, .text(id)) { ($0.text(0), $0.integer(1)) }
            if let (other, number) = row,
                try record(number, other, in: database, { _, _, _ in true }) == nil
            {
                return other
            }
        }
        return nil
    }

    /// The origin with that number, which a record names.
    static func origin(_ number: Int64, in database: Database) throws -> FenceOrigin? {
        try database.first("SELECT name FROM origin WHERE number = ?", .integer(number)) {
            FenceOrigin(name: $0.text(0))
        }
    }

    /// The result of `body` for the cell and the record of the fence with that number and id; nil if
    /// that cannot be read.
    static func record<Result>(
        _ number: Int64, _ id: String, in database: Database,
        _ body: (Int64, ByteView, FenceRecord) throws -> Result
    ) throws -> Result? {
        do {
            return try cell(of: number, in: database) { cell, bytes -> Result in
                // In a cell with a damaged length another record may be found in this one's place.
                guard let record = try FenceCell.record(number - cell, of: bytes, cell),
                    try record.id().elementsEqual(id.utf8)
                else { throw DamagedRecord() }
                return try body(cell, bytes, record)
            }
        } catch is DamagedRecord { return nil }
    }

    /// Reads the cell that holds the fence with this number.
    static func cell<Result>(
        of fence: Int64, in database: Database,
        _ read: (Int64, ByteView) throws -> Result
    ) throws -> Result? {
        try database.first(
            "SELECT number, fences FROM cell WHERE number <= ? ORDER BY number DESC LIMIT 1",
            .integer(fence)
        ) { row in
            let number = row.integer(0)
            return try row.withBytes(1) { try read(number, $0) }
        }
    }
}

extension GeoBox {
    /// The smallest box that holds both; −180…180 if that is as wide as the Earth.
    func union(_ other: GeoBox) -> GeoBox {
        let box = GeoBox(
            west: min(west, other.west), south: min(south, other.south),
            east: max(east, other.east), north: max(north, other.north))
        guard box.east - box.west >= 360 else { return box }
        return GeoBox(west: -180, south: box.south, east: 180, north: box.north)
    }

    /// Whether `other` lies within it, comparing longitudes as written.
    func holds(_ other: GeoBox) -> Bool {
        west <= other.west && other.east <= east && south <= other.south && other.north <= north
    }
}
