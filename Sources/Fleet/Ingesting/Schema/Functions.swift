/// Version 1: what the ingest calls. The functions run as the owner of the schema.
enum Functions {
    static let sql = """
        -- A box that names thousands of ranges is broken, or means harm: then they are one, so that
        -- what is written with each batch stays small. In PL/pgSQL and without settings: they are
        -- called for each box of a batch, and inherit the settings of fleet.take().
        CREATE FUNCTION fleet.bounded(ranges int8multirange) RETURNS int8multirange
        LANGUAGE plpgsql IMMUTABLE STRICT AS $$
        BEGIN
            IF pg_catalog.pg_column_size(ranges) <= 16384 THEN RETURN ranges; END IF;
            RETURN pg_catalog.int8multirange(pg_catalog.range_merge(ranges));
        END $$;

        -- The same for what was heard: the holes become one.
        CREATE FUNCTION fleet.bounded_heard(heard int8multirange) RETURNS int8multirange
        LANGUAGE plpgsql IMMUTABLE STRICT AS $$
        DECLARE whole int8multirange;
        BEGIN
            IF pg_catalog.pg_column_size(heard) <= 16384 THEN RETURN heard; END IF;
            whole := pg_catalog.int8multirange(pg_catalog.range_merge(heard));
            RETURN whole - pg_catalog.int8multirange(pg_catalog.range_merge(whole - heard));
        END $$;

        \(take(version: 1))

        -- What could not be read.
        CREATE FUNCTION fleet.set_aside(
            tenant_name text, box_name text, why text, content bytea) RETURNS void
        LANGUAGE sql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
            INSERT INTO fleet.rejected (tenant, box, reason, payload)
                SELECT tenant_name, box_name, why, content
                WHERE (SELECT count(*) FROM fleet.rejected
                    WHERE tenant = tenant_name AND box = box_name) < 1000
        $$;

        -- The statuses of boxes, each of which may come before the first event of its box. No box
        -- twice. `lives`: whether the box says it now, or a broker has kept it.
        CREATE FUNCTION fleet.note_statuses(
            tenants text[], boxes text[], contents jsonb[], lives boolean[]) RETURNS void
        LANGUAGE sql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
            INSERT INTO fleet.box AS b (tenant, name, status, last_seen)
                SELECT t.id, i.box, i.content, CASE WHEN i.live THEN now() ELSE '-infinity' END
                FROM unnest(tenants, boxes, contents, lives) AS i (tenant, box, content, live)
                JOIN fleet.tenant t ON t.name = i.tenant
                ORDER BY 1, 2
                ON CONFLICT (tenant, name) DO UPDATE SET status = excluded.status,
                    last_seen = greatest(b.last_seen, excluded.last_seen)
                WHERE b.status IS DISTINCT FROM excluded.status
                    OR b.last_seen < excluded.last_seen - interval '1 minute'
        $$;

        -- The tenants whose boxes are taken.
        CREATE FUNCTION fleet.tenants() RETURNS SETOF text
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
            SELECT name FROM fleet.tenant
        $$;

        -- Partitions of the days that are kept and of the next two; drops those before, and what has
        -- been in the default partition or set aside for as long. One ingest at a time does it. What
        -- the default partition has of a new day moves: a single event of the day after tomorrow must
        -- not keep a day without a partition. How long is kept is not for the ingest to say.
        CREATE FUNCTION fleet.maintain() RETURNS text
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
        DECLARE
            days int;
            day date;
            part text;
            made int := 0;
            dropped int := 0;
        BEGIN
            IF NOT pg_try_advisory_xact_lock(hashtext('fleet.maintain')) THEN
                RETURN 'another one does it';
            END IF;
            SELECT r.days INTO STRICT days FROM fleet.retention r;
            FOR day IN SELECT d::date FROM generate_series(
                    (now() AT TIME ZONE 'UTC')::date - days,
                    (now() AT TIME ZONE 'UTC')::date + 2, interval '1 day') AS d LOOP
                part := 'event_' || to_char(day, 'YYYYMMDD');
                CONTINUE WHEN to_regclass('fleet.' || part) IS NOT NULL;
                EXECUTE format('CREATE TABLE fleet.%I (LIKE fleet.event INCLUDING DEFAULTS)', part);
                -- No other row of that day may be added meanwhile.
                LOCK TABLE ONLY fleet.event IN SHARE ROW EXCLUSIVE MODE;
                EXECUTE format(
                    'WITH moved AS (DELETE FROM fleet.event_default WHERE at >= %1$L AND at < %2$L
                        RETURNING *) INSERT INTO fleet.%3$I SELECT * FROM moved',
                    day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00', part);
                EXECUTE format(
                    'ALTER TABLE fleet.event ATTACH PARTITION fleet.%I FOR VALUES FROM (%L) TO (%L)',
                    part, day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
                made := made + 1;
            END LOOP;
            FOR part IN SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
                    WHERE n.nspname = 'fleet' AND relname ~ '^event_[0-9]{8}$' AND relkind = 'r'
                    AND relname < 'event_' || to_char(
                        (now() AT TIME ZONE 'UTC')::date - days, 'YYYYMMDD') LOOP
                EXECUTE format('DROP TABLE fleet.%I', part);
                dropped := dropped + 1;
            END LOOP;
            DELETE FROM fleet.event_default WHERE received < now() - make_interval(days => days);
            DELETE FROM fleet.rejected WHERE received < now() - make_interval(days => days);
            RETURN format('%s partitions made, %s dropped', made, dropped);
        END $$;

        REVOKE ALL ON ALL FUNCTIONS IN SCHEMA fleet FROM PUBLIC;
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA fleet TO fleet_ingest;
        """

