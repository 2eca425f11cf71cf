import Geodesy
import Law
import Model
import Time

extension DatabaseFormat {
    /// The file of the event log: `events.sqlite`.
    static let events = DatabaseFormat(
        // "GeoE"
        applicationID: 0x4765_6F45,
        schema: .events, version: 18,
        isAdditive: true,
        probe: """
            SELECT only_row, last, announced, known, position_lost, fences_lost, driven, log_lost, log_lost_at,
                stays_doubted FROM state;
            SELECT seq, kind, fence, title, time, fix_time, presence, inferred, reason, distance, error,
                speed, course, latitude, longitude, stay, announced, metadata, boot, approach,
                evidence, beacon, terms, odometer, way, driver, trip
                FROM event ORDER BY seq DESC LIMIT 1;
            SELECT * FROM event ORDER BY seq LIMIT 1;
            SELECT fence, added, began, dwell_told, stage, manual_until, watch, way
                FROM stay LIMIT 1;
            SELECT only_row, latitude, longitude, time FROM position;
            SELECT only_row, boot, engine IS NULL FROM snapshot;
            SELECT name, uid, acknowledged, options FROM consumer LIMIT 1;
            SELECT only_row, log FROM identity;
            SELECT last, log FROM earlier LIMIT 1;
            SELECT first, last FROM lost LIMIT 1;
            SELECT name, announced FROM sink LIMIT 1;
            SELECT fence, added FROM spent LIMIT 1;
            SELECT only_row, state FROM parking;
            SELECT number, id, first_set, last_seq FROM driver LIMIT 1;
            SELECT only_row, driver, since, source FROM driving;
            SELECT only_row, positions IS NULL FROM route;
            SELECT only_row, number, name, set_at, kept, boot, progress FROM route_state
            """,
        // From outside no number comes in beyond 1 << 53, see ``EventLog/greatestFromOutside``: one that
        // the log has counted on from there is far from the bound here.
        sanity: """
            SELECT last BETWEEN coalesce((SELECT max(seq) FROM event), 0) AND 1 << 54
            AND announced BETWEEN 0 AND last AND known BETWEEN 0 AND 1 << 54
            AND coalesce((SELECT min(seq) FROM event), 1) > 0 FROM state
            """,
        repair: """
            DELETE FROM event WHERE seq <= 0;
            DELETE FROM event WHERE seq > 1 << 53;
            UPDATE state SET last = (SELECT coalesce(max(seq), 0) FROM event)
                WHERE last NOT BETWEEN (SELECT coalesce(max(seq), 0) FROM event) AND 1 << 54;
            UPDATE state SET announced = last WHERE announced NOT BETWEEN 0 AND last;
            UPDATE state SET known = (
                    SELECT coalesce(max(added), 0) FROM stay WHERE added BETWEEN 0 AND 1 << 53)
                WHERE known NOT BETWEEN 0 AND 1 << 54
            """,
        lastNumber: """
            SELECT max(
                coalesce((SELECT max(seq) FROM event WHERE seq <= 1 << 53), 0),
                CASE WHEN last BETWEEN 0 AND 1 << 53 THEN last ELSE 0 END)
            FROM state
            """,
        pageSize: 1_024, walLimit: 250 * 4_096)
}

/// One event as a row of the table above.
enum EventColumns {
    // The columns in the order in which `read` and `insert` count them.

    static let after: SQL = """
        SELECT seq, kind, fence, title, time, fix_time, presence, inferred, reason, distance, error,
            speed, course, latitude, longitude, stay, announced, metadata, boot,
            approach, evidence, beacon, terms, odometer, way, driver, trip,
            (SELECT id FROM driver WHERE number = event.driver)
        FROM event WHERE seq > ? ORDER BY seq LIMIT ?
        """

    static let lastChange: SQL = """
        SELECT seq, kind, fence, title, time, fix_time, presence, inferred, reason, distance, error,
            speed, course, latitude, longitude, stay, announced, metadata, boot,
            approach, evidence, beacon, terms, odometer, way, driver, trip,
            (SELECT id FROM driver WHERE number = event.driver)
        FROM event WHERE fence = ? AND kind IN (1, 2, 4) ORDER BY seq DESC LIMIT 1
        """
    /// The same, and whether it was arriving.
    static let lastArrival: SQL = """
        SELECT seq, kind, fence, title, time, fix_time, presence, inferred, reason, distance, error,
            speed, course, latitude, longitude, stay, announced, metadata, boot,
            approach, evidence, beacon, terms, odometer, way, driver, trip,
            (SELECT id FROM driver WHERE number = event.driver)
        FROM event WHERE fence = ? AND kind IN (1, 2, 4, 21, 22) ORDER BY seq DESC LIMIT 1
        """

    private static let insert: SQL = """
        INSERT INTO event (seq, kind, fence, title, time, fix_time, presence, inferred, reason,
            distance, error, speed, course, latitude, longitude, stay, announced, metadata, boot,
            approach, evidence, beacon, terms, odometer, way, driver, trip)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
            time: UTCTime(nanoseconds: row.integer(4)),
            fixTime: UTCTime(nanoseconds: row.integer(5)),
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
        event.odometer = row.optionalReal(23)
        if !row.isNull(24) { event.way = WayDetails(bytes: row.bytes(24)) }
        event.driver = row.isNull(25) ? nil : row.integer(25)
        if !row.isNull(26) { event.trip = TripDetails(bytes: row.bytes(26)) }
        var logged = LoggedEvent(seq: seq, event: event, bootID: row.optionalText(18))
        logged.driver = row.optionalText(27)
        return logged
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
            event.terms.map { .blob($0.bytes) } ?? .null, .real(event.odometer),
            event.way.map { .blob($0.bytes) } ?? .null,
            event.driver.map { .integer($0) } ?? .null,
            event.trip.map { .blob($0.bytes) } ?? .null)
    }
}
