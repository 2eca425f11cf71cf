/// What several questions ask in the same words, which the schema has as well: a test compares them.
enum Expressions {
    /// How long a stay is free of charge, of a row of `fleet.free_time` that may be missing.
    static let free = "coalesce(f.free, '2 hours')"

    /// A box that was heard no later is silent: it says something every quarter of an hour.
    static let silent = "now() - interval '35 minutes'"

    /// Whether a box is there, of its row `b`: `true`, `false`, `unknown` or `retired`.
    static let online = """
        CASE WHEN b.retired > coalesce(b.log_seen, '-infinity')
            THEN 'retired' WHEN b.status->>'online' = 'true' AND b.last_seen < \(silent)
            THEN 'unknown' ELSE coalesce(b.status->>'online', 'unknown') END
        """

    /// The word of a box whose geofenced does not run while its uplink does, of its row `b`: `no-daemon`,
    /// `stopped`, or null.
    static let absence = """
        CASE WHEN (\(online)) = 'true' AND b.status->>'state' IN ('no-daemon', 'stopped')
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

    /// What the odometer showed at an event, m; null where it does not say, or nothing that can be.
    static let odometer = """
        CASE WHEN jsonb_typeof(details->'odometer_m') = 'number'
            AND (details->'odometer_m')::numeric BETWEEN 0 AND 1e10
            THEN (details->'odometer_m')::double precision END
        """

    /// What is set where a row of `box_log` is there, `l`, and another one is heard, `excluded`.
    static let merged = """
        first_seq = least(l.first_seq, excluded.first_seq),
            last_seq = greatest(l.last_seq, excluded.last_seq),
            missing = CASE
                WHEN excluded.first_seq = l.last_seq + 1 AND isempty(excluded.missing) THEN l.missing
                ELSE fleet.bounded(fleet.heard(least(l.first_seq, excluded.first_seq),
                        greatest(l.last_seq, excluded.last_seq), '{}')
                    - fleet.heard(l.first_seq, l.last_seq, l.missing)
                    - fleet.heard(excluded.first_seq, excluded.last_seq, excluded.missing)) END,
            -- What the office has is not lost, though a box no longer has it when it is asked again.
            lost = CASE WHEN isempty(excluded.lost) THEN l.lost
                ELSE fleet.bounded(l.lost
                    + (excluded.lost - fleet.heard(l.first_seq, l.last_seq, l.missing))) END
        """
}
