/// Version 12: an event that comes in the order of its log costs less. What was heard of a log is its
/// first number, its last one, and the holes between them, which are touched where one begins or ends.
enum Sequences {
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

    static let sql = """
        -- An update stays on its page, and no index hears of it.
        ALTER TABLE fleet.box_log SET (fillfactor = 50);
        ALTER TABLE fleet.box SET (fillfactor = 50);
        ALTER TABLE fleet.box_log ADD COLUMN first_seq bigint,
            ALTER COLUMN last_seq DROP EXPRESSION, ALTER COLUMN missing DROP EXPRESSION;
        UPDATE fleet.box_log SET first_seq = lower(heard);
        CREATE OR REPLACE VIEW fleet.whole_log WITH (security_invoker) AS
            SELECT l.box, l.log FROM fleet.box_log l JOIN fleet.box b ON b.id = l.box
            WHERE l.first_seq = 1 AND NOT l.moved AND b.first_seen >= (
                SELECT to_date(min(substr(relname, 7)), 'YYYYMMDD') FROM pg_class c
                JOIN pg_namespace n ON n.oid = relnamespace
                WHERE n.nspname = 'fleet' AND relname ~ '^event_[0-9]{8}$' AND relkind = 'r');
        ALTER TABLE fleet.box_log DROP COLUMN heard,
            ALTER COLUMN first_seq SET NOT NULL, ALTER COLUMN last_seq SET NOT NULL,
            ALTER COLUMN missing SET NOT NULL;

        -- It has reported to another shard, and what was heard of its logs need not be here.
        ALTER TABLE fleet.box ADD COLUMN moved boolean NOT NULL DEFAULT false;

        -- The numbers from the first to the last one, without those.
        CREATE FUNCTION fleet.heard(first bigint, last bigint, missing int8multirange)
            RETURNS int8multirange LANGUAGE sql IMMUTABLE AS $$
            SELECT pg_catalog.int8multirange(pg_catalog.int8range(first, last, '[]'))
                OPERATOR(pg_catalog.-) missing
        $$;

        -- Whether an event was heard, wherever it is now. It does not see what the statement that calls it
        -- notes.
        CREATE FUNCTION fleet.was_heard(of_box int, of_log uuid, number bigint) RETURNS boolean
        LANGUAGE sql STABLE SET search_path = fleet, pg_catalog, pg_temp AS $$
            SELECT EXISTS (SELECT FROM fleet.box_log l WHERE l.box = of_box AND l.log = of_log
                AND number BETWEEN l.first_seq AND l.last_seq AND NOT (l.missing + l.lost) @> number)
        $$;

        \(take(version: 12))

        \(Lives.noteStatuses(version: 12))

        DROP FUNCTION fleet.bounded_heard;
        REVOKE ALL ON FUNCTION fleet.heard, fleet.was_heard FROM PUBLIC;
        """

    /// The names of drivers, before version 17.
    private static let nameDrivers = """
        INSERT INTO fleet.driver AS d (tenant, name)
                SELECT DISTINCT i.tenant, i.details->>'driver'
                FROM unnest(owners, details) AS i (tenant, details)
                WHERE i.details->>'driver' IS NOT NULL
                ORDER BY 1, 2
                ON CONFLICT (tenant, name) DO UPDATE SET last_seen = now()
                WHERE d.last_seen < now() - interval '1 day';
        """

    /// From version 19 on no gap of numbers that were all heard: a box whose log has lost its end knows less
    /// of what it has sent than the office.
    private static let heardGap = """
         AND NOT (kind = 'gap' AND EXISTS (
                        SELECT FROM fleet.box_log l
                        WHERE l.box = i.box AND l.log = i.log
                            AND fleet.heard(l.first_seq, l.last_seq, l.missing)
                                @> int8range(i.prev, i.seq, '(]')))
        """

