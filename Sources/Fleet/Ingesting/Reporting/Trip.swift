package import PostgreSQL

/// A trip of a box that is over.
package struct Trip: Hashable, Sendable {
    /// Name of the box.
    package var box: String
    /// Its driver then, as of a visit.
    package var driver: String?
    /// ISO 8601, UTC.
    package var began: String
    /// Likewise.
    package var ended: String
    /// s
    package var length: Double
    /// Id of the fence in which it began; nil where there was none, or it does not leave the vehicle.
    package var from: String?
    /// Its title; nil if it has none.
    package var fromTitle: String?
    /// Id of the fence in which it ended, likewise.
    package var to: String?
    /// Its title; nil if it has none.
    package var toTitle: String?
    /// How far it was, m, as of a visit.
    package var way: Double?
    /// ``way`` lies within this, m.
    package var wayError: Double?
    /// How far at least where nobody saw the way, m; nil for none.
    package var gap: Double?
    /// A whole number; nil where the box does not say it.
    package var stops: String?

    /// Trips that ended within the time; the last 7 days by default; of a place those from it or to it;
    /// in order of their ends.
    package static let sql = """
        SELECT b.name, coalesce(d.name, a.driver), \(Visit.iso("v.began")), \(Visit.iso("v.ended")),
            extract(epoch FROM v.duration), v.from_fence, v.from_title, v.to_fence,
            v.to_title, v.way_m, v.way_error_m, v.gap_m, v.stops
        FROM fleet.trip v
        JOIN fleet.box b ON b.id = v.box
        JOIN fleet.tenant t ON t.id = v.tenant
        LEFT JOIN fleet.assignment a ON a.box = v.box AND a.during @> v.began
        LEFT JOIN fleet.driver d ON d.id = v.driver
        WHERE ($1::text IS NULL OR t.name = $1)
            AND ($2::text IS NULL OR $2 IN (v.from_fence, v.to_fence))
            AND ($3::text IS NULL OR b.name = $3)
            AND v.ended >= \(Visit.first())
            AND v.began < \(Visit.last())
            AND ($6::text IS NULL OR strpos(lower(concat_ws(
                E'\\n', b.name, d.name, a.driver, v.from_fence, v.from_title, v.to_fence,
                v.to_title)), lower($6)) > 0)
        ORDER BY v.ended, b.name
        """

    /// What ``sql`` answers.
    @MainActor
    package static func read(
        _ selection: Visit.Selection, from database: Database
    ) throws(DatabaseError) -> [Trip] {
        try database.run(sql, selection.parameters).values.compactMap(Trip.init)
    }

    /// A row of ``sql``; nil for any other.
    package init?(_ row: [String?]) {
        guard row.count == 13, let box = row[0], let began = row[2], let ended = row[3],
            let length = row[4].flatMap(Double.init)
        else { return nil }
        self.box = box
        driver = row[1]
        self.began = began
        self.ended = ended
        self.length = length
        (from, fromTitle, to, toTitle) = (row[5], row[6], row[7], row[8])
        way = row[9].flatMap(Double.init)
        wayError = row[10].flatMap(Double.init)
        gap = row[11].flatMap(Double.init)
        stops = row[12]
    }
}
