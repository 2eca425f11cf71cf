/// The events of one stay, as one JSON text that the database writes.
package enum Evidence {
    /// At most this many events of a stay.
    private static let most = 50

    /// `[{"tenant":…,"seq":…,"log":…,"kind":…,"at":…,"received":…,"driver":…,"inferred":…,`
    /// `"details":{…}}]` of the box `$1`, the fence `$2`, and the times `$3` to `$4`, which may be null
    /// for a stay that is not over.
    package static let sql = """
        SELECT coalesce(json_agg(to_json(e) ORDER BY e.at, e.seq), '[]') FROM (
            SELECT t.name AS tenant, e.seq, replace(e.log::text, '-', '') AS log, e.kind,
                \(Visit.iso("e.at")) AS at, \(Visit.iso("e.received")) AS received,
                d.name AS driver, e.inferred, e.details
            FROM fleet.event e JOIN fleet.box b ON b.id = e.box JOIN fleet.tenant t ON t.id = b.tenant
            LEFT JOIN fleet.driver d ON d.id = e.driver
            WHERE b.name = $1 AND e.fence = $2 AND e.at >= $3::timestamptz - interval '1 second'
                AND e.at <= coalesce($4::timestamptz, now()) + interval '1 second'
            ORDER BY e.at, e.seq LIMIT \(most)) AS e
        """
}
