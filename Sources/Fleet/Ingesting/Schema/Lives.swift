import SharedLimits

/// Version 3: a box has one current log, and its life has an end.
enum Lives {
    static let sql = """
        -- The log that the box writes now, and when it was last heard. A box that is replaced, or has
        -- lost its state, has another one, and says so in its status.
        ALTER TABLE fleet.box ADD COLUMN log uuid, ADD COLUMN log_seen timestamptz;

        -- Stays that no exit ended: of a log that came to its end, or of a box that was retired.
        CREATE TABLE fleet.ended (
            tenant int NOT NULL, box int NOT NULL, fence text NOT NULL, log uuid NOT NULL,
            seq bigint NOT NULL, since timestamptz NOT NULL, left_at timestamptz NOT NULL, title text,
            PRIMARY KEY (box, log, fence, seq), CHECK (left_at >= since));
        CREATE INDEX ended_of_fence ON fleet.ended (fence, tenant, since);
        ALTER TABLE fleet.ended ENABLE ROW LEVEL SECURITY;
        CREATE POLICY tenant ON fleet.ended USING (tenant IN (SELECT a.tenant FROM fleet.access a));
        GRANT SELECT ON fleet.ended TO fleet_reader;

        -- A receiver's clock may be years ahead: no stay is negative.
        CREATE OR REPLACE VIEW fleet.visit WITH (security_invoker) AS
            SELECT tenant, box, fence, title, \(Views.entered) AS entered, at AS left_at, stay, inferred
            FROM fleet.event WHERE kind = 'exit' AND stay IS NOT NULL
            UNION ALL
            SELECT tenant, box, fence, title, since, left_at, left_at - since, true FROM fleet.ended
            UNION ALL
            SELECT tenant, box, fence, title, since, NULL, greatest(now() - since, interval '0'), false
            FROM fleet.presence WHERE inside;

        -- The presences of a box but those of a log, which may be null, end when their log was last
        -- heard.
        CREATE FUNCTION fleet.end_presences(of_box int, but uuid) RETURNS bigint
        LANGUAGE sql SET search_path = fleet, pg_catalog, pg_temp AS $$
            WITH gone AS (
                DELETE FROM fleet.presence WHERE box = of_box AND log IS DISTINCT FROM but
                RETURNING *),
            ended AS (
                INSERT INTO fleet.ended (tenant, box, fence, log, seq, since, left_at, title)
                    SELECT g.tenant, g.box, g.fence, g.log, g.seq, g.since, greatest(g.since, l.touched,
                        CASE WHEN b.log = g.log THEN b.log_seen END), g.title
                    FROM gone g JOIN fleet.box b ON b.id = g.box
                    LEFT JOIN fleet.box_log l ON l.box = g.box AND l.log = g.log
                    WHERE g.inside ON CONFLICT DO NOTHING RETURNING 1)
            SELECT count(*) FROM ended
        $$;

        -- The log that a status names; null if that is none.
        CREATE FUNCTION fleet.log_of(status jsonb) RETURNS uuid
        LANGUAGE sql IMMUTABLE AS $$
            SELECT CASE WHEN status->>'log' ~ '^[0-9a-f]{32}$' THEN (status->>'log')::uuid END
        $$;

        -- From now on this is the log of the box. A box that begins one after another has no more than
        -- its quota of them before fleet.prune() comes by.
        CREATE FUNCTION fleet.begin_log(of_box int, new uuid) RETURNS void
        LANGUAGE sql SET search_path = fleet, pg_catalog, pg_temp AS $$
            SELECT fleet.end_presences(of_box, new);
            UPDATE fleet.box SET log = new, log_seen = now() WHERE id = of_box;
            DELETE FROM fleet.box_log WHERE (box, log) IN (
                SELECT box, log FROM fleet.box_log WHERE box = of_box AND log <> new
                ORDER BY touched DESC, log OFFSET \(SharedLimits.logs - 1))
        $$;

        \(Functions.take(version: 3))

        \(noteStatuses(version: 3))

        -- Boxes that were there before: the log of their status, or the one last heard.
        DO $$
        BEGIN
            UPDATE fleet.box b SET log_seen = last_seen, log = coalesce(fleet.log_of(status), (
                SELECT l.log FROM fleet.box_log l WHERE l.box = b.id
                ORDER BY l.touched DESC, l.log LIMIT 1));
            PERFORM fleet.end_presences(id, log) FROM fleet.box WHERE log IS NOT NULL ORDER BY id;
        END $$;

        \(Quotas.prune(version: 3))

        REVOKE ALL ON ALL FUNCTIONS IN SCHEMA fleet FROM PUBLIC;
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA fleet TO fleet_ingest;
        REVOKE ALL ON FUNCTION fleet.end_presences, fleet.begin_log FROM fleet_ingest;
        """

