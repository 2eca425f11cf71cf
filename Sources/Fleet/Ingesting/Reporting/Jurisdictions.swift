import Bytes
import FenceFiles
import Geodesy
import Model
package import PostgreSQL
import Program
package import Reports

/// How far a fleet was driven in each area of a set, by what its boxes said that their odometers showed.
package enum Jurisdictions {
    /// The areas of a file of fences, by id: those that the boxes have, as `geofencectl export --origin`
    /// writes them. Beacons are none.
    /// - Throws: ``Failure`` that names file, line and reason of the first entry that is none, or a file
    ///   without areas.
    package static func areas(ofFile path: String) throws -> JurisdictionSums.Areas {
        var areas: JurisdictionSums.Areas = [:]
        do throws(FenceFileProblem) {
            let reader = try FenceFileReader(
                path: path, options: .init(makesIDs: true, refusesTwins: true))
            while let fence = try reader.next() {
                guard let area = fence.area else { continue }
                areas[fence.id] = .init(title: fence.title, size: area.size)
            }
        } catch { throw Failure("\(error)") }
        guard !areas.isEmpty else { throw Failure("no areas in \(path)") }
        return areas
    }

    private static let (first, last) = (Visit.first(), Visit.last())

    /// Of each log of the boxes: what its odometer showed last before the time; at each crossing of one of
    /// the areas `$3` in it, and at most; and at the first crossing of each area after it, which tells
    /// where the vehicle was. Of an area that it has not crossed since, the presence does. `whole`: what
    /// was driven before the first event of the log is known. Rows of a log follow each other in the order of its events.
    private static let sql = """
        WITH log AS MATERIALIZED (
            SELECT l.box, l.log, w.log IS NOT NULL AS whole
            FROM fleet.box b JOIN fleet.tenant t ON t.id = b.tenant
            JOIN fleet.box_log l ON l.box = b.id
            LEFT JOIN fleet.whole_log w ON w.box = l.box AND w.log = l.log
            WHERE ($1::text IS NULL OR t.name = $1) AND ($2::text IS NULL OR b.name = $2)),
        reading AS (
            -- An event may be told after one that happened later, by some.
            SELECT l.box, l.log, 0::bigint AS seq, NULL AS kind, NULL AS fence, max(m) AS metres,
                false AS counts
            FROM log l CROSS JOIN LATERAL (
                SELECT \(Expressions.odometer) AS m FROM fleet.event e
                WHERE e.box = l.box AND e.log = l.log AND e.at < \(first)
                ORDER BY e.seq DESC LIMIT 16) AS e
            GROUP BY l.box, l.log
            UNION ALL
            SELECT e.box, e.log, e.seq, e.kind, e.fence, \(Expressions.odometer), true
            FROM fleet.event e JOIN log l ON l.box = e.box AND l.log = e.log
            WHERE e.at >= \(first) AND e.at < \(last) AND e.fence = ANY($3::text[])
                AND e.kind IN ('enter', 'initial', 'exit')
            UNION ALL
            SELECT e.box, e.log, max(e.seq), NULL, NULL, max(\(Expressions.odometer)), true
            FROM fleet.event e JOIN log l ON l.box = e.box AND l.log = e.log
            WHERE e.at >= \(first) AND e.at < \(last) GROUP BY e.box, e.log
            UNION ALL
            (SELECT DISTINCT ON (e.box, e.log, e.fence) e.box, e.log, e.seq, e.kind, e.fence,
                \(Expressions.odometer), false
            FROM fleet.event e JOIN log l ON l.box = e.box AND l.log = e.log
            WHERE e.at >= \(last) AND e.fence = ANY($3::text[])
                AND e.kind IN ('enter', 'initial', 'exit')
            ORDER BY e.box, e.log, e.fence, e.seq))
        SELECT l.box, l.log, r.kind, r.fence, r.metres, r.counts, l.whole, r.seq
        FROM reading r JOIN log l ON l.box = r.box AND l.log = r.log WHERE r.metres IS NOT NULL
        UNION ALL
        SELECT l.box, l.log, NULL, p.fence, NULL, NULL, l.whole, 0
        FROM fleet.presence p JOIN log l ON l.box = p.box AND l.log = p.log
        WHERE p.inside AND p.since < \(first) AND p.fence = ANY($3::text[])
        """

    /// Crossings of archived weeks are in files, and a figure without them would be another one.
    @MainActor
    private static func refuseArchived(
        _ selection: Visit.Selection, _ database: Database
    ) throws(DatabaseError) {
        let weeks = try database.run(
            """
            SELECT DISTINCT week FROM fleet.archived
            WHERE first + 7 > (\(Visit.first(1)) AT TIME ZONE 'UTC')::date ORDER BY 1
            """, [selection.since]
        ).values.compactMap { $0[0] }
        guard weeks.isEmpty else {
            throw DatabaseError(
                state: "",
                message: "the events of \(weeks.joined(separator: ", ")) are archived: "
                    + "restore them, or ask for a later time")
        }
    }

    /// What the boxes of the selection have driven up to the last event that the database has of each, in
    /// the time; in the last 7 days by default.
    @MainActor
    package static func read(
        _ selection: Visit.Selection, _ areas: JurisdictionSums.Areas,
        from database: Database
    ) throws(DatabaseError) -> JurisdictionSums {
        try refuseArchived(selection, database)
        var ids = ArrayText()
        for id in areas.keys.sorted() { ids.append(id.text) }
        let rows = try database.run(
            "SELECT * FROM (\(sql)) AS r ORDER BY box, log, seq",
            [selection.tenant, selection.box, ids.text, selection.since, selection.until]
        ).values
        var sums = JurisdictionSums(of: areas)
        for log in Dictionary(grouping: rows, by: { [$0[0], $0[1]] }).values {
            let readings = log.compactMap { row in
                row[4].flatMap(Double.init).map { metres in
                    JurisdictionSums.Reading(
                        metres: metres, counts: row[5] == "t",
                        row[2].flatMap { JurisdictionSums.Reading.crossing($0, row[3]) })
                }
            }
            let inside = log.filter { $0[4] == nil }.compactMap { $0[3] }
            sums.add(readings, from: log.first?[6] == "t" ? 0 : nil, inside: Set(exactly: inside))
        }
        return sums
    }
}
