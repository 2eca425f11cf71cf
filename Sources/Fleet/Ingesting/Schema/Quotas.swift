import SharedLimits

/// Version 2: a quota for everything that a box can make grow, and nothing is acknowledged that is not
/// there.
enum Quotas {
    static let sql = """
        -- When something of it was last heard.
        ALTER TABLE fleet.box_log ADD COLUMN touched timestamptz NOT NULL DEFAULT now();
        -- Of a tenant that is there; all others share one quota.
        ALTER TABLE fleet.rejected ADD COLUMN is_known boolean NOT NULL DEFAULT true;
        CREATE INDEX rejected_of_nobody ON fleet.rejected (received) WHERE NOT is_known;
        -- When the tables were last brought back to their quotas.
        ALTER TABLE fleet.retention ADD COLUMN pruned timestamptz NOT NULL DEFAULT '-infinity';

        \(Functions.take(version: 2))

        -- What could not be read or stored, with its content; a message that comes again is there once.
        -- False: its box has used up its quota, and is not told that the office has it.
        DROP FUNCTION fleet.set_aside(text, text, text, bytea);
        CREATE FUNCTION fleet.set_aside(
            tenant_name text, box_name text, why text, content bytea) RETURNS boolean
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
        DECLARE
            known boolean := EXISTS (SELECT FROM fleet.tenant t WHERE t.name = tenant_name);
            used record;
        BEGIN
            IF EXISTS (SELECT FROM fleet.rejected r WHERE r.tenant = tenant_name
                    AND r.box = box_name AND r.payload = content) THEN
                RETURN true;
            END IF;
            IF known THEN
                SELECT count(*) AS rows, coalesce(sum(octet_length(r.payload)), 0) AS bytes INTO used
                    FROM fleet.rejected r WHERE r.tenant = tenant_name AND r.box = box_name;
            ELSE
                SELECT count(*) AS rows, coalesce(sum(octet_length(r.payload)), 0) AS bytes INTO used
                    FROM fleet.rejected r WHERE NOT r.is_known;
            END IF;
            IF used.rows >= \(SharedLimits.setAside.count)
                    OR used.bytes + octet_length(content) > \(SharedLimits.setAside.bytes) THEN
                RETURN false;
            END IF;
            INSERT INTO fleet.rejected (tenant, box, reason, payload, is_known)
                VALUES (tenant_name, box_name, why, content, known);
            RETURN true;
        END $$;

        \(prune(version: 2))

        -- Every few minutes, by one of the ingests; true if it was this one.
        CREATE FUNCTION fleet.prune_if_due() RETURNS boolean
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
        BEGIN
            UPDATE fleet.retention SET pruned = now() WHERE pruned < now() - interval '5 minutes';
            IF NOT FOUND THEN RETURN false; END IF;
            PERFORM fleet.prune();
            RETURN true;
        END $$;

        REVOKE ALL ON ALL FUNCTIONS IN SCHEMA fleet FROM PUBLIC;
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA fleet TO fleet_ingest;
        """

    /// What brings the tables back to their quotas; from version 3 on with the stays that
    /// no exit ended and with the drivers, from version 7 on with those that boxes name, from version 11
    /// on with positions, from version 17 on with a quota of the drivers that a box names.
    static func prune(version: Int) -> String {
        let ended = """
            DELETE FROM fleet.assignment WHERE upper(during) < oldest;
            DELETE FROM fleet.ended WHERE left_at < oldest;
            DELETE FROM fleet.ended e USING (
                SELECT box, log, fence, seq, row_number() OVER (
                    PARTITION BY box ORDER BY left_at DESC, log, fence, seq) AS place
                FROM fleet.ended WHERE box IN (
                    SELECT box FROM fleet.ended GROUP BY box
                    HAVING count(*) > \(SharedLimits.presences))) AS ranked
                WHERE (e.box, e.log, e.fence, e.seq)
                    = (ranked.box, ranked.log, ranked.fence, ranked.seq)
                    AND ranked.place > \(SharedLimits.presences);
            """
        let drivers = """
            DELETE FROM fleet.driver d USING (
                    SELECT id, row_number() OVER (
                        PARTITION BY box ORDER BY last_seen DESC, id DESC) AS place
                    FROM fleet.driver WHERE box IN (
                        SELECT box FROM fleet.driver GROUP BY box
                        HAVING count(*) > \(SharedLimits.drivers))) AS ranked
                    WHERE d.id = ranked.id AND ranked.place > \(SharedLimits.drivers);
            """
        return """
            -- Back to the quotas of each box: what was heard of longest ago goes first. What is older than
            -- the retention goes in any case, except where a box still is.
            CREATE OR REPLACE FUNCTION fleet.prune() RETURNS void
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
            DECLARE oldest timestamptz;
            BEGIN
                SELECT now() - make_interval(days => r.days) INTO STRICT oldest FROM fleet.retention r;
                DELETE FROM fleet.rejected WHERE received < oldest;
                DELETE FROM fleet.box_log WHERE touched < oldest;
                DELETE FROM fleet.presence WHERE NOT inside AND since < oldest;
                \(version > 2 ? ended : "")
                \(version > 6 ? "DELETE FROM fleet.driver WHERE last_seen < oldest;" : "")
                \(version > 10 ? "DELETE FROM fleet.position WHERE received < oldest;" : "")
                \(version > 16 ? drivers : "")
                DELETE FROM fleet.box_log l USING (
                    SELECT box, log, row_number() OVER (
                        PARTITION BY box ORDER BY touched DESC, log) AS place
                    FROM fleet.box_log WHERE box IN (
                        SELECT box FROM fleet.box_log GROUP BY box HAVING count(*) > \(SharedLimits.logs))
                    ) AS ranked
                    WHERE l.box = ranked.box AND l.log = ranked.log AND ranked.place > \(SharedLimits.logs);
                DELETE FROM fleet.presence p USING (
                    SELECT box, fence, row_number() OVER (
                        PARTITION BY box ORDER BY since DESC, fence) AS place
                    FROM fleet.presence WHERE box IN (
                        SELECT box FROM fleet.presence GROUP BY box
                        HAVING count(*) > \(SharedLimits.presences))) AS ranked
                    WHERE p.box = ranked.box AND p.fence = ranked.fence
                        AND ranked.place > \(SharedLimits.presences);
            END $$;
            """
    }
}
