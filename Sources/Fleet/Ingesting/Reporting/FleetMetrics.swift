package import Metrics
package import PostgreSQL

/// What the office says of itself as metrics: of each tenant that the role may see, and nothing of one
/// box alone. A box may have sent anything: its words are told only where they are such words.
package enum FleetMetrics {
    private struct Family {
        var key: String
        var name: String
        var help: String
        /// Name of the label beside the tenant; nil: there is none.
        var label: String?
    }

    private static let families = [
        Family(
            key: "boxes", name: "geofenced_fleet_boxes",
            help: "Boxes by state; unknown is one that has been silent for 35 minutes.",
            label: "state"),
        Family(
            key: "degraded", name: "geofenced_fleet_degraded_boxes",
            help: "Boxes on which something does not work, by what that is.", label: "reason"),
        Family(
            key: "absent", name: "geofenced_fleet_absent_daemons",
            help: "Boxes whose geofenced does not run, though they can be reached.", label: "state"),
        Family(
            key: "waiting", name: "geofenced_fleet_waiting_events",
            help: "Events that boxes have and the office has not, as they last said.", label: nil),
        Family(
            key: "behind", name: "geofenced_fleet_waiting_boxes", help: "Boxes with such events.",
            label: nil),
        Family(
            key: "missing", name: "geofenced_fleet_missing_events",
            help: "Numbers that the office lacks between those that it has.", label: nil),
        Family(
            key: "lost", name: "geofenced_fleet_lost_events",
            help: "Numbers that boxes have lost before they were sent.", label: nil),
        Family(
            key: "rejected", name: "geofenced_fleet_rejected_messages",
            help: "Messages that were set aside.", label: nil),
        Family(
            key: "inside", name: "geofenced_fleet_presences",
            help: "Stays that are not over.", label: nil),
        Family(
            key: "heard", name: "geofenced_fleet_last_heard_timestamp_seconds",
            help: "When a box was last heard.", label: nil),
        Family(
            key: "rows", name: "geofenced_fleet_event_rows",
            help: "Rows of events, as PostgreSQL estimates them.", label: nil),
        Family(
            key: "overdue", name: "geofenced_fleet_overdue_partitions",
            help: "Partitions of days that should have been made or dropped and are not.",
            label: nil),
        Family(
            key: "bytes", name: "geofenced_fleet_database_bytes",
            help: "Size of the database.", label: nil),
    ]

    /// Rows of a family, a tenant and a label, which may be null, and a number.
    package static let sql = """
        WITH box AS MATERIALIZED (
            SELECT b.id, b.tenant, \(Expressions.online) AS online, b.last_seen,
                CASE WHEN b.status->>'waiting' ~ '^[0-9]{1,15}$'
                    THEN (b.status->>'waiting')::bigint ELSE 0 END AS waiting,
                CASE WHEN jsonb_typeof(b.status->'degraded') = 'array'
                    AND length(b.status->>'degraded') < 2000
                    THEN b.status->'degraded' ELSE '[]' END AS degraded,
                \(Expressions.absence) AS absence
            FROM fleet.box b),
        state AS (
            SELECT tenant, CASE online WHEN 'true' THEN 'online' WHEN 'false' THEN 'offline'
                WHEN 'retired' THEN 'retired' ELSE 'unknown' END AS state, count(*) AS boxes
            FROM box GROUP BY 1, 2),
        hole AS (
            SELECT b.tenant,
                sum((SELECT sum(upper(r) - lower(r)) FROM unnest(l.missing) r)) AS missing,
                sum((SELECT sum(upper(r) - lower(r)) FROM unnest(l.lost) r)) AS lost
            FROM fleet.box_log l JOIN fleet.box b ON b.id = l.box GROUP BY 1),
        part AS (
            SELECT i.inhrelid AS id FROM pg_inherits i WHERE i.inhparent = 'fleet.event'::regclass),
        told AS (
            SELECT 'boxes' AS family, t.name AS tenant, w.state AS label,
                coalesce(s.boxes, 0)::float8 AS number
            FROM fleet.tenant t
            CROSS JOIN unnest('{online,offline,unknown,retired}'::text[]) AS w (state)
            LEFT JOIN state s ON s.tenant = t.id AND s.state = w.state
            UNION ALL
            (SELECT 'degraded', t.name, d.reason, count(*) FROM box b
                JOIN fleet.tenant t ON t.id = b.tenant
                CROSS JOIN LATERAL (SELECT DISTINCT jsonb_array_elements_text(b.degraded)) d (reason)
                WHERE b.online <> 'retired' AND d.reason ~ '^[a-z-]{1,32}$'
                GROUP BY 2, 3 ORDER BY 4 DESC, 2, 3 LIMIT 1000)
            UNION ALL
            SELECT 'absent', t.name, w.state, count(b.id)
            FROM fleet.tenant t CROSS JOIN unnest('{no-daemon,stopped}'::text[]) AS w (state)
            LEFT JOIN box b ON b.tenant = t.id AND b.absence = w.state GROUP BY 2, 3
            UNION ALL
            SELECT f.family, t.name, NULL, coalesce(CASE f.family WHEN 'waiting' THEN b.waiting
                WHEN 'behind' THEN b.behind WHEN 'missing' THEN h.missing WHEN 'lost' THEN h.lost
                WHEN 'rejected' THEN (SELECT count(*) FROM fleet.rejected r WHERE r.tenant = t.name)
                ELSE (SELECT count(*) FROM fleet.presence p WHERE p.tenant = t.id AND p.inside)
                END, 0)
            FROM fleet.tenant t
            CROSS JOIN unnest('{waiting,behind,missing,lost,rejected,inside}'::text[]) AS f (family)
            LEFT JOIN (SELECT tenant, sum(waiting) AS waiting, count(*) FILTER (WHERE waiting > 0)
                AS behind FROM box WHERE online <> 'retired' GROUP BY 1) b ON b.tenant = t.id
            LEFT JOIN hole h ON h.tenant = t.id
            UNION ALL
            SELECT 'heard', t.name, NULL, extract(epoch FROM max(b.last_seen))
            FROM box b JOIN fleet.tenant t ON t.id = b.tenant WHERE isfinite(b.last_seen) GROUP BY 2
            UNION ALL
            SELECT 'rows', NULL, NULL, sum(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid), 0))
            FROM part JOIN pg_class c ON c.oid = part.id
            UNION ALL
            SELECT 'overdue', NULL, NULL, count(*) FROM fleet.overdue
            UNION ALL
            SELECT 'bytes', NULL, NULL, pg_database_size(current_database()))
        SELECT family, tenant, label, number FROM told ORDER BY family, tenant, label
        """

    /// The rows of ``sql``, written down.
    package static func text(_ rows: Rows) -> MetricsText {
        var samples: [String: [MetricsText.Sample]] = [:]
        for row in rows.values where row.count == 4 {
            guard let key = row[0], let value = row[3].flatMap(Double.init),
                let family = families.first(where: { $0.key == key })
            else { continue }
            var labels: [(String, String)] = []
            if let tenant = row[1] { labels.append(("tenant", tenant)) }
            if let name = family.label, let label = row[2] { labels.append((name, label)) }
            samples[key, default: []].append(.init(labels, value))
        }
        var text = MetricsText()
        for family in families {
            text.add(family.name, .gauge, family.help, samples[family.key] ?? [])
        }
        return text
    }

    /// As the role of the connection sees them.
    @MainActor package static func read(from database: Database) throws(DatabaseError)
        -> MetricsText
    {
        text(try database.run(sql))
    }
}