    /// After a failover the last numbers may be lost, and no later one shows that.
    static let tails = """
        -- After a failover the last numbers may be lost, and no later one shows that.
            UPDATE fleet.box_log l
                SET wanted = l.wanted + int8multirange(int8range(l.last_seq, s.last, '(]'))
                FROM (
                    SELECT i.tenant, i.box, fleet.log_of(i.content) AS log,
                        CASE WHEN i.content->>'last' ~ '^[0-9]{1,18}$'
                            THEN (i.content->>'last')::bigint END AS last
                    FROM unnest(tenants, boxes, contents, lives) AS i (tenant, box, content, live)
                    WHERE i.live AND i.content->>'waiting' = '0') AS s
                JOIN fleet.tenant t ON t.name = s.tenant
                JOIN fleet.box b ON b.tenant = t.id AND b.name = s.box
                WHERE l.box = b.id AND l.log = b.log AND l.log = s.log AND s.last > l.last_seq
                    AND l.asked < now() - interval '1 hour';
        """

    /// What takes statuses; from version 5 on a box that has nothing to send is asked for what the
    /// office lacks at the end of its log; from version 12 on in the order in which `fleet.take` locks; from
    /// version 15 on a box that goes keeps what it has said.
    static func noteStatuses(version: Int) -> String {
        // That alone is taken of it: a status that only grows would have no bound.
        let goodbye = """
            CASE WHEN excluded.status->>'online' = 'false' AND NOT excluded.status ? 'log'
                            AND jsonb_typeof(b.status) = 'object'
                        THEN b.status || '{"online": false}' ELSE excluded.status END
            """
        let status = version > 14 ? goodbye : "excluded.status"
        let parting = """

            -- The broker's word that a box has gone, and its own, name no log: they change
            -- whether it is online, and nothing of what it said before.
            """
        return """
            -- The statuses of boxes, each of which may come before the first event of its box. No box
            -- twice. `lives`: whether the box says it now, or a broker has kept it. The log that a
            -- status names is that of the box from now on; one that a broker has kept may be of a
            -- broker that the box has left, and names the first log at most.\(version > 14 ? parting : "")
            CREATE OR REPLACE FUNCTION fleet.note_statuses(
                tenants text[], boxes text[], contents jsonb[], lives boolean[]) RETURNS void
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
            BEGIN
                INSERT INTO fleet.box AS b (tenant, name, status, last_seen, log, log_seen)
                    SELECT t.id, i.box, i.content, CASE WHEN i.live THEN now() ELSE '-infinity' END,
                        fleet.log_of(i.content), CASE WHEN i.live THEN now() END
                    FROM unnest(tenants, boxes, contents, lives) AS i (tenant, box, content, live)
                    JOIN fleet.tenant t ON t.name = i.tenant
                    ORDER BY 1, \(version > 11 ? "i.box COLLATE \"C\"" : "2")
                    ON CONFLICT (tenant, name) DO UPDATE SET status = \(status),
                        last_seen = greatest(b.last_seen, excluded.last_seen),
                        log_seen = CASE WHEN excluded.log = b.log
                            THEN greatest(b.log_seen, excluded.log_seen) ELSE b.log_seen END
                    WHERE b.status IS DISTINCT FROM \(status)
                        OR b.last_seen < excluded.last_seen - interval '1 minute';
                PERFORM fleet.begin_log(b.id, fleet.log_of(i.content))
                    FROM unnest(tenants, boxes, contents, lives) AS i (tenant, box, content, live)
                    JOIN fleet.tenant t ON t.name = i.tenant
                    JOIN fleet.box b ON b.tenant = t.id AND b.name = i.box
                    WHERE fleet.log_of(i.content) IS DISTINCT FROM b.log
                        AND fleet.log_of(i.content) IS NOT NULL AND (i.live OR b.log IS NULL)
                    ORDER BY b.id;
                \(version > 4 ? tails : "")
            END $$;
            """
    }
}
