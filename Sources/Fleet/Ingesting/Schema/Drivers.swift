/// Version 7: who drove, as boxes say it.
enum Drivers {
    static let sql = """
        -- An event has the number, and this row the name: who is deleted here has driven nothing, and
        -- no number is given twice.
        CREATE TABLE fleet.driver (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            tenant int NOT NULL REFERENCES fleet.tenant, name text NOT NULL,
            last_seen timestamptz NOT NULL DEFAULT now(),
            UNIQUE (tenant, name));
        ALTER TABLE fleet.event ADD COLUMN driver bigint;
        ALTER TABLE fleet.driver ENABLE ROW LEVEL SECURITY;
        CREATE POLICY tenant ON fleet.driver USING (tenant IN (
            SELECT a.tenant FROM fleet.access a));
        GRANT SELECT ON fleet.driver TO fleet_reader;
        GRANT DELETE ON fleet.driver TO fleet_keeper;

        -- What boxes have said to an office that did not know it.
        INSERT INTO fleet.driver (tenant, name, last_seen)
            SELECT tenant, details->>'driver', max(received) FROM fleet.event
            WHERE details ? 'driver' AND details->>'driver' IS NOT NULL GROUP BY 1, 2;
        UPDATE fleet.event e SET driver = d.id, details = e.details - 'driver' FROM fleet.driver d
            WHERE e.details ? 'driver' AND d.tenant = e.tenant AND d.name = e.details->>'driver';

        -- Of a stay that no exit ended the number is not known.
        CREATE OR REPLACE VIEW fleet.visit WITH (security_invoker) AS
            SELECT tenant, box, fence, title, \(Views.entered) AS entered, at AS left_at, stay, inferred,
                \(Metres.lengths), driver
            FROM fleet.event WHERE kind = 'exit' AND stay IS NOT NULL
            UNION ALL
            SELECT tenant, box, fence, title, since, left_at, left_at - since, true, NULL, NULL, NULL, NULL
            FROM fleet.ended
            UNION ALL
            SELECT tenant, box, fence, title, since, NULL, greatest(now() - since, interval '0'), false,
                NULL, NULL, NULL, NULL
            FROM fleet.presence WHERE inside;

        -- Whom the box names, and else who was assigned.
        CREATE OR REPLACE VIEW fleet.detention WITH (security_invoker) AS
            SELECT v.tenant, v.box, v.fence, v.title, v.entered, v.left_at, v.stay, v.inferred,
                coalesce(d.name, a.driver) AS driver, v.stay - \(Views.free) AS over
            FROM fleet.visit v
            LEFT JOIN fleet.free_time f USING (tenant, fence)
            LEFT JOIN fleet.assignment a ON a.box = v.box AND a.during @> v.entered
            LEFT JOIN fleet.driver d ON d.id = v.driver
            WHERE v.stay > \(Views.free);

        \(Functions.take(version: 7))

        \(Quotas.prune(version: 7))
        """
}
