/// Who is where, and which box needs a look, as one JSON text that the database writes: a fleet of ten
/// thousand boxes is read and passed on without a value for each of its cells.
package enum FleetNow {
    /// Milliseconds since 1970 of a time; null for one that is not finite.
    private static func milliseconds(_ time: String) -> String {
        "CASE WHEN isfinite(\(time)) THEN (extract(epoch FROM \(time)) * 1000)::bigint END"
    }

    /// `{"at":…,"tenants":[NAME],"boxes":[[id,name,tenant,online,seen,heard,waiting,missing,`
    /// `degraded,left out,first,absence,since]],"places":[[tenant,fence,title,free_s,[[box,since,driver,inferred]]]]}`, times in milliseconds
    /// since 1970, and `silent`, the numbers of shards that are left out; `left out` is the number of places
    /// of a box beyond its newest, which are not among the others, `first` that of the first event that there is of its current
    /// log, 1 also where those before are at another shard; `absence` that of a geofenced that does not run,
    /// null for one that does, and `since` when that is so, as the box has it. What a status says is taken where it is short and of the
    /// right type, for a box may send anything.
    package static let sql = """
        WITH box AS MATERIALIZED (
            SELECT b.id, b.name, b.log, t.name AS tenant, left(\(Expressions.online), 20) AS online,
                \(milliseconds("b.last_seen")) AS seen, b.last_seen >= \(Expressions.silent) AS heard,
                CASE WHEN b.status->>'waiting' ~ '^[0-9]{1,15}$'
                    THEN (b.status->>'waiting')::bigint END AS waiting,
                CASE WHEN jsonb_typeof(b.status->'degraded') = 'array'
                    AND length(b.status->>'degraded') < 2000 THEN b.status->'degraded' END AS degraded,
                \(Expressions.absence) AS absence, \(Expressions.since) AS since
            FROM fleet.box b JOIN fleet.tenant t ON t.id = b.tenant),
        hole AS MATERIALIZED (
            SELECT l.box, sum(upper(r) - lower(r)) AS missing
            FROM fleet.box_log l CROSS JOIN LATERAL unnest(l.missing) AS r GROUP BY l.box),
        beginning AS MATERIALIZED (
            SELECT box, log, first_seq FROM fleet.box_log WHERE first_seq > 1 AND NOT moved),
        stay AS MATERIALIZED (
            SELECT p.tenant, p.box, p.fence, left(p.title, 200) AS title, p.since,
                left(p.driver, 200) AS driver, p.inferred, p.left_out
            FROM fleet.newest_present p),
        rest AS MATERIALIZED (
            SELECT box, max(left_out) AS stays FROM stay WHERE left_out > 0 GROUP BY box),
        place AS MATERIALIZED (
            SELECT p.tenant, p.fence, (array_agg(p.title ORDER BY p.since DESC))[1] AS title,
                json_agg(json_build_array(p.box, \(milliseconds("p.since")), p.driver, p.inferred)
                    ORDER BY p.since, p.box) AS inside
            FROM stay p GROUP BY p.tenant, p.fence)
        SELECT json_build_object(
            'at', \(milliseconds("now()")), 'silent', to_json(\(Federation.leftOut)),
            'tenants', (SELECT coalesce(json_agg(name ORDER BY name), '[]') FROM fleet.tenant),
            'boxes', (SELECT coalesce(json_agg(json_build_array(
                    b.id, b.name, b.tenant, b.online, b.seen, b.heard, b.waiting,
                    coalesce(h.missing, 0), coalesce(b.degraded, '[]'), coalesce(r.stays, 0),
                    coalesce(f.first_seq, 1), b.absence,
                    CASE WHEN b.absence IS NOT NULL THEN b.since END) ORDER BY b.name, b.tenant), '[]')
                FROM box b LEFT JOIN hole h ON h.box = b.id LEFT JOIN rest r ON r.box = b.id
                LEFT JOIN beginning f ON f.box = b.id AND f.log = b.log
                WHERE b.online <> 'retired'),
            'places', (SELECT coalesce(json_agg(json_build_array(
                    t.name, p.fence, p.title, extract(epoch FROM \(Expressions.free)), p.inside)), '[]')
                FROM place p JOIN fleet.tenant t ON t.id = p.tenant
                LEFT JOIN fleet.free_time f ON f.tenant = p.tenant AND f.fence = p.fence))
        """
}