    /// What takes a batch; from version 2 on of nobody but tenants that are there, and it notes when a log
    /// was last heard; from version 3 on a log that was never heard before is the current one, and no
    /// other one says where its box is; from version 7 on the member `driver` of the details is a row of
    /// its own.
    static func take(version: Int) -> String {
        let hasDrivers = version > 6
        let drivers = """
            INSERT INTO fleet.driver AS d (tenant, name)
                    SELECT DISTINCT t.id, i.details->>'driver'
                    FROM unnest(tenants, details) AS i (tenant, details)
                    JOIN fleet.tenant t ON t.name = i.tenant
                    WHERE i.details->>'driver' IS NOT NULL
                    ORDER BY 1, 2
                    ON CONFLICT (tenant, name) DO UPDATE SET last_seen = now()
                    WHERE d.last_seen < now() - interval '1 day';
            """
        let driver = """
            LEFT JOIN LATERAL (
                        SELECT id FROM fleet.driver
                        WHERE tenant = t.id AND name = i.details->>'driver' LIMIT 1) AS d ON true
            """
        let details = hasDrivers ? "i.details - 'driver' AS details, d.id AS driver" : "i.details"
        let (column, value) = hasDrivers ? (", driver", ", i.driver") : ("", "")
        let touch = ", touched = now()"
        // What the office has is not lost, though a box no longer has it when it is asked again.
        let lost = version > 2 ? "(excluded.lost - l.heard)" : "excluded.lost"
        let check = """
            -- Otherwise their events would be left out, and acknowledged.
            IF EXISTS (
                SELECT FROM (SELECT DISTINCT i.name FROM unnest(tenants) AS i (name)) AS given
                WHERE NOT EXISTS (SELECT FROM fleet.tenant t WHERE t.name = given.name)) THEN
                RAISE foreign_key_violation USING MESSAGE = 'there is no such tenant';
            END IF;
            """
        let begin = """
            -- The boxes are locked by the statement above, in the order of their names.
            PERFORM fleet.begin_log(n.box, n.log) FROM (
                SELECT DISTINCT ON (b.id) b.id AS box, i.log
                FROM unnest(tenants, boxes, logs) WITH ORDINALITY AS i (tenant, box, log, place)
                JOIN fleet.tenant t ON t.name = i.tenant
                CROSS JOIN LATERAL (
                    SELECT id, log FROM fleet.box WHERE tenant = t.id AND name = i.box LIMIT 1) AS b
                WHERE b.log IS DISTINCT FROM i.log AND NOT EXISTS (
                    SELECT FROM fleet.box_log l WHERE l.box = b.id AND l.log = i.log)
                ORDER BY b.id, i.place DESC) AS n;
            """
        // The exit that the office had to assume has come after all.
        let ends = """
            returned AS (
                DELETE FROM fleet.ended e USING incoming i
                WHERE i.kind = 'exit' AND i.stay IS NOT NULL AND e.box = i.box AND e.fence = i.fence
                    AND CASE WHEN e.log = i.log THEN e.seq < i.seq
                        -- A restored backup goes on with its stays, in another log.
                        ELSE i.at - i.stay - e.since BETWEEN '-1 second' AND '1 second' END),
            """
        let newer = """
            WHERE CASE WHEN p.log = excluded.log THEN p.seq < excluded.seq
                            ELSE p.since <= excluded.since END
            """
        return """
            -- One batch: a row of each array is one event, of boxes that it makes if their tenant is
            -- there. `prevs`: everything after that number and up to `seqs` is accounted for. `skip` is
            -- no event. Tables are written in the order of their keys: several ingests do not wait in a
            -- circle.
            CREATE OR REPLACE FUNCTION fleet.take(
                tenants text[], boxes text[], logs uuid[], seqs bigint[], prevs bigint[],
                ats timestamptz[], kinds text[], fences text[], titles text[], stays float8[],
                inferreds boolean[], details jsonb[]) RETURNS bigint
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
            DECLARE stored bigint;
            BEGIN
                \(version > 1 ? check : "")
                INSERT INTO fleet.box AS b (tenant, name)
                    SELECT DISTINCT t.id, i.box
                    FROM unnest(tenants, boxes) AS i (tenant, box)
                    JOIN fleet.tenant t ON t.name = i.tenant
                    ORDER BY 1, 2
                    ON CONFLICT (tenant, name) DO UPDATE SET last_seen = now()
                    WHERE b.last_seen < now() - interval '1 minute';
                \(version > 2 ? begin : "")
                \(hasDrivers ? drivers : "")
                WITH incoming AS MATERIALIZED (
                    SELECT t.id AS tenant, b.id AS box, i.log, i.seq, i.prev, i.at, i.kind, i.fence,
                        \(version > 2 ? "b.log AS current," : "")
                        i.title, i.stay * interval '1 second' AS stay, i.inferred,
                        \(details)
                    FROM unnest(tenants, boxes, logs, seqs, prevs, ats, kinds, fences, titles, stays,
                        inferreds, details) AS i (tenant, box, log, seq, prev, at, kind, fence, title,
                        stay, inferred, details)
                    JOIN fleet.tenant t ON t.name = i.tenant
                    -- A lookup by the whole key for each row, whatever the statistics say: a plan made
                    -- while there were few boxes would read all those of the tenant.
                    CROSS JOIN LATERAL (
                        SELECT id\(version > 2 ? ", log" : "") FROM fleet.box
                        WHERE tenant = t.id AND name = i.box LIMIT 1) AS b
                    \(hasDrivers ? driver : "")),
                \(version > 2 ? ends : "")
                events AS (
                    INSERT INTO fleet.event (tenant, box, log, seq, at, kind, fence, title, stay,
                            inferred, details\(column))
                        SELECT tenant, box, log, seq, at, kind, fence, title, stay, inferred,
                            i.details\(value)
                        FROM incoming i WHERE kind <> 'skip'
                        ORDER BY box, log, seq
                        ON CONFLICT DO NOTHING RETURNING 1),
                presences AS (
                    INSERT INTO fleet.presence AS p (tenant, box, fence, log, seq, inside, since, title)
                        SELECT DISTINCT ON (box, fence)
                            tenant, box, fence, log, seq, kind <> 'exit', at, title
                        FROM (
                            SELECT *, max(at) OVER (PARTITION BY box, fence, log) AS newest
                            FROM incoming
                            WHERE kind IN ('enter', 'exit', 'initial') AND fence IS NOT NULL
                                \(version > 2 ? "AND log = current" : "")
                        ) AS crossing
                        -- Within a log by number: the clock of a receiver may be set back.
                        ORDER BY box, fence, newest DESC, log, seq DESC
                        ON CONFLICT (box, fence) DO UPDATE SET
                            log = excluded.log, seq = excluded.seq, inside = excluded.inside,
                            since = excluded.since, title = excluded.title
                        \(version > 2 ? "WHERE p.log <> excluded.log OR p.seq < excluded.seq" : newer)),
                logs AS (
                    INSERT INTO fleet.box_log AS l (box, log, heard, lost)
                        SELECT box, log, range_agg(int8range(prev + 1, seq, '[]')),
                            coalesce(range_agg(int8range(prev + 1, seq, '[]'))
                                FILTER (WHERE kind = 'gap'), '{}')
                        FROM incoming GROUP BY box, log ORDER BY box, log
                        ON CONFLICT (box, log) DO UPDATE SET
                            heard = fleet.bounded_heard(l.heard + excluded.heard),
                            lost = fleet.bounded(l.lost + \(lost))\(version > 1 ? touch : "")
                        WHERE NOT (l.heard @> excluded.heard AND l.lost @> excluded.lost))
                SELECT count(*) INTO stored FROM events;
                RETURN stored;
            END $$;
            """
    }
}
