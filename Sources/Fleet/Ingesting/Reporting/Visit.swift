package import PostgreSQL
import Reports
import Time

/// A stay of a box at a place.
package struct Visit: Hashable, Sendable {
    /// Name of the box.
    package var box: String
    /// Its driver then: whom the box names in the exit, and else who was assigned; nil: nobody.
    package var driver: String?
    /// Id of the fence.
    package var fence: String
    /// Its title; nil if it has none.
    package var title: String?
    /// ISO 8601, UTC.
    package var entered: String
    /// Nil: still there.
    package var left: String?
    /// s
    package var stay: Double
    /// One of the two crossings was not seen by a fix.
    package var inferred: Bool
    /// How far the vehicle was driven inside, m; nil where that is not known, or it is still there.
    package var way: Double?
    /// ``way`` lies within this, m.
    package var wayError: Double?
    /// How far at least where nobody saw the way, m; nil for none.
    package var gap: Double?

    /// What is asked for.
    package struct Selection: Hashable, Sendable {
        /// Its name; nil: all that the database role may see.
        package var tenant: String?
        /// Id of a fence.
        package var place: String?
        /// Its name.
        package var box: String?
        /// Anything that PostgreSQL reads as a time: `2026-11-01`, `yesterday`.
        package var since: String?
        /// As `since`: visits that began before it.
        package var until: String?
        /// Part of the name of the box, of its driver, or of the place, in any case.
        package var text: String?

        package init() {}

        /// Those of ``Visit/sql``.
        package var parameters: [String?] { [tenant, place, box, since, until, text] }
    }

    /// When a report begins: as that parameter says, or 7 days ago.
    static func first(_ parameter: Int = 4) -> String {
        "coalesce($\(parameter)::timestamptz, now() - interval '7 days')"
    }

    /// Before when it ends: as that parameter says, or never.
    static func last(_ parameter: Int = 5) -> String {
        "coalesce($\(parameter)::timestamptz, 'infinity')"
    }

    /// A time as text: ISO 8601, UTC.
    static func iso(_ time: String) -> String {
        #"to_char(\#(time) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')"#
    }

    /// Visits that have ended, or are not over, within the time; the last 7 days by default; in
    /// order of place and time. By the time of leaving, which has an index. Of one that is not over
    /// `present` knows who drove and whether a fix has seen the crossing, by a look at the one event.
    package static let sql = """
        WITH v AS NOT MATERIALIZED (
            SELECT v.tenant, v.box, v.fence, v.title, v.entered, v.left_at, v.stay, v.inferred, v.way_m,
                v.way_error_m, v.gap_m, coalesce(d.name, a.driver) AS driver
            FROM fleet.visit v
            LEFT JOIN fleet.assignment a ON a.box = v.box AND a.during @> v.entered
            LEFT JOIN fleet.driver d ON d.id = v.driver
            WHERE v.left_at >= \(first()) AND v.entered < \(last())
            UNION ALL
            SELECT tenant, box, fence, title, since, NULL, greatest(now() - since, interval '0'),
                coalesce(inferred, false), NULL, NULL, NULL, driver
            FROM fleet.present WHERE since < \(last()))
        SELECT b.name, v.driver, v.fence, v.title, \(iso("v.entered")),
            \(iso("v.left_at")), extract(epoch FROM v.stay), v.inferred,
            v.way_m, v.way_error_m, v.gap_m
        FROM v
        JOIN fleet.box b ON b.id = v.box
        JOIN fleet.tenant t ON t.id = v.tenant
        WHERE ($1::text IS NULL OR t.name = $1) AND ($2::text IS NULL OR v.fence = $2)
            AND ($3::text IS NULL OR b.name = $3)
            AND ($6::text IS NULL OR strpos(lower(concat_ws(
                E'\\n', b.name, v.driver, v.title, v.fence)), lower($6)) > 0)
        ORDER BY v.fence, v.entered, b.name
        """

    /// Of ``sql`` the first rows, for one who holds all of them at once: with titles of at most 200
    /// characters, and no more after those whose ``bytes`` together are more than that.
    package static func portion(rows: Int, bytes: Int) -> String {
        """
        SELECT box, driver, fence, title, entered, left_at, stay, inferred, way_m, way_error_m, gap_m
        FROM (
            SELECT *, sum(octet_length(concat(box, driver, fence, title))) OVER (
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
            FROM (
                SELECT box, driver, fence, left(whole_title, 200) AS title, entered, left_at, stay,
                    inferred, way_m, way_error_m, gap_m
                FROM (\(sql) LIMIT \(rows)) AS v (
                    box, driver, fence, whole_title, entered, left_at, stay, inferred, way_m,
                    way_error_m, gap_m)) AS v) AS v
        WHERE coalesce(before, 0) <= \(bytes)
        """
    }

    /// What a page says that it is of: whose, where and when.
    @MainActor
    package static func notes(
        of selection: Selection, from database: Database
    ) throws(DatabaseError) -> [String] {
        let times = try database.run(
            "SELECT \(iso(first(1))), \(iso("least(\(last(2)), now())"))",
            [selection.since, selection.until]
        ).values.first
        let of = [
            ("Tenant", selection.tenant), ("Place", selection.place), ("Vehicle", selection.box),
        ].compactMap { name, value in value.map { "\(name) \($0)." } }
        return of + [
            "From \(times?.first.flatMap(\.self) ?? "") to \(times?.last.flatMap(\.self) ?? "").",
            "All times are UTC.",
        ]
    }

    /// What ``sql`` answers.
    @MainActor
    package static func read(
        _ selection: Selection, from database: Database
    ) throws(DatabaseError) -> [Visit] {
        try database.run(sql, selection.parameters).values.compactMap(Visit.init)
    }

    /// A row of ``sql``; nil for any other.
    package init?(_ row: [String?]) {
        guard row.count == 11, let box = row[0], let fence = row[2], let entered = row[4],
            let stay = row[6].flatMap(Double.init)
        else { return nil }
        self.box = box
        driver = row[1]
        self.fence = fence
        title = row[3]
        self.entered = entered
        left = row[5]
        self.stay = stay
        inferred = row[7] == "t"
        way = row[8].flatMap(Double.init)
        wayError = row[9].flatMap(Double.init)
        gap = row[10].flatMap(Double.init)
    }

    /// Those of its texts, which boxes have sent.
    package var bytes: Int {
        [box, driver, fence, title].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }

    /// ``stay``, which is never negative here.
    var length: TimeSpan { .seconds(max(0, stay)) }

    /// How far, as every report has it.
    var metres: StayMetres { StayMetres(way: way, bound: wayError, gap: gap) }
}
