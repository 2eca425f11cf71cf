import Bytes
import CSQLite
package import Model
package import Time

// Who drives. An event has the number of the driver, and one row has the id of that number: whoever is
// forgotten is forgotten with that row, whatever was recorded, and whatever still waits for the disk.

/// A log has as many drivers as it may have.
package struct TooManyDrivers: Error, Hashable {
    /// How many that is.
    package let most: Int
}

/// A driver of whom no event was recorded, if the last one is still that.
struct UnusedDriver: Hashable {
    let number: Int64
    let last: UInt64
}

extension EventLog {
    /// From now on events are recorded with the driver of that id; nil: with none. Durable.
    /// - Parameters:
    ///   - source: who says so.
    ///   - time: when that is, receiver UTC.
    ///   - waiting: how many events with the present driver are still to be committed.
    /// - Throws: ``StoreError``, ``TooManyDrivers``; then the driver is the one of before.
    package func setDriver(
        _ id: String?, by source: DriverSource = .call, at time: UTCTime, waiting: Int = 0
    ) throws {
        mend()
        if let absence = connection.absence { throw absence }
        let isPresent = id.map(ExactText.init) == driver.map { ExactText($0.id) }
        guard !isPresent || !isDriverKept else { return }
        let present = driver
        let last = lastSeq + UInt64(waiting)
        let unused = unusedDriver
        let next = id.map {
            RecordedDriver(
                number: .random(in: 1...Self.greatestNumber), id: $0, firstSet: time, since: time,
                source: source)
        }
        let kept = try connection.use(mending: false) { database -> RecordedDriver? in
            try database.transaction { () -> RecordedDriver? in
                try database.run("DELETE FROM driving")
                if let present, unused == UnusedDriver(number: present.number, last: last) {
                    try Self.rewriteDrivers(database) { $0.number != present.number }
                } else if let present {
                    try database.run(
                        "UPDATE driver SET last_seq = ? WHERE number = ?",
                        .number(last), .integer(present.number))
                }
                return try next.map {
                    try Self.keep($0, atMost: Self.mostDrivers, in: database)
                }
            }
        }
        use(kept)
        let isNew = kept?.number == next?.number
        unusedDriver = isNew ? kept.map { UnusedDriver(number: $0.number, last: last) } : nil
    }

    /// Drivers of one log: those that its events have.
    private static let mostDrivers = 1_000

    /// Deletes the id of that driver from the log, durably: its events have none any more.
    /// - Returns: false if no driver has that id.
    /// - Throws: ``StoreError``; then the call should be repeated.
    package func forgetDriver(_ id: String) throws -> Bool {
        mend()
        if let absence = connection.absence { throw absence }
        return try connection.use(mending: false) { database -> Bool in
            let found = try database.transaction { () -> Bool in
                let number = try database.first(
                    "SELECT number FROM driver WHERE id = ?", .text(id)
                ) { $0.integer(0) }
                guard let number else { return false }
                try database.run("DELETE FROM driving WHERE driver = ?", .integer(number))
                try Self.rewriteDrivers(database) { $0.number != number }
                return true
            }
            if driver?.id.isExactly(id) == true { use(nil) }
            try keepSecond(erasing: true)
            // The write-ahead log has the pages as they were. Also after a call that failed here.
            guard try database.pragma("wal_checkpoint(TRUNCATE)") == 0 else {
                throw StoreError(
                    code: SQLITE_BUSY,
                    message: "forgotten, but the write-ahead log is being read: try again",
                    path: database.path)
            }
            return found
        }
    }

    /// Six bytes in a row of the log.
    private static var greatestNumber: Int64 { 1 << 47 - 1 }

