import Geodesy
package import Law
import Model
import Time

// How things stand: what a start continues from.
extension EventLog {
    /// Stays that had begun and not ended at the last commit.
    package func openStays() throws -> [OpenStay] {
        try connection.use { try Self.stays(in: $0) }
    }

    static func stays(in database: Database) throws -> [OpenStay] {
        var stays: [OpenStay] = []
        try database.rows(
            """
            SELECT fence, added, began, dwell_told, stage, manual_until, watch, way FROM stay
            ORDER BY fence
            """
        ) { row in
            var stay = OpenStay(
                fence: row.text(0), added: row.number(1),
                began: UTCTime(nanoseconds: row.integer(2)), dwellTold: row.flag(3),
                stage: ApproachStage(rawValue: UInt8(truncatingIfNeeded: row.integer(4))),
                manualUntil: row.isNull(5) ? nil : UTCTime(nanoseconds: row.integer(5)))
            if !row.isNull(6) { stay.watch = StayWatch(bytes: row.bytes(6)) }
            if !row.isNull(7) { stay.way = StayWay(bytes: row.bytes(7)) }
            stays.append(stay)
            return true
        }
        return stays
    }

    static func earlier(in database: Database) throws -> [EarlierLog] {
        var earlier: [EarlierLog] = []
        try database.rows("SELECT last, log FROM earlier ORDER BY last DESC LIMIT 64") { row in
            earlier.insert(EarlierLog(last: row.number(0), id: row.text(1)), at: 0)
            return true
        }
        return earlier
    }

    static func furtherSinks(in database: Database) throws -> [String: UInt64] {
        var further: [String: UInt64] = [:]
        try database.rows("SELECT name, announced FROM sink LIMIT 64") { row in
            further[row.text(0)] = row.number(1)
            return true
        }
        return further
    }

    /// The last saved position; nil before the first.
    package func lastPosition() throws -> LastPosition? {
        try connection.use { try Self.position(in: $0) }
    }

    static func position(in database: Database) throws -> LastPosition? {
        try database.first("SELECT latitude, longitude, time FROM position") { row in
            LastPosition(
                coordinate: Coordinate(latitude: row.real(0), longitude: row.real(1)),
                time: UTCTime(nanoseconds: row.integer(2)))
        }
    }

    static func insert(_ position: LastPosition, _ database: Database) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO position (only_row, latitude, longitude, time)
            VALUES (1, ?, ?, ?)
            """, .real(position.coordinate.latitude), .real(position.coordinate.longitude),
            .integer(position.time.nanoseconds))
    }

    /// What the odometer showed when a record or a position was last committed; zero before.
    package func driven() throws -> OdometerReading {
        try connection.use { try Self.driven(in: $0) }
    }

    /// What the odometer showed when it was last written; zero where nothing was counted.
    static func driven(in database: Database) throws -> OdometerReading {
        let reading = try database.first("SELECT driven FROM state") { row in
            row.isNull(0) ? nil : OdometerReading(bytes: row.bytes(0))
        }
        return (reading ?? nil) ?? OdometerReading()
    }

    /// The engine's checkpoint of the last commit or ``flush(checkpoint:)``, if it was given there.
    package func checkpoint() throws -> StoredCheckpoint? {
        try connection.use { database in
            try database.first("SELECT boot, engine FROM snapshot") {
                StoredCheckpoint(bootID: $0.optionalText(0), bytes: $0.bytes(1))
            }
        }
    }

    static func insert(_ stay: OpenStay, _ database: Database) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO stay (
                fence, added, began, dwell_told, stage, manual_until, watch, way
            )
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(stay.fence), .number(stay.added), .integer(stay.began.nanoseconds),
            .flag(stay.dwellTold), stay.stage.map { .integer(Int64($0.rawValue)) } ?? .null,
            stay.manualUntil.map { .integer($0.nanoseconds) } ?? .null,
            stay.watch.map { .blob($0.bytes) } ?? .null,
            stay.way.map { .blob($0.bytes) } ?? .null)
    }
}
