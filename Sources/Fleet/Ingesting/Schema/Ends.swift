/// Version 4: a box is taken out of service, or forgotten.
enum Ends {
    static let sql = """
        ALTER TABLE fleet.box ADD COLUMN retired timestamptz;

        -- What was set aside is of the tenant that it names.
        ALTER TABLE fleet.rejected ENABLE ROW LEVEL SECURITY;
        CREATE POLICY tenant ON fleet.rejected USING (tenant IN (SELECT t.name FROM fleet.tenant t));
        GRANT SELECT ON fleet.rejected TO fleet_reader;

        -- For those who end boxes of the tenants that they were given; made once for all databases of
        -- a server.
        DO $$
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fleet_keeper') THEN
                CREATE ROLE fleet_keeper NOLOGIN IN ROLE fleet_reader;
            END IF;
        END $$;
        GRANT USAGE ON SCHEMA fleet TO fleet_keeper;
        GRANT DELETE ON fleet.event, fleet.presence, fleet.ended, fleet.box_log, fleet.assignment,
            fleet.rejected, fleet.box TO fleet_keeper;
        GRANT INSERT ON fleet.ended TO fleet_keeper;
        GRANT UPDATE (retired) ON fleet.box TO fleet_keeper;

        -- The box of a name, or of `TENANT/NAME`, locked: an ingest waits that hears of it meanwhile.
        -- These functions run as who calls them, with the row security of that role.
        CREATE FUNCTION fleet.box_named(wanted text) RETURNS int
        LANGUAGE plpgsql SET search_path = fleet, pg_catalog, pg_temp AS $$
        DECLARE found int[];
        BEGIN
            found := ARRAY(SELECT b.id FROM fleet.box b JOIN fleet.tenant t ON t.id = b.tenant
                WHERE wanted IN (b.name, t.name || '/' || b.name) FOR UPDATE OF b);
            IF cardinality(found) = 0 THEN RAISE 'there is no box %', wanted; END IF;
            IF cardinality(found) > 1 THEN
                RAISE 'several tenants have a box %; name one as TENANT/%', wanted, wanted;
            END IF;
            RETURN found[1];
        END $$;

        -- Stays that are not over end when the box was last heard; returns how many.
        CREATE FUNCTION fleet.retire(wanted text) RETURNS bigint
        LANGUAGE plpgsql SET search_path = fleet, pg_catalog, pg_temp AS $$
        DECLARE gone int := fleet.box_named(wanted);
        BEGIN
            UPDATE fleet.box SET retired = now() WHERE id = gone;
            RETURN fleet.end_presences(gone, NULL);
        END $$;

        \(forget(version: 4))

        REVOKE ALL ON FUNCTION fleet.box_named, fleet.retire, fleet.forget FROM PUBLIC;
        GRANT EXECUTE ON FUNCTION fleet.box_named, fleet.retire, fleet.forget, fleet.end_presences
            TO fleet_keeper;
        """

    /// What erases a box; from version 17 on with the drivers whom it alone has named.
    static func forget(version: Int) -> String {
        let tables =
            ["event", "presence", "ended", "box_log", "assignment"]
            + (version > 16 ? ["driver"] : [])
        return """
            -- Erases every row of a box; returns how many.
            CREATE OR REPLACE FUNCTION fleet.forget(wanted text) RETURNS bigint
            LANGUAGE plpgsql SET search_path = fleet, pg_catalog, pg_temp AS $$
            DECLARE
                gone int := fleet.box_named(wanted);
                erased bigint := 0;
                several bigint;
                part text;
            BEGIN
                FOREACH part IN ARRAY
                        ARRAY[\(tables.map { "'\($0)'" }.joined(separator: ", "))] LOOP
                    EXECUTE format('DELETE FROM fleet.%I WHERE box = $1', part) USING gone;
                    GET DIAGNOSTICS several = ROW_COUNT;
                    erased := erased + several;
                END LOOP;
                DELETE FROM fleet.rejected r USING fleet.box b, fleet.tenant t
                    WHERE b.id = gone AND t.id = b.tenant AND r.tenant = t.name AND r.box = b.name;
                GET DIAGNOSTICS several = ROW_COUNT;
                DELETE FROM fleet.box WHERE id = gone;
                RETURN erased + several + 1;
            END $$;
            """
    }
}
