/// Views for programs that draw, beside the schema.
enum DrawnAreas {
    /// With PostGIS, also where that is installed later: the same with geometries of it. A circle and a
    /// corridor are drawn as the areas that they are.
    static let sql = """
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
