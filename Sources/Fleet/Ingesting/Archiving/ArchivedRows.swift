/// What of an old week stays in the database while its events lie in a file.
enum ArchivedRows {
    /// Of `fleet.event`, as a file has them.
    static let columns = [
        "tenant", "box", "log", "seq", "at", "kind", "fence", "title", "stay", "inferred",
        "details",
        "received", "driver",
    ]

    /// Of the details of an event, a row: what visits, trips and places are made of.
    private static let kept = [
        "way_m", "way_error_m", "gap_m", "odometer_m", "from", "from_title", "to", "to_title",
        "stops",
        "latitude", "longitude",
    ]

    /// Leaves of a day what visits and trips are made of, and where boxes are, each with the member
    /// `archived`, which names the week.
    /// Row by row: a backup that has begun before sees the rows as they were, which TRUNCATE would take from
    /// it.
    static func shrink(_ part: String, week: String) -> String {
        """
        DELETE FROM \(part) e WHERE NOT (kind IN ('exit', 'trip') AND stay IS NOT NULL OR EXISTS (
            SELECT FROM fleet.presence p
            WHERE p.box = e.box AND p.log = e.log AND p.seq = e.seq));
        UPDATE \(part) e SET details = (
            SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(e.details)
            WHERE key IN (\(kept.map { "'\($0)'" }.joined(separator: ", ")))
            ) || '{"archived": "\(week)"}';
        CREATE OR REPLACE TRIGGER archived BEFORE INSERT ON \(part)
            FOR EACH ROW EXECUTE FUNCTION fleet.leave_out_archived();
        """
    }

    /// Puts back what such a day lacks, of boxes that are still there.
    static let refill = """
        INSERT INTO fleet.event AS e (\(columns.joined(separator: ", ")))
            SELECT \(columns.map { "i.\($0)" }.joined(separator: ", "))
            FROM incoming i JOIN fleet.box b ON b.id = i.box AND b.tenant = i.tenant
            ORDER BY i.box, i.log, i.seq
            ON CONFLICT (box, log, seq, at) DO UPDATE SET details = excluded.details
            WHERE e.details ? 'archived'
        """
}
