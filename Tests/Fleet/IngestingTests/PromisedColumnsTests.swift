import Foundation
import PostgreSQL
import Testing

@testable import Ingesting

extension DatabaseTests {
    /// With PROMISE in the environment, a step of a release, those that are new are written instead.
    @Test("relations that geofenced-ingest(8) names have the columns of docs/interface.txt")
    func promisedColumns() throws {
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        let file = URL(filePath: root + "/docs/interface.txt")
        let names = Set(
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init))
        let page = "geofenced-ingest(8) "
        let relations =
            names.filter { $0.hasPrefix(page + "fleet.") }
            .map { String($0.dropFirst(page.count)) } + ["fleet.box", "fleet.tenant"]
        let there = Set(
            try database.run(
                """
                SELECT concat('column ', table_schema, '.', table_name, '.', column_name, ' ', udt_name)
                FROM information_schema.columns
                WHERE concat(table_schema, '.', table_name) = ANY ($1::text[])
                -- How holes are asked for, and what a box said when, is the ingest's own affair.
                AND (table_name, column_name) NOT IN (('box', 'log'), ('box', 'log_seen'),
                    ('box', 'moved'), ('box_log', 'asked'), ('box_log', 'asked_for'),
                    ('box_log', 'moved'), ('box_log', 'touched'), ('box_log', 'wanted'),
                    ('driver', 'box'))
                """, ["{\(relations.joined(separator: ","))}"]
            ).values.compactMap { $0[0] })
        if ProcessInfo.processInfo.environment["PROMISE"] != nil {
            let lines = names.union(there).sorted().joined(separator: "\n") + "\n"
            return try Data(lines.utf8).write(to: file)
        }
        let promised = names.filter { $0.hasPrefix("column ") }
        #expect(!promised.isEmpty)
        #expect(promised.subtracting(there).sorted() == [])
    }
}
