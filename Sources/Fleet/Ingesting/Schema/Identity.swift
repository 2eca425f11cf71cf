/// Version 10: which database this is, wherever it lies, for a restored backup is the same one; and what a
/// database of reports leaves to each shard: who is where, and which logs are whole.
enum Identity {
    static let sql = """
        CREATE TABLE fleet.identity (
            is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
            id uuid NOT NULL DEFAULT gen_random_uuid());
        INSERT INTO fleet.identity DEFAULT VALUES;

        CREATE FUNCTION fleet.identity() RETURNS uuid
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
            SELECT id FROM fleet.identity
        $$;
        REVOKE ALL ON FUNCTION fleet.identity FROM PUBLIC;
        GRANT EXECUTE ON FUNCTION fleet.identity TO fleet_ingest;

        -- Who is where, with the driver that the box named when it entered, or else was assigned.
        CREATE VIEW fleet.present WITH (security_invoker) AS
            SELECT p.tenant, p.box, p.fence, p.title, p.since, coalesce(d.name, a.driver) AS driver,
                e.inferred
            FROM fleet.presence p
            -- By the whole key, whatever the statistics say.
            LEFT JOIN LATERAL (
                SELECT driver, inferred FROM fleet.event
                WHERE box = p.box AND log = p.log AND seq = p.seq AND at = p.since LIMIT 1) AS e ON true
            LEFT JOIN fleet.driver d ON d.id = e.driver
            LEFT JOIN fleet.assignment a ON a.box = p.box AND a.during @> p.since
            WHERE p.inside;

        -- The first events of this log are at another shard.
        ALTER TABLE fleet.box_log ADD COLUMN moved boolean NOT NULL DEFAULT false;
        -- Logs that are here from their first event on: nothing was dropped that may have come before it.
        CREATE VIEW fleet.whole_log WITH (security_invoker) AS
            SELECT l.box, l.log FROM fleet.box_log l JOIN fleet.box b ON b.id = l.box
            WHERE l.heard @> 1::bigint AND NOT l.moved AND b.first_seen >= (
                SELECT to_date(min(substr(relname, 7)), 'YYYYMMDD') FROM pg_class c
                JOIN pg_namespace n ON n.oid = relnamespace
                WHERE n.nspname = 'fleet' AND relname ~ '^event_[0-9]{8}$' AND relkind = 'r');
        GRANT SELECT ON fleet.present, fleet.whole_log TO fleet_reader;
        """
}
