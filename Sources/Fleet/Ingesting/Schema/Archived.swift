/// Version 13: events of old weeks lie in files.
enum Archived {
    /// Of `fleet.event`, as a file has them.
    static let columns = [
        "tenant", "box", "log", "seq", "at", "kind", "fence", "title", "stay", "inferred",
        "details",
        "received", "driver",
    ]

    static let sql = """
        CREATE TABLE fleet.archived_week (
            week text PRIMARY KEY, first date NOT NULL, events bigint NOT NULL, digest text NOT NULL,
            made timestamptz NOT NULL DEFAULT now());
        -- Until its days are dropped. How many events there are of all tenants together is no secret.
        CREATE VIEW fleet.archived WITH (security_invoker) AS
            SELECT week, first, events, digest, made FROM fleet.archived_week
            WHERE to_regclass('fleet.event_' || to_char(first + 6, 'YYYYMMDD')) IS NOT NULL;
        GRANT SELECT ON fleet.archived_week, fleet.archived TO fleet_reader;

        \(leaveOut(version: 13))
        REVOKE ALL ON FUNCTION fleet.leave_out_archived FROM PUBLIC;
        """

    /// From version 14 on only while the week is known to lie in a file: who has lost it deletes its row, and
    /// what boxes still have comes back.
    static func leaveOut(version: Int) -> String {
        let known = """
             AND EXISTS (
                    SELECT FROM fleet.archived_week
                    WHERE week = to_char(NEW.at AT TIME ZONE 'UTC', 'IYYY-"W"IW'))
            """
        return """
            -- For a day whose events lie in a file: what was heard before is not stored again, though it is
            -- not there. Stable: it does not see what the statement itself notes of that number.
            CREATE OR REPLACE FUNCTION fleet.leave_out_archived() RETURNS trigger
            LANGUAGE plpgsql STABLE SET search_path = fleet, pg_catalog, pg_temp AS $$
            BEGIN
                IF fleet.was_heard(NEW.box, NEW.log, NEW.seq)\(version > 13 ? known : "") THEN
                    RETURN NULL;
                END IF;
                RETURN NEW;
            END $$;
            """
    }

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