    /// What takes events; from version 16 on no visit that another log of its box has told; from version 17
    /// on with the boxes that have named drivers; from version 19 on no gap of what is here.
    static func take(version: Int) -> String {
        """
        -- One batch: a row of each array is one event, of boxes that it makes if their tenant is
        -- there. `prevs`: everything after that number and up to `seqs` is accounted for. `skip` is
        -- no event. Boxes are looked up once, and locked in the order of their names: several ingests do
        -- not wait in a circle.
        CREATE OR REPLACE FUNCTION fleet.take(
            tenants text[], boxes text[], logs uuid[], seqs bigint[], prevs bigint[],
            ats timestamptz[], kinds text[], fences text[], titles text[], stays float8[],
            inferreds boolean[], details jsonb[]) RETURNS bigint
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
        DECLARE
            -- Of each row: its tenant, its box, and the current log of that.
            owners int[];
            ids int[];
            currents uuid[];
            are_strange boolean;
            are_new boolean;
            are_late boolean;
            have_moved boolean;
            stored bigint;
        BEGIN
            LOOP
                SELECT array_agg(i.owner ORDER BY i.place), array_agg(b.id ORDER BY i.place),
                        array_agg(b.log ORDER BY i.place), bool_or(i.owner IS NULL),
                        bool_or(b.id IS NULL), bool_or(b.last_seen < now() - interval '1 minute'),
                        bool_or(b.moved)
                    INTO owners, ids, currents, are_strange, are_new, are_late, have_moved
                    FROM (
                        SELECT t.id AS owner, g.box, g.place
                        FROM unnest(tenants, boxes) WITH ORDINALITY AS g (tenant, box, place)
                        LEFT JOIN fleet.tenant t ON t.name = g.tenant
                        ORDER BY t.id, g.box COLLATE "C") AS i
                    -- A lookup by the whole key for each row, whatever the statistics say: a plan made
                    -- while there were few boxes would read all those of the tenant.
                    LEFT JOIN LATERAL (
                        SELECT id, log, last_seen, moved FROM fleet.box
                        WHERE tenant = i.owner AND name = i.box LIMIT 1 FOR NO KEY UPDATE) AS b ON true;
                -- Otherwise their events would be left out, and acknowledged.
                IF are_strange THEN
                    RAISE foreign_key_violation USING MESSAGE = 'there is no such tenant';
                END IF;
                EXIT WHEN are_new IS NOT TRUE;
                INSERT INTO fleet.box (tenant, name)
                    SELECT DISTINCT i.owner, i.name COLLATE "C"
                    FROM unnest(owners, boxes, ids) AS i (owner, name, id) WHERE i.id IS NULL
                    ORDER BY 1, 2 ON CONFLICT DO NOTHING;
            END LOOP;
            IF are_late THEN
                UPDATE fleet.box SET last_seen = now()
                    WHERE id = ANY (ids) AND last_seen < now() - interval '1 minute';
            END IF;
            IF currents IS DISTINCT FROM logs THEN
                PERFORM fleet.begin_log(n.box, n.log) FROM (
                    SELECT DISTINCT ON (i.box) i.box, i.log
                    FROM unnest(ids, currents, logs) WITH ORDINALITY AS i (box, current, log, place)
                    WHERE i.current IS DISTINCT FROM i.log AND NOT EXISTS (
                        SELECT FROM fleet.box_log l WHERE l.box = i.box AND l.log = i.log)
                    ORDER BY i.box, i.place DESC) AS n;
                IF FOUND THEN
                    currents := ARRAY(
                        SELECT b.log FROM unnest(ids) WITH ORDINALITY AS i (box, place)
                        JOIN fleet.box b ON b.id = i.box ORDER BY i.place);
                END IF;
            END IF;
            \(version > 15 ? Repeats.block : "")
            \(version > 16 ? Finite.nameDrivers : nameDrivers)
            WITH incoming AS MATERIALIZED (
                SELECT i.tenant, i.box, i.log, i.current, i.seq, i.prev, i.at, i.kind, i.fence, i.title,
                    i.stay * interval '1 second' AS stay, i.inferred,
                    CASE WHEN i.details ? 'driver' THEN i.details - 'driver' ELSE i.details END
                        AS details,
                    CASE WHEN i.details ? 'driver' THEN (
                        SELECT d.id FROM fleet.driver d
                        WHERE d.tenant = i.tenant AND d.name = i.details->>'driver' LIMIT 1) END
                        AS driver,
                    -- What the rows before it reach to: between that and `prev` is a hole.
                    max(i.seq) OVER (PARTITION BY i.box, i.log ORDER BY i.prev, i.seq
                        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS top
                FROM unnest(owners, ids, logs, currents, seqs, prevs, ats, kinds, fences, titles, stays,
                    inferreds, details) AS i (tenant, box, log, current, seq, prev, at, kind, fence,
                    title, stay, inferred, details)
                -- What another shard has may have been asked for before that was known.
                WHERE NOT have_moved OR NOT fleet.was_heard(i.box, i.log, i.seq)),
            -- The exit that the office had to assume has come after all.
            returned AS (
                DELETE FROM fleet.ended e USING incoming i
                WHERE i.kind = 'exit' AND i.stay IS NOT NULL AND e.box = i.box AND e.fence = i.fence
                    AND CASE WHEN e.log = i.log THEN e.seq < i.seq
                        -- A restored backup goes on with its stays, in another log.
                        ELSE i.at - i.stay - e.since BETWEEN '-1 second' AND '1 second' END),
            presences AS (
                INSERT INTO fleet.presence AS p (tenant, box, fence, log, seq, inside, since, title)
                    -- By number: the clock of a receiver may be set back.
                    SELECT DISTINCT ON (box, fence COLLATE "C")
                        tenant, box, fence, log, seq, kind <> 'exit', at, title
                    FROM incoming
                    WHERE kind IN ('enter', 'exit', 'initial') AND fence IS NOT NULL AND log = current
                    ORDER BY box, fence COLLATE "C", seq DESC
                    ON CONFLICT (box, fence) DO UPDATE SET
                        log = excluded.log, seq = excluded.seq, inside = excluded.inside,
                        since = excluded.since, title = excluded.title
                    WHERE p.log <> excluded.log OR p.seq < excluded.seq),
            logs AS (
                INSERT INTO fleet.box_log AS l (box, log, first_seq, last_seq, missing, lost)
                    SELECT box, log, min(prev) + 1, max(seq),
                        coalesce(range_agg(int8range(top, prev, '(]')) FILTER (WHERE prev > top), '{}'),
                        coalesce(range_agg(int8range(prev, seq, '(]'))
                            FILTER (WHERE kind = 'gap'), '{}')
                    -- Sorted: hashed, a thousand of them would not fit into what is planned for ten.
                    FROM incoming GROUP BY box, log ORDER BY box, log
                    ON CONFLICT (box, log) DO UPDATE SET \(merged), touched = now()
                    WHERE excluded.last_seq > l.last_seq OR excluded.first_seq < l.first_seq
                        OR NOT isempty(l.missing) AND l.missing
                            && fleet.heard(excluded.first_seq, excluded.last_seq, excluded.missing)
                        OR NOT isempty(excluded.lost) AND NOT l.lost @> excluded.lost)
            INSERT INTO fleet.event (tenant, box, log, seq, at, kind, fence, title, stay, inferred,
                    details, driver)
                SELECT tenant, box, log, seq, at, kind, fence, title, stay, inferred, i.details, i.driver
                FROM incoming i WHERE kind <> 'skip'\(version > 18 ? heardGap : "")
                ON CONFLICT DO NOTHING;
            GET DIAGNOSTICS stored = ROW_COUNT;
            RETURN stored;
        END $$;
        """
    }
}
