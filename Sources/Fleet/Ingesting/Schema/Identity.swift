/// Version 9: which database this is, wherever it lies, for a restored backup is the same one; and what a
/// board asks of who is where, which a database of reports leaves to each shard.
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
        GRANT SELECT ON fleet.present TO fleet_reader;
        """
}
