/// Version 11: where a box says that it is between its events.
enum Positions {
    static let sql = """
        -- Of each box the last one.
        CREATE TABLE fleet.position (
            box int PRIMARY KEY REFERENCES fleet.box ON DELETE CASCADE,
            tenant int NOT NULL REFERENCES fleet.tenant, at timestamptz NOT NULL,
            latitude float8 NOT NULL, longitude float8 NOT NULL, error_m float8, speed_mps float8,
            course_deg float8, received timestamptz NOT NULL DEFAULT now());
        ALTER TABLE fleet.position ENABLE ROW LEVEL SECURITY;
        CREATE POLICY tenant ON fleet.position USING (tenant IN (SELECT a.tenant FROM fleet.access a));
        GRANT SELECT ON fleet.position TO fleet_reader;

        -- Positions of boxes that have sent something else before. No box twice. A later one counts, but
        -- for one of a clock that was ahead.
        CREATE FUNCTION fleet.note_positions(
            tenants text[], boxes text[], ats timestamptz[], latitudes float8[], longitudes float8[],
            errors float8[], speeds float8[], courses float8[]) RETURNS void
        LANGUAGE sql SECURITY DEFINER SET search_path = fleet, pg_catalog, pg_temp AS $$
            INSERT INTO fleet.position AS p
                    (box, tenant, at, latitude, longitude, error_m, speed_mps, course_deg)
                SELECT b.id, t.id, i.at, i.latitude, i.longitude, i.error, i.speed, i.course
                FROM unnest(tenants, boxes, ats, latitudes, longitudes, errors, speeds, courses)
                    AS i (tenant, box, at, latitude, longitude, error, speed, course)
                JOIN fleet.tenant t ON t.name = i.tenant
                JOIN fleet.box b ON b.tenant = t.id AND b.name = i.box
                WHERE i.at < now() + interval '1 day'
                ORDER BY b.id
                ON CONFLICT (box) DO UPDATE SET at = excluded.at, latitude = excluded.latitude,
                    longitude = excluded.longitude, error_m = excluded.error_m,
                    speed_mps = excluded.speed_mps, course_deg = excluded.course_deg, received = now()
                WHERE p.at < excluded.at OR p.at > now();
        $$;
        REVOKE ALL ON FUNCTION fleet.note_positions FROM PUBLIC;
        GRANT EXECUTE ON FUNCTION fleet.note_positions TO fleet_ingest;

        \(lastPlace(version: 11))

        \(Quotas.prune(version: 11))
        """

    /// Where each box was last; from version 14 on by the numbers of its events, and a time to come hides no
    /// position: the clock of a receiver may have been wrong for a moment.
    static func lastPlace(version: Int) -> String {
        let latest = version > 13 ? "seq DESC" : "since DESC, seq DESC"
        let isNewer =
            version > 13
            ? "(o.at >= coalesce(p.since, '-infinity') OR p.since > now())"
            : "o.at >= coalesce(p.since, '-infinity')"
        return """
            -- Where each box was last. The position is the one that it has told since its latest coming or
            -- going; else that of this event, if its uplink has `Position=yes`; else that of the circle that
            -- it is in, or none. `located`: when it was at a position that it has told.
            CREATE OR REPLACE VIEW fleet.last_place WITH (security_invoker) AS
                SELECT t.name AS tenant, b.name AS box, p.fence, coalesce(p.title, p.fence) AS title, p.inside,
                    p.since, b.last_seen AS heard, \(Views.online) AS online, e.inferred,
                    coalesce(o.latitude, e.latitude, CASE WHEN p.inside AND a.geometry->>'type' = 'Point'
                        THEN fleet.degrees(a.geometry->'coordinates'->1, 90) END) AS latitude,
                    coalesce(o.longitude, e.longitude, CASE WHEN p.inside AND a.geometry->>'type' = 'Point'
                        THEN fleet.degrees(a.geometry->'coordinates'->0, 180) END) AS longitude,
                    coalesce(o.latitude, e.latitude) IS NOT NULL AS told,
                    CASE WHEN p.inside THEN a.geometry END AS geometry,
                    coalesce(o.at, CASE WHEN e.latitude IS NOT NULL THEN p.since END) AS located,
                    o.error_m, o.speed_mps, o.course_deg
                FROM fleet.box b JOIN fleet.tenant t ON t.id = b.tenant
                LEFT JOIN (SELECT DISTINCT ON (box) * FROM fleet.presence ORDER BY box, \(latest)) p
                    ON p.box = b.id
                LEFT JOIN fleet.position o ON o.box = b.id AND \(isNewer)
                \(Areas.placed)
                WHERE (p.box IS NOT NULL OR o.box IS NOT NULL)
                    AND (b.retired IS NULL OR b.retired <= coalesce(b.log_seen, '-infinity'));
            """
    }
}
