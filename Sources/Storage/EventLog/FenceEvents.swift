package import Model

// The events of some fences, by the index of the log: in a log of millions the few of one fence are
// found without reading the others.
extension EventLog {
    /// Those of them that are about one of `fences`, compared by their bytes; a repeated id counts
    /// once. The other events are not read.
    package func events(of fences: [String], after seq: UInt64, limit: Int) throws -> [LoggedEvent]
    {
        guard let after = Int64(exactly: seq), limit > 0 else { return [] }
        return try connection.use { database in
            // The next event of each fence; the least is the next of all.
            var heads: [Int64?] = []
            for fence in fences {
                heads.append(try EventColumns.next(of: fence, after: after, in: database))
            }
            var events: [LoggedEvent] = []
            while events.count < limit, let least = heads.compactMap({ $0 }).min() {
                try database.rows(EventColumns.after, .integer(least - 1), .integer(1)) { row in
                    if let event = EventColumns.read(row) {
                        events.append(event)
                    } else {
                        note(unreadable: row)
                    }
                    return false
                }
                for place in heads.indices where heads[place] == least {
                    heads[place] = try EventColumns.next(
                        of: fences[place], after: least, in: database)
                }
            }
            return events
        }
    }
}

extension EventColumns {
    /// A lookup in `event_by_fence`, which ends with the number.
    static let nextOfFence: SQL =
        "SELECT seq FROM event WHERE fence = ? AND seq > ? ORDER BY seq LIMIT 1"

    fileprivate static func next(
        of fence: String, after seq: Int64, in database: Database
    ) throws -> Int64? {
        try database.first(nextOfFence, .text(fence), .integer(seq)) { $0.integer(0) }
    }
}
