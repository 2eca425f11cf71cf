package import Law

// Fences that have ended. They are marked with the event that ended them, and the mark is deleted
// when they were removed from the catalogue, which is another file.
extension EventLog {
    /// The first `limit` fences that have ended, but may still be in the catalogue.
    package func spentFences(limit: Int = .max) throws -> [SpentFence] {
        try connection.use { try Self.spentFences(in: $0, limit: limit) }
    }

    static func spentFences(in database: Database, limit: Int) throws -> [SpentFence] {
        var fences: [SpentFence] = []
        try database.rows(
            "SELECT fence, added FROM spent ORDER BY added, fence LIMIT ?",
            .integer(Int64(limit))
        ) { row in
            fences.append(SpentFence(fence: row.text(0), added: row.number(1)))
            return true
        }
        return fences
    }

    func forget(_ fences: [SpentFence]) throws {
        guard !fences.isEmpty else { return }
        try connection.use { database in
            try database.transaction {
                for fence in fences {
                    try database.run(
                        "DELETE FROM spent WHERE fence = ? AND added = ?", .text(fence.fence),
                        .number(fence.added))
                }
            }
        }
        isSecondBehind = true
    }

    static func insert(_ fence: SpentFence, _ database: Database) throws {
        try database.run(
            "INSERT OR REPLACE INTO spent (fence, added) VALUES (?, ?)", .text(fence.fence),
            .number(fence.added))
    }
}
