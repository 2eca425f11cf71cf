/// Version 5: holes are asked for.
enum Holes {
    static let sql = """
        -- What its box was asked for since `asked`, and numbers that are to be asked for at once.
        ALTER TABLE fleet.box_log ADD COLUMN asked timestamptz NOT NULL DEFAULT '-infinity',
            ADD COLUMN asked_for int8multirange NOT NULL DEFAULT '{}',
            ADD COLUMN wanted int8multirange NOT NULL DEFAULT '{}';
        CREATE INDEX box_log_lacking ON fleet.box_log (asked)
            WHERE missing <> '{}' OR wanted <> '{}';
        GRANT UPDATE (wanted) ON fleet.box_log TO fleet_keeper;

        \(Lives.noteStatuses(version: 5))

        -- What boxes are to send again, of their current logs, and of others for some days, for a restored
        -- backup still has them: each hole once an hour, what is wanted at once. A box gets a few ranges
        -- at a time. What is under way and comes twice is stored once.
        CREATE FUNCTION fleet.lacking() RETURNS TABLE (tenant text, box text, log text, ranges text)
        LANGUAGE sql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
            WITH known AS (
                SELECT l.box, l.log, l.asked < now() - interval '1 hour' AS is_old, l.missing,
                    l.asked_for, l.wanted, l.asked
                FROM fleet.box_log l JOIN fleet.box b ON b.id = l.box
                    AND (b.log = l.log OR l.touched > now() - interval '7 days')
                WHERE (l.missing <> '{}' OR l.wanted <> '{}')
                    AND b.last_seen > now() - interval '35 minutes'
                FOR UPDATE OF l SKIP LOCKED),
            due AS (
                SELECT k.box, k.log, k.is_old, (
                    SELECT range_agg(r) FROM (
                        SELECT unnest(k.wanted
                            + CASE WHEN k.is_old THEN k.missing ELSE k.missing - k.asked_for END) AS r
                        LIMIT 64) AS first) AS lacking
                FROM known k
                WHERE k.is_old OR k.wanted <> '{}' OR NOT k.asked_for @> k.missing
                ORDER BY k.asked LIMIT 1000),
            asked AS (
                UPDATE fleet.box_log l SET wanted = l.wanted - due.lacking,
                    asked = CASE WHEN due.is_old THEN now() ELSE l.asked END,
                    asked_for = l.missing * (due.lacking
                        + CASE WHEN due.is_old THEN '{}' ELSE l.asked_for END)
                FROM due WHERE l.box = due.box AND l.log = due.log)
            SELECT t.name, b.name, replace(due.log::text, '-', ''), (
                SELECT json_agg(json_build_array(lower(r), upper(r) - 1)) FROM unnest(due.lacking) r
                )::text
            FROM due JOIN fleet.box b ON b.id = due.box JOIN fleet.tenant t ON t.id = b.tenant
        $$;

        -- The box sends again what is missing, or a range of what it has sent; returns how many numbers.
        CREATE FUNCTION fleet.resend(which text, first bigint, last bigint) RETURNS numeric
        LANGUAGE plpgsql SET search_path = fleet, pg_catalog, pg_temp AS $$
        DECLARE
            asked_of int := fleet.box_named(which);
            numbers numeric;
        BEGIN
            UPDATE fleet.box_log l SET wanted = CASE WHEN first IS NULL THEN l.missing
                    ELSE int8multirange(int8range(first, last, '[]'))
                        * int8multirange(int8range(1, l.last_seq, '[]')) END
                FROM fleet.box b WHERE b.id = asked_of AND l.box = b.id AND l.log = b.log
                RETURNING (SELECT coalesce(sum(upper(r) - lower(r)), 0) FROM unnest(l.wanted) r)
                INTO numbers;
            RETURN coalesce(numbers, 0);
        END $$;

        REVOKE ALL ON FUNCTION fleet.lacking, fleet.resend FROM PUBLIC;
        GRANT EXECUTE ON FUNCTION fleet.lacking TO fleet_ingest;
        GRANT EXECUTE ON FUNCTION fleet.resend TO fleet_keeper;
        """
}
