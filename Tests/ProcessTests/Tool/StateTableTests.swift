import Alerting
import Foundation
import Monitoring
import Systemd
import Testing

@testable import geofencectl

/// The table of HANDBOOK, section 5, States, is the one description of the words of `Degraded`: what tells
/// of them is compared with it.
@Suite struct StateTableTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var word: String
        var tellers: Set<String>
        var testDescription: String { word }
    }

    private static func text(_ path: String) -> String {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..")
            .standardized
        return (try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)) ?? ""
    }

    private static func part(_ text: String, from start: String, to end: String) -> String {
        let rest = text.components(separatedBy: start).dropFirst().joined(separator: start)
        return rest.components(separatedBy: end)[0]
    }

    private static func words(_ pattern: String, in text: String) -> [String] {
        let expression = try? NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
        let range = NSRange(text.startIndex..., in: text)
        return (expression?.matches(in: text, range: range) ?? []).compactMap {
            Range($0.range(at: 1), in: text).map { String(text[$0]) }
        }
    }

    static let rows: [Row] = {
        let table = part(text("docs/HANDBOOK.md"), from: "### States\n", to: "\n## ")
        return table.split(separator: "\n").compactMap { line in
            let cells = line.components(separatedBy: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            // What is so, and how it ends, is said of each.
            guard cells.count == 6, cells[1].hasPrefix("`"), !cells[2].isEmpty, !cells[3].isEmpty
            else { return nil }
            return Row(
                word: cells[1].replacingOccurrences(of: "`", with: ""),
                tellers: Set(cells[4].components(separatedBy: ", ")).subtracting([""]))
        }
    }()

    @Test("the daemon has these words, and no others")
    func daemon() {
        let words = Set(Trouble.allCases.map(\.rawValue)).subtracting(["window-grew"])
        #expect(Set(Self.rows.map(\.word)) == words && Self.rows.count == words.count)
    }

    @Test("the page of the bus explains each, and no others")
    func manual() {
        let list = Self.part(
            Self.text("docs/man/org.geofenced.Geofence1.5"), from: "While one of these lasts,",
            to: "\n.El\n")
        let words = Self.words(#"^\.It Li (\S+)$"#, in: list)
        #expect(words.sorted() == Self.rows.map(\.word).sorted())
    }

    @Test("doctor has one thing to do for each, and its page names it", arguments: Self.rows)
    func doctor(_ row: Row) throws {
        let cause = try #require(DegradedWord.causes[row.word])
        #expect(Self.text("docs/NOTHING-HAPPENS.md").contains("`\(cause.code)`"))
    }

    @Test("the map and the board have a sentence for each, in the catalogue", arguments: Self.rows)
    func sentence(_ row: Row) {
        #expect(Self.text("po/geofenced.pot").contains("\"page-trouble-\(row.word)\"\n"))
    }

    @MainActor
    @Test("the voice tells those that it is to tell", arguments: Self.rows)
    func voice(_ row: Row) {
        var reminder = StateReminder()
        let said = reminder.text([
            "Degraded": .strings([row.word]),
            "Vehicle": .dictionary([
                ("certainty", .string("assumed")), ("assumed_height_m", .double(4)),
            ]),
        ])
        #expect((said != nil) == row.tellers.contains("voice"))
    }

    @Test("the board tells those that it is to tell in a row of their own")
    func board() {
        let page = Self.text("Sources/Pages/MapAssets/page/boardfleet.js")
        let told = Self.part(page, from: "const told = new Set([", to: "])")
        let words = Self.words("'([a-z-]+)'", in: told)
        #expect(
            words.sorted()
                == Self.rows.filter { $0.tellers.contains("board") }.map(\.word).sorted())
    }

    @Test("nobody else is named who tells")
    func tellers() {
        #expect(Self.rows.allSatisfy { $0.tellers.isSubset(of: ["voice", "board"]) })
    }
}
