import SharedLimits
import Testing

@testable import Ingesting

/// The schema is a file that is never edited once it is released: what it has in common with the program is
/// compared.
@Suite("The file of the schema")
struct OfficeSchemaTests {
    /// A number that is a limit of the programs too, and where the schema has it.
    struct Limit: CustomTestStringConvertible, Sendable {
        let what: String
        let number: Int
        let places: [String]

        var testDescription: String { what }
    }

    private static let words = inWords(Migrations.made)

    private static func inWords(_ sql: String) -> String {
        sql.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }

    private func count(_ text: String) -> Int {
        Self.words.split(separator: Self.inWords(text), omittingEmptySubsequences: false).count
            - 1
    }

    @Test(
        "limits of the programs are those of the schema",
        arguments: [
            Limit(
                what: "messages that were set aside", number: SharedLimits.setAside.count,
                places: ["IF used.rows >= # OR"]),
            Limit(
                what: "bytes of them", number: SharedLimits.setAside.bytes,
                places: ["used.bytes + octet_length(content) > # THEN RETURN false"]),
            Limit(
                what: "logs of a box", number: SharedLimits.logs,
                places: [
                    "FROM fleet.box_log GROUP BY box HAVING count(*) > #)",
                    "l.log = ranked.log AND ranked.place > #;",
                ]),
            Limit(
                what: "logs of a box but the one that begins", number: SharedLimits.logs - 1,
                places: ["box = of_box AND log <> new ORDER BY touched DESC, log OFFSET #)"]),
            Limit(
                what: "drivers whom a box alone has named", number: SharedLimits.drivers,
                places: [
                    "FROM fleet.driver GROUP BY box HAVING count(*) > #)",
                    "d.id = ranked.id AND ranked.place > #;",
                ]),
            Limit(
                what: "places of a box", number: SharedLimits.presences,
                places: [
                    "FROM fleet.presence GROUP BY box HAVING count(*) > #)",
                    "p.fence = ranked.fence AND ranked.place > #;",
                ]),
            Limit(
                what: "ended stays of a box", number: SharedLimits.presences,
                places: [
                    "FROM fleet.ended GROUP BY box HAVING count(*) > #)",
                    "ranked.seq) AND ranked.place > #;",
                ]),
        ])
    func limits(_ limit: Limit) {
        for place in limit.places {
            let parts = place.split(separator: "#", omittingEmptySubsequences: false)
            let text = parts.joined(separator: "\(limit.number)")
            #expect(count(text) == 1, "\(text)")
        }
    }

    @Test(
        "what questions ask in the words of the schema has the same words there",
        arguments: [
            (Expressions.free, 2), (Expressions.silent, 4), (Expressions.online, 3),
            (Expressions.absence, 2), (Expressions.since, 1), (Expressions.merged, 1),
            (Upkeep.waits, 1), (Upkeep.claim, 1),
        ])
    func expressions(_ text: String, _ times: Int) {
        #expect(count(text) == times, "\(text)")
    }

    @Test("an odometer is believed as far as elsewhere")
    func odometer() {
        let text = Expressions.odometer
        let most = text.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }.last
        #expect(most == SharedLimits.odometer)
    }

    @Test("columns of an archived week are those of the table, in its order")
    func columns() throws {
        let table = try #require(
            Migrations.made.text(between: "CREATE TABLE fleet.event (", and: "PRIMARY KEY"))
        let names = table.split(separator: ",").compactMap {
            $0.split { $0 == " " || $0 == "\n" }.first.map(String.init)
        }
        #expect(names == ArchivedRows.columns)
    }
}

extension String {
    fileprivate func text(between start: String, and end: String) -> Substring? {
        split(separator: start, maxSplits: 1).last?.split(separator: end, maxSplits: 1).first
    }
}
