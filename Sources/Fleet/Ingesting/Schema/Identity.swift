/// Version 9: which database this is, wherever it lies. A restored backup is the same one.
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
        """
}
