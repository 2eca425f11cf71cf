/// Version 1: what is asked, and by whom.
enum Views {
    /// When the visit began that an exit ended, of its row. In UTC, where a day is always as long: an
    /// index can have that.
    static let entered = "((at AT TIME ZONE 'UTC') - stay) AT TIME ZONE 'UTC'"

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

    static let sql = """
        -- The exit carries the stay: a finished visit is one row, right even if its enter was lost.
        CREATE VIEW fleet.visit WITH (security_invoker) AS
            SELECT tenant, box, fence, title, \(entered) AS entered, at AS left_at, stay, inferred
            FROM fleet.event WHERE kind = 'exit' AND stay IS NOT NULL
            UNION ALL
            SELECT tenant, box, fence, title, since, NULL, now() - since, false
            FROM fleet.presence WHERE inside;

        CREATE VIEW fleet.detention WITH (security_invoker) AS
            SELECT v.*, a.driver, v.stay - \(free) AS over
            FROM fleet.visit v
            LEFT JOIN fleet.free_time f USING (tenant, fence)
            LEFT JOIN fleet.assignment a ON a.box = v.box AND a.during @> v.entered
            WHERE v.stay > \(free);

        -- The sets of fences of each box, as its status tells them; who sends it may send anything.
        CREATE VIEW fleet.fence_set WITH (security_invoker) AS
            SELECT b.tenant, b.id AS box, o.key AS origin, o.value->>'hash' AS hash,
                o.value->>'state' AS state,
                CASE WHEN jsonb_typeof(o.value->'fences') = 'number'
                    THEN (o.value->>'fences')::numeric END AS fences
            FROM fleet.box b CROSS JOIN LATERAL jsonb_each(
                CASE WHEN jsonb_typeof(b.status->'origins') = 'object'
                    THEN b.status->'origins' ELSE '{}' END) AS o;

        -- A database role sees the tenants that it was given, whatever it sets.
        CREATE TABLE fleet.access (
            role name NOT NULL, tenant int NOT NULL REFERENCES fleet.tenant,
            PRIMARY KEY (role, tenant));
        DO $$
        DECLARE name text;
        BEGIN
            -- A role may have been dropped.
            ALTER TABLE fleet.access ENABLE ROW LEVEL SECURITY;
            CREATE POLICY mine ON fleet.access USING (role IN (
                SELECT r.rolname FROM pg_roles r WHERE pg_has_role(r.oid, 'member')));
            -- What `access` has is then what the reader may see of it.
            FOREACH name IN ARRAY ARRAY['event', 'presence', 'box', 'free_time'] LOOP
                EXECUTE format('ALTER TABLE fleet.%I ENABLE ROW LEVEL SECURITY', name);
                EXECUTE format('CREATE POLICY tenant ON fleet.%I USING (tenant IN (
                    SELECT a.tenant FROM fleet.access a))', name);
            END LOOP;
            -- A reader does not see the names of other tenants.
            ALTER TABLE fleet.tenant ENABLE ROW LEVEL SECURITY;
            CREATE POLICY tenant ON fleet.tenant USING (id IN (
                SELECT a.tenant FROM fleet.access a));
            FOREACH name IN ARRAY ARRAY['box_log', 'assignment'] LOOP
                EXECUTE format('ALTER TABLE fleet.%I ENABLE ROW LEVEL SECURITY', name);
                EXECUTE format('CREATE POLICY tenant ON fleet.%I USING (box IN (
                    SELECT b.id FROM fleet.box b))', name);
            END LOOP;
            -- For everybody who reads; made once for all databases of a server.
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fleet_reader') THEN
                CREATE ROLE fleet_reader NOLOGIN;
            END IF;
            -- For the ingest: it may take events, and nothing else.
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fleet_ingest') THEN
                CREATE ROLE fleet_ingest NOLOGIN;
            END IF;
            -- Nor may it fill the disk with tables of its own.
            EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
        END $$;
        GRANT USAGE ON SCHEMA fleet TO fleet_reader, fleet_ingest;
        GRANT SELECT ON fleet.event, fleet.presence, fleet.box, fleet.box_log, fleet.assignment,
            fleet.free_time, fleet.access, fleet.visit, fleet.detention, fleet.fence_set,
            fleet.tenant
            TO fleet_reader;
        """
}