    /// Makes it the present driver of that file.
    /// - Returns: as the file has it: one that was set before keeps its number.
    /// - Throws: ``TooManyDrivers`` where it would be one more than `most`.
    @discardableResult
    static func keep(
        _ driver: RecordedDriver, atMost most: Int = .max, in database: Database
    ) throws -> RecordedDriver {
        var kept = driver
        let known = try database.first(
            "SELECT number, first_set FROM driver WHERE id = ?", .text(driver.id)
        ) { ($0.integer(0), UTCTime(nanoseconds: $0.integer(1))) }
        if let known {
            (kept.number, kept.firstSet) = known
            try database.run(
                "UPDATE driver SET last_seq = NULL WHERE number = ?", .integer(kept.number))
        } else {
            guard try count(database) < most else { throw TooManyDrivers(most: most) }
            try database.run(
                "INSERT INTO driver (number, id, first_set) VALUES (?, ?, ?)",
                .integer(kept.number), .text(kept.id), .integer(kept.firstSet.nanoseconds))
        }
        try database.run(
            "INSERT OR REPLACE INTO driving (only_row, driver, since, source) VALUES (1, ?, ?, ?)",
            .integer(kept.number), .integer(kept.since.nanoseconds), .text(kept.source.rawValue))
        return kept
    }

    /// The present driver of that file; nil if there is none.
    static func driver(in database: Database) throws -> RecordedDriver? {
        try database.first(
            """
            SELECT number, id, first_set, since, source FROM driving
            JOIN driver ON driver.number = driving.driver
            """
        ) { row in
            RecordedDriver(
                number: row.integer(0), id: row.text(1),
                firstSet: UTCTime(nanoseconds: row.integer(2)),
                since: UTCTime(nanoseconds: row.integer(3)),
                source: row.optionalText(4).flatMap(DriverSource.init) ?? .call)
        }
    }

    /// Within a commit. Of events that have waited the driver may be an earlier one.
    func nameDrivers(of logged: inout [LoggedEvent], _ database: Database) throws {
        for index in logged.indices {
            guard let number = logged[index].event.driver else { continue }
            logged[index].driver =
                try number == driver?.number
                ? driver?.id
                : database.first("SELECT id FROM driver WHERE number = ?", .integer(number)) {
                    $0.text(0)
                }
        }
    }

    /// Those of whom the log has no event any more.
    static func removeDrivers(before oldest: UInt64, _ database: Database) throws {
        let hasSome = try database.first(
            "SELECT 1 FROM driver WHERE last_seq < ? LIMIT 1", .number(oldest)
        ) { _ in true }
        guard hasSome != nil else { return }
        guard try count(database) > 2 * mostDrivers else {
            return try rewriteDrivers(database) { $0.last.map { $0 >= oldest } ?? true }
        }
        // An older version kept any number: some of them now, and the rest with what is recorded next.
        try database.run(
            """
            DELETE FROM driver WHERE number IN
                (SELECT number FROM driver WHERE last_seq < ? LIMIT ?)
            """, .number(oldest), .integer(Int64(mostDrivers)))
    }

    private static func count(_ database: Database) throws -> Int {
        try database.first("SELECT count(*) FROM driver") { Int($0.integer(0)) } ?? 0
    }

    private struct DriverRow {
        var number: Int64
        var id: String
        var firstSet: Int64
        var last: UInt64?
    }

    /// Writes the whole table anew, for SQLite may leave what it deletes in pages that it has freed or
    /// split. They are few rows, and rarely.
    private static func rewriteDrivers(
        _ database: Database, keeping isKept: (DriverRow) -> Bool
    ) throws {
        var kept: [DriverRow] = []
        try database.rows("SELECT number, id, first_set, last_seq FROM driver ORDER BY number") {
            let row = DriverRow(
                number: $0.integer(0), id: $0.text(1), firstSet: $0.integer(2),
                last: $0.isNull(3) ? nil : $0.number(3))
            if isKept(row) { kept.append(row) }
            return true
        }
        // Zeros in place of what is deleted, also where that costs a write.
        try database.script("PRAGMA secure_delete=ON")
        defer { try? database.script("PRAGMA secure_delete=FAST") }
        try database.run("DELETE FROM driver")
        for row in kept {
            try database.run(
                "INSERT INTO driver (number, id, first_set, last_seq) VALUES (?, ?, ?, ?)",
                .integer(row.number), .text(row.id), .integer(row.firstSet),
                row.last.map { .number($0) } ?? .null)
        }
    }
}
