import Bytes
import JSON
package import Time

/// The rows of a report, whatever they are of and whatever form it has. Texts in it may be of anybody: no
/// form takes one for a command.
package struct Sheet: Hashable, Sendable {
    /// A member of a row, named as in JSON and in CSV.
    package struct Member: Hashable, Sendable {
        /// What it is.
        enum Value: Hashable, Sendable {
            /// Nil: none.
            case text(String?)
            /// A JSON number or `true`; nil: none.
            case raw(String?)
        }

        let key: String
        let value: Value

        package init(_ key: String, _ text: String?) { (self.key, value) = (key, .text(text)) }

        package init(_ key: String, raw: String?) { (self.key, value) = (key, .raw(raw)) }

        /// m, to the decimetre.
        package init(_ key: String, metres: Double?) {
            var json = JSONWriter()
            json.optional(metres, decimals: 1)
            self.init(key, raw: metres == nil ? nil : json.text)
        }

        /// s, to the millisecond.
        package init(_ key: String, seconds: TimeSpan?) {
            self.init(key, raw: seconds.map { JSONValue($0.roundedSeconds).text })
        }
    }

    /// A row.
    package struct Row: Hashable, Sendable {
        /// For people, as many as there are titles.
        var cells: [String]
        /// For programs, as many as there are keys.
        var members: [Member]

        package init(cells: [String], members: [Member]) {
            (self.cells, self.members) = (cells, members)
        }
    }

    /// Of all of it.
    package var heading: String
    /// Of the columns.
    package let titles: [String]
    /// Of the members.
    let keys: [String]
    /// Of what the report is of.
    package let rows: [Row]
    /// The last line for people, as many cells as there are titles; nil for none.
    let total: [String]?
    /// A table has that line, too, not only a page.
    let isTotalInTable: Bool
    /// Lines below the heading of a page, such as the time that it is of.
    package var notes: [String] = []

    /// As many cells and members in each row as there are titles and keys.
    package init(
        heading: String, titles: [String], keys: [String], rows: [Row], total: [String]? = nil,
        isTotalInTable: Bool = false
    ) {
        self.heading = heading
        self.titles = titles
        self.keys = keys
        self.rows = rows
        self.total = total
        self.isTotalInTable = isTotalInTable
    }

    /// The lines of a table, below its titles.
    package var lines: [[String]] {
        rows.map(\.cells) + (isTotalInTable ? total.map { [$0] } ?? [] : [])
    }

    /// In columns, under their titles.
    var table: String {
        let lines = ([titles] + lines).map { $0.map(\.printable) }
        let widths = titles.indices.map { column in
            lines.map { $0[column].count }.max() ?? 0
        }
        return lines.map { line in
            let cells = line.enumerated().map { column, cell in
                let room = column == line.count - 1 ? 0 : widths[column] - cell.count
                return cell + String(repeating: " ", count: max(0, room))
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }

    /// RFC 4180. What a spreadsheet would take for a formula has an apostrophe before it.
    var csv: String { Self.csv(titles: keys) + rows.map { Self.csv($0.members) }.joined() }

    /// The first line of CSV with these keys.
    package static func csv(titles keys: [String]) -> String {
        keys.joined(separator: ",") + "\r\n"
    }

    /// A line of CSV.
    package static func csv(_ members: [Member]) -> String {
        let cells = members.map { member in
            switch member.value {
            case .text(let text): cell(text?.printableLines ?? "")
            case .raw(let number): number ?? ""
            }
        }
        return cells.joined(separator: ",") + "\r\n"
    }

    private static func cell(_ text: String) -> String {
        let text = text.guardedForSpreadsheet
        let isPlain = !text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return isPlain ? text : text.quoted(by: "\"")
    }

    /// JSON lines.
    var json: String {
        var json = JSONWriter()
        for row in rows { json.line(row.members) }
        return String(decoding: json.bytes.shownJSON, as: UTF8.self)
    }

    /// A line of JSON.
    package static func json(_ members: [Member]) -> String {
        var json = JSONWriter()
        json.line(members)
        return String(decoding: json.bytes.shownJSON, as: UTF8.self)
    }

    /// A page without scripts, and without anything from elsewhere.
    var html: String {
        var text = Self.page(heading, notes)
        if rows.isEmpty { return text + "<p>None.</p>\n</body></html>\n" }
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>" + cells.map { "<\(tag)>\($0.escapedForMarkup)</\(tag)>" }.joined() + "</tr>\n"
        }
        text += "<table><thead>\(row(titles, "th"))</thead><tbody>\n"
        for line in rows { text += row(line.cells, "td") }
        if let total { text += "</tbody><tbody class=\"t\">\n\(row(total, "td"))" }
        return text + "</tbody></table>\n</body></html>\n"
    }

    /// How a page begins, up to its heading and the lines below it. Without a class a table of a page has
    /// nothing but black lines; it is printed across an A4 sheet, its titles on each.
    package static func page(_ heading: String, _ notes: [String] = []) -> String {
        let title = heading.escapedForMarkup
        let lines = notes.map { "<p>\($0.escapedForMarkup)</p>\n" }.joined()
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title><style>
            @page{size:A4 landscape;margin:1.2cm}
            body{font:10pt sans-serif;margin:1.5cm}table{border-collapse:collapse;width:100%}
            @media print{body{margin:0}}p{margin:2pt 0}table{margin-top:8pt}
            td,th{text-align:left;padding:2pt 6pt;border-bottom:1px solid #ccc;white-space:nowrap}
            td:first-child{white-space:normal;min-width:9em}tbody.t td{font-weight:bold;border-top:1px solid #000}
            h2{font-size:12pt;margin:14pt 0 4pt;break-after:avoid}td.b{width:40%}
            .s{display:block;height:8pt;background:#36c;print-color-adjust:exact}.o{background:#c63}
            tr{break-inside:avoid}</style></head><body><h1>\(title)</h1>
            \(lines)
            """
    }
}

extension JSONWriter {
    fileprivate mutating func line(_ members: [Sheet.Member]) {
        beginObject()
        for member in members {
            key(member.key)
            switch member.value {
            case .text(let text?): string(text)
            case .raw(let number?): raw(number)
            case .text(nil), .raw(nil): null()
            }
        }
        endObject()
        endLine()
    }
}
