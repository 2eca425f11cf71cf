/// Version 9: the areas of fences, from the sets that are published to boxes, and where each box was last:
/// for programs that draw. It needs nothing but what version 8 has.
enum Areas {
    /// Of a box at its latest coming or going, `p`: that event, `e`, with the position that it tells, and the
    /// area of the place, `a`.
    static let placed = """
        LEFT JOIN LATERAL (
            SELECT inferred, CASE WHEN fleet.degrees(details->'longitude', 180) IS NOT NULL
                    THEN fleet.degrees(details->'latitude', 90) END AS latitude,
                CASE WHEN fleet.degrees(details->'latitude', 90) IS NOT NULL
                    THEN fleet.degrees(details->'longitude', 180) END AS longitude
            FROM fleet.event
            WHERE box = p.box AND log = p.log AND seq = p.seq AND at = p.since LIMIT 1) e ON true
        LEFT JOIN LATERAL (
            SELECT f.geometry FROM fleet.fence f JOIN fleet.published_set s USING (tenant, origin, hash)
            WHERE f.tenant = p.tenant AND f.id = p.fence
            ORDER BY s.published DESC LIMIT 1) a ON true
        """

    static let sql = """
        -- A set of an origin as it was published once; its hash is that which boxes tell in their status.
        CREATE TABLE fleet.published_set (
            tenant int NOT NULL REFERENCES fleet.tenant, origin text NOT NULL, hash text NOT NULL,
            published timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (tenant, origin, hash));
        -- Its fences: `geometry` is that of GeoJSON, a circle a Point with `radius` in `properties`.
        CREATE TABLE fleet.fence (
            tenant int NOT NULL, origin text NOT NULL, hash text NOT NULL, id text NOT NULL, title text,
            geometry jsonb, properties jsonb NOT NULL, PRIMARY KEY (tenant, origin, hash, id),
            FOREIGN KEY (tenant, origin, hash) REFERENCES fleet.published_set ON DELETE CASCADE);
        CREATE INDEX fence_of_id ON fleet.fence (tenant, id);
        ALTER TABLE fleet.published_set ENABLE ROW LEVEL SECURITY;
        ALTER TABLE fleet.fence ENABLE ROW LEVEL SECURITY;
        CREATE POLICY tenant ON fleet.published_set USING (tenant IN (
            SELECT a.tenant FROM fleet.access a));
        CREATE POLICY tenant ON fleet.fence USING (tenant IN (SELECT a.tenant FROM fleet.access a));
        GRANT SELECT ON fleet.published_set, fleet.fence TO fleet_reader;
        GRANT INSERT, UPDATE, DELETE ON fleet.published_set TO fleet_keeper;
        GRANT INSERT, DELETE ON fleet.fence TO fleet_keeper;
        GRANT SELECT ON fleet.retention TO fleet_keeper;

        \(area(version: 9))

        -- A coordinate that a box has told; null for anything that is none.
        CREATE FUNCTION fleet.degrees(told jsonb, most float8) RETURNS float8
        LANGUAGE sql IMMUTABLE AS $$
            SELECT CASE WHEN jsonb_typeof(told) = 'number' AND told::text::numeric BETWEEN -most AND most
                THEN told::text::float8 END
        $$;

        -- Where each box was last: at its latest coming or going. The position is that of this event, if
        -- its uplink has `Position=yes`; otherwise that of the circle that it is in, or none.
        CREATE VIEW fleet.last_place WITH (security_invoker) AS
            SELECT t.name AS tenant, b.name AS box, p.fence, coalesce(p.title, p.fence) AS title, p.inside,
                p.since, b.last_seen AS heard, \(Views.online) AS online, e.inferred,
                coalesce(e.latitude, CASE WHEN p.inside AND a.geometry->>'type' = 'Point'
                    THEN fleet.degrees(a.geometry->'coordinates'->1, 90) END) AS latitude,
                coalesce(e.longitude, CASE WHEN p.inside AND a.geometry->>'type' = 'Point'
                    THEN fleet.degrees(a.geometry->'coordinates'->0, 180) END) AS longitude,
                e.latitude IS NOT NULL AS told, CASE WHEN p.inside THEN a.geometry END AS geometry
            FROM fleet.box b JOIN fleet.tenant t ON t.id = b.tenant
            JOIN (SELECT DISTINCT ON (box) * FROM fleet.presence ORDER BY box, since DESC, seq DESC) p
                ON p.box = b.id
            \(placed)
            WHERE b.retired IS NULL OR b.retired <= coalesce(b.log_seen, '-infinity');
        REVOKE ALL ON FUNCTION fleet.degrees FROM PUBLIC;
        GRANT EXECUTE ON FUNCTION fleet.degrees TO fleet_reader;
        GRANT SELECT ON fleet.area, fleet.last_place TO fleet_reader;
        """

