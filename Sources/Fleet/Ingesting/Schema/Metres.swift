/// Version 6: a visit has its metres.
enum Metres {
    /// A member of an exit that is a length; null where it is none.
    private static func length(_ key: String) -> String {
        """
        CASE WHEN jsonb_typeof(details->'\(key)') = 'number'
            AND (details->'\(key)')::numeric BETWEEN 0 AND 1e9
            THEN (details->'\(key)')::double precision END AS \(key)
        """
    }

    /// What the odometer showed at an event, m; null where it does not say, or nothing that can be.
    static let odometer = """
        CASE WHEN jsonb_typeof(details->'odometer_m') = 'number'
            AND (details->'odometer_m')::numeric BETWEEN 0 AND 1e10
            THEN (details->'odometer_m')::double precision END
        """

    /// Of a row of an exit.
    static let lengths = ["way_m", "way_error_m", "gap_m"].map(length).joined(separator: ",\n")

    static let sql = """
        CREATE OR REPLACE VIEW fleet.visit WITH (security_invoker) AS
            SELECT tenant, box, fence, title, \(Views.entered) AS entered, at AS left_at, stay, inferred,
                \(lengths)
            FROM fleet.event WHERE kind = 'exit' AND stay IS NOT NULL
            UNION ALL
            SELECT tenant, box, fence, title, since, left_at, left_at - since, true, NULL, NULL, NULL
            FROM fleet.ended
            UNION ALL
            SELECT tenant, box, fence, title, since, NULL, greatest(now() - since, interval '0'), false,
                NULL, NULL, NULL
            FROM fleet.presence WHERE inside;
        """
}
