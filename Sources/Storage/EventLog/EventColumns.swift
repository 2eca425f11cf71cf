import Engine
import Geodesy
import Time

/// One event as a row.
enum EventColumns {
    // The columns in the order in which `read` and `insert` count them.

    static let after: SQL = """
        SELECT seq, kind, fence, title, time, fix_time, presence, inferred, reason, distance, error,
            speed, course, latitude, longitude, stay, announced, metadata, boot,
            approach, evidence, beacon, terms
        FROM event WHERE seq > ? ORDER BY seq LIMIT ?
        """

    static let lastChange: SQL = """
        SELECT seq, kind, fence, title, time, fix_time, presence, inferred, reason, distance, error,
            speed, course, latitude, longitude, stay, announced, metadata, boot,
            approach, evidence, beacon, terms
        FROM event WHERE fence = ? AND kind IN (1, 2, 4) ORDER BY seq DESC LIMIT 1
        """

    private static let insert: SQL = """
        INSERT INTO event (seq, kind, fence, title, time, fix_time, presence, inferred, reason,
            distance, error, speed, course, latitude, longitude, stay, announced, metadata, boot,
            approach, evidence, beacon, terms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Nil for a row whose kind is no number of a kind. One that is not known, of a newer version,
    /// is passed on.
    static func read(_ row: borrowing Row) -> LoggedEvent? {
        let seq = row.number(0)
        guard let number = UInt32(exactly: row.integer(1)), number > 0 else { return nil }
        let kind = EventKind(rawValue: number)
        var coordinate: Coordinate?
        if let latitude = row.optionalReal(13), let longitude = row.optionalReal(14) {
            coordinate = Coordinate(latitude: latitude, longitude: longitude)
        }
        var event = Event(
            kind: kind, fence: row.optionalText(2), title: row.text(3),
            time: ReceiverTime(nanoseconds: row.integer(4)),
            fixTime: ReceiverTime(nanoseconds: row.integer(5)),
            presence: row.isNull(6)
                ? nil : Presence(rawValue: UInt32(truncatingIfNeeded: row.integer(6))),
            inferred: row.flag(7), distance: row.optionalReal(9), error: row.optionalReal(10),
            speed: row.optionalReal(11), course: row.optionalReal(12), coordinate: coordinate,
            stay: row.isNull(15) ? nil : TimeSpan(nanoseconds: row.integer(15)),
            announced: row.flag(16), metadata: row.text(17),
            approach: row.isNull(19) ? nil : ApproachDetails(bytes: row.bytes(19)),
            evidence: row.isNull(20) ? nil : Evidence(bytes: row.bytes(20)),
            beacon: row.isNull(21) ? nil : BeaconEvidence(bytes: row.bytes(21)))
        event.setReason(row.optionalText(8))
        if !row.isNull(22) { event.terms = TermsDetails(bytes: row.bytes(22)) }
        return LoggedEvent(seq: seq, event: event, bootID: row.optionalText(18))
    }

    static func insert(_ logged: LoggedEvent, into database: Database) throws {
        let event = logged.event
        try database.run(
            insert, .number(logged.seq), .integer(Int64(event.kind.rawValue)), .text(event.fence),
            .text(event.title), .integer(event.time.nanoseconds),
            .integer(event.fixTime.nanoseconds),
            event.presence.map { .integer(Int64($0.rawValue)) } ?? .null,
            .flag(event.inferred), .text(event.reasonName), .real(event.distance),
            .real(event.error), .real(event.speed), .real(event.course),
            .real(event.coordinate?.latitude), .real(event.coordinate?.longitude),
            event.stay.map { .integer($0.nanoseconds) } ?? .null, .flag(event.announced),
            .text(event.metadata), .text(logged.bootID),
            event.approach.map { .blob($0.bytes) } ?? .null,
            event.evidence.map { .blob($0.bytes) } ?? .null,
            event.beacon.map { .blob($0.bytes) } ?? .null,
            event.terms.map { .blob($0.bytes) } ?? .null)
    }
}