    /// From version 14 on a radius or width is null where it is not a decimal number.
    static func area(version: Int) -> String {
        let number = version > 13 ? "^[0-9]{1,12}([.][0-9]{1,18})?$" : "^[0-9.]{1,12}$"
        return """
            -- Each fence once, as it was published last.
            CREATE OR REPLACE VIEW fleet.area WITH (security_invoker) AS
                SELECT DISTINCT ON (f.tenant, f.id) t.name AS tenant, f.id AS fence, f.title, f.origin, f.hash,
                    s.published, f.geometry, CASE WHEN f.properties->>'radius' ~ '\(number)'
                        THEN (f.properties->>'radius')::float8 END AS radius,
                    CASE WHEN f.properties->>'width' ~ '\(number)'
                        THEN (f.properties->>'width')::float8 END AS width, f.properties
                FROM fleet.fence f JOIN fleet.published_set s USING (tenant, origin, hash)
                JOIN fleet.tenant t ON t.id = f.tenant
                ORDER BY f.tenant, f.id, s.published DESC, f.origin, f.hash;
            """
    }

    /// With PostGIS, also where that is installed later: the same with geometries of it. A circle and a
    /// corridor are drawn as the areas that they are.
    static let drawn = """
        DO $make$
        DECLARE gis text := (SELECT n.nspname FROM pg_extension e
            JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'postgis');
        BEGIN
            IF gis IS NULL THEN RETURN; END IF;
            EXECUTE replace($view$
                CREATE OR REPLACE VIEW fleet.area_drawn WITH (security_invoker) AS
                    SELECT row_number() OVER () AS id, tenant, fence, title, origin, hash, published,
                        CASE WHEN geometry->>'type' = 'Point' AND radius > 0
                            THEN GIS.ST_Buffer(shape::GIS.geography, radius)::GIS.geometry
                        WHEN geometry->>'type' = 'LineString' AND width > 0
                            THEN GIS.ST_Buffer(shape::GIS.geography, width / 2)::GIS.geometry
                        ELSE shape END::GIS.geometry(Geometry, 4326) AS shape
                    FROM (SELECT *, GIS.ST_SetSRID(GIS.ST_GeomFromGeoJSON(geometry::text), 4326) AS shape
                        FROM fleet.area WHERE geometry IS NOT NULL) AS area
            $view$, 'GIS.', quote_ident(gis) || '.');
            EXECUTE replace($view$
                CREATE OR REPLACE VIEW fleet.last_place_drawn WITH (security_invoker) AS
                    SELECT row_number() OVER () AS id, tenant, box, fence, title, inside, since, heard,
                        online, inferred, told, GIS.ST_SetSRID(coalesce(
                            GIS.ST_MakePoint(longitude, latitude),
                            GIS.ST_PointOnSurface(GIS.ST_GeomFromGeoJSON(geometry::text))), 4326
                        )::GIS.geometry(Point, 4326) AS shape
                    FROM fleet.last_place WHERE latitude IS NOT NULL OR geometry IS NOT NULL
            $view$, 'GIS.', quote_ident(gis) || '.');
            GRANT SELECT ON fleet.area_drawn, fleet.last_place_drawn TO fleet_reader;
        END $make$
        """
}
