import Fencing
import Geodesy

/// Puts and removes fences of one origin inside one transaction of the catalogue.
struct CatalogueWriter {
    private let database: Database
    private let origin: Int64
    private let before: Generation
    private var count: Int
    private var changed = 0
    private var removed = 0
    private var seen = RowSet()
    var warnings: [CatalogueNote] = []

    /// Warnings are for a person or a bus message, not for a file of a million doubts.
    static let maximumWarnings = 1_000

    /// A transaction must have begun.
    /// - Parameter floor: the last generation that anybody has seen.
    init(_ database: Database, origin: FenceOrigin, floor: Generation) throws {
        self.database = database
        let state = try database.first("SELECT generation, count FROM state") {
            ($0.number(0), Int($0.integer(1)))
        }
        before = max(state?.0 ?? 0, floor)
        count = state?.1 ?? 0
        let find = "SELECT number FROM origin WHERE name = ?"
        if let number = try database.first(find, .text(origin.name), read: { $0.integer(0) }) {
            self.origin = number
        } else {
            try database.run("INSERT INTO origin (name) VALUES (?)", .text(origin.name))
            self.origin = database.lastInserted
        }
    }

    private var generation: Generation { before + 1 }

    enum Outcome: Equatable {
        case stored
        /// Exactly this is there already.
        case unchanged
        /// The id was put before in this transaction.
        case twice
        /// The id belongs to somebody else; nothing was done.
        case owned(by: FenceOrigin)
    }

    mutating func put(_ fence: Fence) throws -> Outcome {
        let area = AreaCoding.encode(fence.area)
        let stored = try database.first(
            """
            SELECT fence.number, origin, origin.name, dwell, flags, title, description, metadata,
                area
            FROM fence JOIN origin ON origin.number = origin WHERE id = ?
            """, .text(fence.id)
        ) { row in
            let sameArea = row.withBytes(8) { $0.elementsEqual(area) }
            return (
                number: row.integer(0), origin: row.integer(1), owner: row.text(2),
                sameArea: sameArea,
                same: sameArea && row.integer(3) == fence.dwell.nanoseconds
                    && row.integer(4) == fence.flags
                    && row.text(5).utf8.elementsEqual(fence.title.utf8)
                    && row.text(6).utf8.elementsEqual(fence.description.utf8)
                    && row.text(7).utf8.elementsEqual(fence.metadata.utf8)
            )
        }
        guard let stored else {
            let number = try insert(fence, area)
            _ = seen.insert(number)
            return .stored
        }
        guard stored.origin == origin else { return .owned(by: FenceOrigin(name: stored.owner)) }
        guard seen.insert(stored.number) else { return .twice }
        guard !stored.same else { return .unchanged }
        try database.run(
            """
            UPDATE fence SET changed = ?, dwell = ?, flags = ?, title = ?, description = ?,
                metadata = ?, area = ?
            WHERE number = ?
            """, .number(generation), .integer(fence.dwell.nanoseconds), .integer(fence.flags),
            .text(fence.title), .text(fence.description), .text(fence.metadata), .blob(area),
            .integer(stored.number))
        if !stored.sameArea {
            try database.run("DELETE FROM box WHERE number = ?", .integer(stored.number))
            try insertBox(of: fence, stored.number)
        }
        changed += 1
        return .stored
    }

    /// False: there is no such fence of this origin. An id of another origin is told.
    mutating func remove(id: String) throws -> FenceOrigin? {
        let stored = try database.first(
            """
            SELECT fence.number, origin, origin.name
            FROM fence JOIN origin ON origin.number = origin WHERE id = ?
            """, .text(id)
        ) { ($0.integer(0), $0.integer(1), $0.text(2)) }
        guard let (number, owner, name) = stored else { return nil }
        guard owner == origin else { return FenceOrigin(name: name) }
        try remove(number)
        return nil
    }

    /// Removes every fence of this origin that was not put.
    mutating func removeUnseen() throws {
        let find = "SELECT number FROM fence WHERE origin = ? AND number > ? ORDER BY number"
        // In portions: a statement must not run over what is being deleted.
        var last = Int64.min
        while true {
            var portion: [Int64] = []
            try database.rows(find, .integer(origin), .integer(last)) { row in
                last = row.integer(0)
                if !seen.contains(last) { portion.append(last) }
                return portion.count < 1_000
            }
            for number in portion { try remove(number) }
            if portion.count < 1_000 { return }
        }
    }

    /// Writes the new state; the transaction is the caller's to commit.
    func finish() throws -> CatalogueChange {
        let isChanged = changed > 0 || removed > 0
        if isChanged {
            try database.run(
                "UPDATE state SET generation = ?, count = ?", .number(generation),
                .integer(Int64(count)))
        }
        return CatalogueChange(
            generation: isChanged ? generation : before, changed: changed, removed: removed,
            warnings: warnings)
    }

    mutating func warn(_ fence: String, _ reason: String) {
        guard warnings.count < Self.maximumWarnings else { return }
        warnings.append(CatalogueNote(fence: fence, reason: reason))
    }

    private mutating func insert(_ fence: Fence, _ area: [UInt8]) throws -> Int64 {
        try database.run(
            """
            INSERT INTO fence (id, origin, added, changed, dwell, flags, title, description,
                metadata, area)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .text(fence.id), .integer(origin), .number(generation), .number(generation),
            .integer(fence.dwell.nanoseconds), .integer(fence.flags), .text(fence.title),
            .text(fence.description), .text(fence.metadata), .blob(area))
        let number = database.lastInserted
        try insertBox(of: fence, number)
        count += 1
        changed += 1
        return number
    }

    private func insertBox(of fence: Fence, _ number: Int64) throws {
        let box = fence.area.boundingBox
        try database.run(
            "INSERT INTO box (number, west, east, south, north) VALUES (?, ?, ?, ?, ?)",
            .integer(number), .real(box.west), .real(box.east), .real(box.south),
            .real(box.north))
    }

    private mutating func remove(_ number: Int64) throws {
        try database.run("DELETE FROM box WHERE number = ?", .integer(number))
        try database.run("DELETE FROM fence WHERE number = ?", .integer(number))
        count -= 1
        removed += 1
    }
}

extension Fence {
    /// The three flags in one number, as stored.
    var flags: Int64 {
        (notifyOnEntry ? 1 : 0) | (notifyOnExit ? 2 : 0) | (initialEnter ? 4 : 0)
    }
}
