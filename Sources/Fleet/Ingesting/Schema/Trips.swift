/// Version 8: trips, each of which is one event of a box.
enum Trips {
    static let sql = """
        CREATE VIEW fleet.trip WITH (security_invoker) AS
            SELECT tenant, box, \(Views.entered) AS began, at AS ended, stay AS length,
                details->>'from' AS origin, details->>'from_title' AS origin_title,
                details->>'to' AS destination, details->>'to_title' AS destination_title,
                CASE WHEN jsonb_typeof(details->'stops') = 'number'
                    AND (details->'stops')::numeric BETWEEN 0 AND 1e9
                    THEN (details->'stops')::numeric::int END AS stops,
                \(Metres.lengths), driver
            FROM fleet.event WHERE kind = 'trip' AND stay IS NOT NULL;
        CREATE INDEX event_of_trip ON fleet.event (at) WHERE kind = 'trip' AND stay IS NOT NULL;
        GRANT SELECT ON fleet.trip TO fleet_reader;
        """
}
