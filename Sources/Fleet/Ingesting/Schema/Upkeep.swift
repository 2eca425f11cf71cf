/// Version 15: nobody who reads for long holds up the office. What is done to tables from time to time
/// waits for nobody for long, holds nothing meanwhile, and is named while it is overdue. A box that goes
/// keeps what it has said.
enum Upkeep {
    /// At the end of what `fleet.maintain()` answers.
    static let waits = "; the rest waits for who reads or writes there for long"

    /// Who makes, drops, empties or fills partitions locks this row, which nobody but the owner of the schema
    /// may lock: the key of an advisory lock is anybody's who can connect.
    static let claim = "FROM fleet.identity FOR UPDATE"

    static let sql = """
        -- Days that have no partition and should, and partitions of days that are no longer kept.
        CREATE VIEW fleet.overdue WITH (security_invoker) AS
            WITH today AS MATERIALIZED (
                SELECT (now() AT TIME ZONE 'UTC')::date AS day, r.days FROM fleet.retention r),
            part AS MATERIALIZED (
                SELECT to_date(substr(c.relname, 7), 'YYYYMMDD') AS day
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = 'fleet' AND c.relname ~ '^event_[0-9]{8}$' AND c.relkind = 'r')
            SELECT t.day + n AS day, true AS is_missing
            FROM today t CROSS JOIN LATERAL generate_series(-t.days, 2) AS n
            WHERE NOT EXISTS (SELECT FROM part p WHERE p.day = t.day + n)
            UNION ALL
            SELECT p.day, false FROM part p, today t WHERE p.day < t.day - t.days;
        GRANT SELECT ON fleet.retention, fleet.overdue TO fleet_reader;

        \(maintain)

        -- Every few minutes, by one of the ingests; true if it was this one.
        CREATE OR REPLACE FUNCTION fleet.prune_if_due() RETURNS boolean
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp
        SET lock_timeout = '500ms' AS $$
        BEGIN
            PERFORM FROM fleet.retention WHERE pruned < now() - interval '5 minutes'
                FOR UPDATE SKIP LOCKED;
            IF NOT FOUND THEN RETURN false; END IF;
            UPDATE fleet.retention SET pruned = now();
            PERFORM fleet.prune();
            RETURN true;
        END $$;

        \(Lives.noteStatuses(version: 15))
        """

    /// The order of its locks: first, without waiting, what people read, then `fleet.event`, for which all
    /// others wait meanwhile. That is shorter than `deadlock_timeout`: a batch with an event for the default
    /// partition, which has locked them the other way round, is not the one that is given up.
    private static let maintain = """
        -- Partitions of the days that are kept and of the next two; drops those before, and what has
        -- been in the default partition or set aside for as long. One ingest at a time does it, and none
        -- while a week is archived or restored. What the default partition has of a new day moves: a
        -- single event of the day after tomorrow must not keep a day without a partition. How long is
        -- kept is not for the ingest to say. What is in use stays as it is until it is called again.
        CREATE OR REPLACE FUNCTION fleet.maintain() RETURNS text
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp
        SET lock_timeout = '500ms' AS $$
        DECLARE
            kept interval;
            due date;
            part text;
            made int := 0;
            dropped int := 0;
            is_late boolean := false;
        BEGIN
            PERFORM \(claim) SKIP LOCKED;
            IF NOT FOUND THEN RETURN 'another one does it'; END IF;
            SELECT make_interval(days => r.days) INTO STRICT kept FROM fleet.retention r;
            BEGIN
                DELETE FROM fleet.event_default WHERE received < now() - kept;
                DELETE FROM fleet.rejected WHERE received < now() - kept;
            EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
                is_late := true;
            END;
            BEGIN
                FOR due IN SELECT o.day FROM fleet.overdue o WHERE o.is_missing ORDER BY 1 LOOP
                    IF made = 0 THEN
                        LOCK TABLE ONLY fleet.event_default IN ACCESS EXCLUSIVE MODE NOWAIT;
                        -- No other row of that day may be added meanwhile.
                        LOCK TABLE ONLY fleet.event IN SHARE ROW EXCLUSIVE MODE;
                    END IF;
                    part := 'event_' || to_char(due, 'YYYYMMDD');
                    EXECUTE format(
                        'CREATE TABLE fleet.%I (LIKE fleet.event INCLUDING DEFAULTS)', part);
                    EXECUTE format(
                        'WITH moved AS (DELETE FROM fleet.event_default WHERE at >= %1$L AND at < %2$L
                            RETURNING *) INSERT INTO fleet.%3$I SELECT * FROM moved',
                        due || ' 00:00:00+00', (due + 1) || ' 00:00:00+00', part);
                    EXECUTE format('ALTER TABLE fleet.event ATTACH PARTITION fleet.%I
                        FOR VALUES FROM (%L) TO (%L)',
                        part, due || ' 00:00:00+00', (due + 1) || ' 00:00:00+00');
                    made := made + 1;
                END LOOP;
            EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
                made := 0;
                is_late := true;
            END;
            FOR due IN SELECT o.day FROM fleet.overdue o WHERE NOT o.is_missing ORDER BY 1 LOOP
                part := 'event_' || to_char(due, 'YYYYMMDD');
                BEGIN
                    LOCK TABLE ONLY fleet.event_default IN ACCESS EXCLUSIVE MODE NOWAIT;
                    EXECUTE format('LOCK TABLE ONLY fleet.%I IN ACCESS EXCLUSIVE MODE NOWAIT', part);
                    LOCK TABLE ONLY fleet.event IN ACCESS EXCLUSIVE MODE;
                    EXECUTE format('DROP TABLE fleet.%I', part);
                    dropped := dropped + 1;
                EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
                    is_late := true;
                    EXIT;
                END;
            END LOOP;
            RETURN format('%s partitions made, %s dropped', made, dropped)
                || CASE WHEN is_late THEN '\(waits)' ELSE '' END;
        END $$;
        """
}
