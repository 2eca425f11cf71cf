import SharedLimits

/// Version 17: what boxes say uses up nothing that has an end. A row that is offered to a table draws its
/// number whether it is stored or not: so only rows that are not there are offered.
enum Finite {
    static let sql = """
        -- That of a box stays an `int`, as is promised. Where an earlier version has drawn nearly all of
        -- them they begin again: what makes boxes skips those in use.
        ALTER TABLE fleet.box ALTER COLUMN id SET CYCLE;

        -- The box that has named the driver; null for one whom several have named, and where it is not
        -- known.
        ALTER TABLE fleet.driver ADD COLUMN box int;

        \(Sequences.take(version: 17))

        \(noteStatuses)

        \(Quotas.prune(version: 17))

        \(Ends.forget(version: 17))
        """

    /// Names of drivers that are new, or that a day, or another box, makes different.
    static let nameDrivers = """
        INSERT INTO fleet.driver AS d (tenant, name, box)
                SELECT i.tenant, i.name, CASE WHEN min(i.box) = max(i.box) THEN min(i.box) END
                FROM (
                    SELECT g.tenant, g.box, g.details->>'driver' AS name
                    FROM unnest(owners, ids, details) AS g (tenant, box, details)
                    WHERE g.details ? 'driver') AS i
                -- By key for each row, whatever the statistics say: hence OFFSET.
                WHERE i.name IS NOT NULL AND NOT EXISTS (
                    SELECT FROM fleet.driver k WHERE k.tenant = i.tenant AND k.name = i.name
                        AND coalesce(k.box = i.box, true)
                        AND k.last_seen >= now() - interval '1 day' OFFSET 0)
                GROUP BY i.tenant, i.name ORDER BY 1, 2
                ON CONFLICT (tenant, name) DO UPDATE SET last_seen = now(),
                    box = CASE WHEN d.box = excluded.box THEN d.box END;
        """

    /// What takes statuses, as before.
    private static let noteStatuses = """
        -- The statuses of boxes, each of which may come before the first event of its box. No box
        -- twice. `lives`: whether the box says it now, or a broker has kept it. The log that a
        -- status names is that of the box from now on; one that a broker has kept may be of a
        -- broker that the box has left, and names the first log at most.
        -- The broker's word that a box has gone, and its own, name no log: they change
        -- whether it is online, and nothing of what it said before.
        -- Boxes are looked up once, and locked in the order in which fleet.take does.
        CREATE OR REPLACE FUNCTION fleet.note_statuses(
            tenants text[], boxes text[], contents jsonb[], lives boolean[]) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
        DECLARE
            -- Of each row: its tenant and its box.
            owners int[];
            ids int[];
        BEGIN
            LOOP
                SELECT array_agg(i.owner ORDER BY i.place), array_agg(b.id ORDER BY i.place)
                    INTO owners, ids
                    FROM (
                        SELECT t.id AS owner, g.box, g.place
                        FROM unnest(tenants, boxes) WITH ORDINALITY AS g (tenant, box, place)
                        LEFT JOIN fleet.tenant t ON t.name = g.tenant
                        ORDER BY t.id, g.box COLLATE "C") AS i
                    LEFT JOIN LATERAL (
                        SELECT id FROM fleet.box
                        WHERE tenant = i.owner AND name = i.box LIMIT 1 FOR NO KEY UPDATE) AS b ON true;
                EXIT WHEN NOT EXISTS (
                    SELECT FROM unnest(owners, ids) AS i (owner, id)
                    WHERE i.owner IS NOT NULL AND i.id IS NULL);
                INSERT INTO fleet.box (tenant, name, status, last_seen, log, log_seen)
                    SELECT i.owner, i.name, i.content,
                        CASE WHEN i.live THEN now() ELSE '-infinity' END, fleet.log_of(i.content),
                        CASE WHEN i.live THEN now() END
                    FROM unnest(owners, ids, boxes, contents, lives) AS i (owner, id, name, content, live)
                    WHERE i.owner IS NOT NULL AND i.id IS NULL
                    ORDER BY 1, i.name COLLATE "C" ON CONFLICT DO NOTHING;
            END LOOP;
            UPDATE fleet.box b SET status = i.status, last_seen = greatest(b.last_seen, i.seen),
                log_seen = CASE WHEN i.log = b.log
                    THEN greatest(b.log_seen, CASE WHEN i.live THEN now() END) ELSE b.log_seen END
                FROM (
                    SELECT k.id, n.live, fleet.log_of(n.content) AS log,
                        CASE WHEN n.live THEN now() ELSE '-infinity' END AS seen,
                        -- That alone is taken of it: a status that only grows would have no bound.
                        CASE WHEN n.content->>'online' = 'false' AND NOT n.content ? 'log'
                                AND jsonb_typeof(k.status) = 'object'
                            THEN k.status || '{"online": false}' ELSE n.content END AS status
                    FROM unnest(ids, contents, lives) AS n (id, content, live)
                    CROSS JOIN LATERAL (
                        SELECT id, status FROM fleet.box WHERE id = n.id LIMIT 1) AS k) AS i
                WHERE b.id = i.id AND (b.status IS DISTINCT FROM i.status
                    OR b.last_seen < i.seen - interval '1 minute');
            PERFORM fleet.begin_log(b.id, fleet.log_of(i.content))
                FROM unnest(ids, contents, lives) AS i (id, content, live)
                JOIN fleet.box b ON b.id = i.id
                WHERE fleet.log_of(i.content) IS DISTINCT FROM b.log
                    AND fleet.log_of(i.content) IS NOT NULL AND (i.live OR b.log IS NULL)
                ORDER BY b.id;
            \(Lives.tails)
        END $$;
        """
}
