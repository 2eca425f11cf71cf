/// Where places are, and where vehicles were last, as one JSON text each, which the database writes like
/// that of ``FleetNow``. What one place and all of them may be is bounded: the map is an overview.
package enum FleetMap {
    /// Places of an answer; those that vehicles are or were at come first, and low bridges last.
    private static let most = 2_000
    /// Corners of a place: of more, each so manieth is drawn, and of a part with fewer none.
    private static let corners = 100

    /// `{"areas":[[tenant,fence,title,radius,width,kind,rings]],"more":n}`: kinds are those of GeoJSON,
    /// `rings` arrays of `[longitude,latitude]`, of a circle one ring with its middle; `radius` and `width`
    /// in m. `more` places are not in it.
    package static let areas = """
        WITH known AS MATERIALIZED (
            SELECT DISTINCT ON (tenant, fence) tenant, fence, left(title, 200) AS title, radius, width,
                properties ? 'limits' AS is_limit, geometry->>'type' AS kind, CASE geometry->>'type'
                    WHEN 'Point' THEN jsonb_build_array(jsonb_build_array(geometry->'coordinates'))
                    WHEN 'LineString' THEN jsonb_build_array(geometry->'coordinates')
                    WHEN 'MultiPolygon' THEN jsonb_path_query_array(geometry, '$.coordinates[*][*]')
                    ELSE jsonb_path_query_array(geometry, '$.coordinates[*]') END AS rings
            FROM fleet.area WHERE geometry IS NOT NULL ORDER BY tenant, fence, published DESC),
        drawn AS (
            SELECT k.* FROM known k
            LEFT JOIN (SELECT DISTINCT t.name, p.fence FROM fleet.presence p
                JOIN fleet.tenant t ON t.id = p.tenant) AS seen
                ON seen.name = k.tenant AND seen.fence = k.fence
            ORDER BY seen.fence IS NULL, k.is_limit, k.tenant, k.fence LIMIT \(most))
        SELECT json_build_object(
            'more', (SELECT greatest(0, count(*) - \(most)) FROM known),
            'areas', (SELECT coalesce(json_agg(json_build_array(
                d.tenant, d.fence, d.title, d.radius, d.width, d.kind, shape.rings)), '[]')
            FROM drawn d
            CROSS JOIN LATERAL (
                SELECT 1 + coalesce(sum(CASE WHEN jsonb_typeof(r) = 'array'
                    THEN jsonb_array_length(r) END) - 1, 0)::int / \(corners) AS step
                FROM jsonb_array_elements(d.rings) AS r) AS all_corners
            CROSS JOIN LATERAL (
                SELECT coalesce(json_agg(ring.corners), '[]') AS rings
                FROM jsonb_array_elements(d.rings) AS r
                CROSS JOIN LATERAL (
                    SELECT json_agg(json_build_array(\(rounded(0)), \(rounded(1))) ORDER BY n) AS corners
                    FROM jsonb_path_query(r, '$[*]') WITH ORDINALITY AS c (corner, n)
                    WHERE (n - 1) % all_corners.step = 0
                    HAVING all_corners.step = 1 OR count(*) > 2) AS ring) AS shape))
        """

    /// A coordinate of a corner, to a metre; null for anything else. An outline over the antimeridian may go
    /// on beyond it.
    private static func rounded(_ index: Int) -> String {
        """
        CASE WHEN jsonb_typeof(corner->\(index)) = 'number'
            AND (corner->>\(index))::numeric BETWEEN -540 AND 540
            THEN round((corner->>\(index))::numeric, 5) END
        """
    }

    /// `{"published":[[tenant,origin,hash]],"vehicles":[[tenant,box,fence,title,inside,since,latitude,`
    /// `longitude]]}`: the last event of each vehicle that has told its position, or has left a place;
    /// `since` in ms since 1970. While `published` is the same, so are the areas.
    package static let last = """
        SELECT json_build_object(
            'published', (SELECT coalesce(json_agg(json_build_array(t.name, p.origin, p.hash, p.published)
                    ORDER BY t.name, p.origin, p.published, p.hash), '[]')
                FROM fleet.published_set p JOIN fleet.tenant t ON t.id = p.tenant),
            'vehicles', (SELECT coalesce(json_agg(json_build_array(
                    tenant, box, fence, left(title, 200), inside,
                    CASE WHEN isfinite(since) THEN (extract(epoch FROM since) * 1000)::bigint END,
                    CASE WHEN told THEN latitude END, CASE WHEN told THEN longitude END,
                    CASE WHEN told AND isfinite(located)
                        THEN (extract(epoch FROM located) * 1000)::bigint END)), '[]')
                FROM fleet.last_place WHERE told OR NOT inside))
        """
}
