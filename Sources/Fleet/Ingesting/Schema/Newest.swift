/// Version 18: who is where, of a box that is in very many places the newest ones alone.
enum Newest {
    /// Places of a box.
    private static let most = 100

    static let sql = """
        -- As `present`, of each box its newest places, and how many it has beyond them. The events are
        -- looked up of these alone.
        CREATE VIEW fleet.newest_present WITH (security_invoker) AS
            SELECT p.tenant, p.box, p.fence, p.title, p.since, coalesce(d.name, a.driver) AS driver,
                e.inferred, coalesce(r.left_out, 0) AS left_out
            FROM fleet.box b
            CROSS JOIN LATERAL (
                SELECT * FROM fleet.presence WHERE box = b.id AND inside
                ORDER BY since DESC, fence COLLATE "C" LIMIT \(most)) AS p
            -- By the whole key, whatever the statistics say.
            LEFT JOIN LATERAL (
                SELECT driver, inferred FROM fleet.event
                WHERE box = p.box AND log = p.log AND seq = p.seq AND at = p.since LIMIT 1) AS e ON true
            LEFT JOIN fleet.driver d ON d.id = e.driver
            LEFT JOIN fleet.assignment a ON a.box = p.box AND a.during @> p.since
            LEFT JOIN (
                SELECT box, count(*) - \(most) AS left_out FROM fleet.presence WHERE inside
                GROUP BY box HAVING count(*) > \(most)) AS r ON r.box = b.id;
        GRANT SELECT ON fleet.newest_present TO fleet_reader;
        """
}
