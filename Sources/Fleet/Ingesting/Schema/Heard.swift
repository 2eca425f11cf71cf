import SharedLimits

/// Version 20: that a box writes another log is told, and who hears of a daemon that is gone.
enum Heard {
    /// The word of a box whose geofenced does not run while its uplink does, of its row `b`: `no-daemon`,
    /// `stopped`, or null.
    static let absence = """
        CASE WHEN (\(Views.online)) = 'true' AND b.status->>'state' IN ('no-daemon', 'stopped')
            THEN b.status->>'state' END
        """

    /// Since when what the status of a box says is so, of its row `b`, as the box has it; null for what
    /// is no time from 2000 to tomorrow: a box may send anything, or not know the time.
    static let since = """
        CASE WHEN b.status->>'since' ~ '^20\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T'
                '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d([.]\\d{1,9})?Z$'
            AND (b.status->>'since') COLLATE "C"
                < to_char((now() + interval '1 day') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
            THEN b.status->>'since' END
        """

    /// When a box has said that it writes another log, of its row `b`, while that is news.
    static let newLog = "CASE WHEN b.log_changed > now() - interval '7 days' THEN b.log_changed END"

    static let sql = """
        -- The log that the box has written before, and when it has said that it writes another one.
        ALTER TABLE fleet.box ADD COLUMN former_log uuid, ADD COLUMN log_changed timestamptz;

        -- From now on this is the log of the box. A box that begins one after another has no more than
        -- its quota of them before fleet.prune() comes by.
        CREATE OR REPLACE FUNCTION fleet.begin_log(of_box int, new uuid) RETURNS void
        LANGUAGE sql SET search_path = fleet, pg_catalog, pg_temp AS $$
            SELECT fleet.end_presences(of_box, new);
            UPDATE fleet.box SET log = new, log_seen = now(),
                former_log = CASE WHEN log IS NOT NULL AND log <> new THEN log ELSE former_log END,
                log_changed = CASE WHEN log IS NOT NULL AND log <> new THEN now() ELSE log_changed END
                WHERE id = of_box;
            DELETE FROM fleet.box_log WHERE (box, log) IN (
                SELECT box, log FROM fleet.box_log WHERE box = of_box AND log <> new
                ORDER BY touched DESC, log OFFSET \(SharedLimits.logs - 1))
        $$;

        -- Of each box what its geofenced is doing, as its uplink says: `no-daemon` is one that does not run
        -- and that nobody has stopped.
        CREATE VIEW fleet.daemon WITH (security_invoker) AS
            SELECT b.tenant, b.id AS box, \(absence) IS NULL AS there, \(absence) AS absence,
                \(since) AS since, b.log_changed, b.former_log
            FROM fleet.box b;
        GRANT SELECT ON fleet.daemon TO fleet_reader;
        """
}
