import Bytes
import JSON

/// The rows of a report, whatever they are of and whatever form it has.
package struct Sheet: Hashable, Sendable {
    /// A member of a row, named as in JSON and in CSV.
    struct Member: Hashable, Sendable {
        /// What it is.
        enum Value: Hashable, Sendable {
            /// Nil: none.
            case text(String?)
            /// A JSON number or `true`; nil: none.
            case raw(String?)
        }

        let key: String
        let value: Value

        init(_ key: String, _ text: String?) { (self.key, value) = (key, .text(text)) }

        init(_ key: String, raw: String?) { (self.key, value) = (key, .raw(raw)) }
    }

    /// A row.
    struct Row: Hashable, Sendable {
        /// For people, as many as there are titles.
        var cells: [String]
        /// For programs, as many as there are keys.
        var members: [Member]
    }

    /// Of all of it.
    let heading: String
    /// Of the columns.
    let titles: [String]
    /// Of the members.
    let keys: [String]
    let rows: [Row]

    /// In columns, under their titles.
    var table: String {
        let lines = [titles] + rows.map { $0.cells.map(\.printable) }
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

    /// RFC 4180. A cell that a spreadsheet would take for a formula begins with an apostrophe.
    var csv: String {
        keys.joined(separator: ",") + "\r\n"
            + rows.map { row in
                let cells = row.members.map { member in
                    switch member.value {
                    case .text(let text): Self.cell(text ?? "")
                    case .raw(let number): number ?? ""
                    }
                }
                return cells.joined(separator: ",") + "\r\n"
            }.joined()
    }

    private static func cell(_ text: String) -> String {
        // By scalar: CR and LF are one character, and so is a quotation mark with an accent on it.
        var scalars = text.unicodeScalars
        if let first = scalars.first, "=+-@\t\r".unicodeScalars.contains(first) {
            scalars.insert("'", at: scalars.startIndex)
        }
        guard scalars.contains(where: "\",\r\n".unicodeScalars.contains) else {
            return String(scalars)
        }
        return "\"" + scalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    /// JSON lines.
    var json: String {
        var json = JSONWriter()
        for row in rows {
            json.beginObject()
            for member in row.members {
                json.key(member.key)
                switch member.value {
                case .text(let text?): json.string(text)
                case .raw(let number?): json.raw(number)
                case .text(nil), .raw(nil): json.null()
                }
            }
            json.endObject()
            json.endLine()
        }
        return json.text
    }

    /// A page without scripts, and without anything from elsewhere.
    var html: String {
        var text = Self.page(heading)
        if rows.isEmpty { return text + "<p>None.</p>\n</body></html>\n" }
        text += "<table><tr>" + titles.map { "<th>\($0.escapedForMarkup)" }.joined() + "</tr>\n"
        for row in rows {
            text += "<tr>" + row.cells.map { "<td>\($0.escapedForMarkup)" }.joined() + "</tr>\n"
        }
        return text + "</table>\n</body></html>\n"
    }

    /// How a page begins, up to its heading.
    static func page(_ heading: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>\(heading)</title><style>
        body{font:10pt sans-serif;margin:1.5cm}table{border-collapse:collapse;width:100%}
        td,th{text-align:left;padding:2pt 6pt;border-bottom:1px solid #ccc;white-space:nowrap}
        h2{font-size:12pt;margin:14pt 0 4pt;break-after:avoid}td.b{width:40%}
        .s{display:block;height:8pt;background:#36c;print-color-adjust:exact}.o{background:#c63}
        tr{break-inside:avoid}</style></head><body><h1>\(heading)</h1>

        """
    }
}

extension String {
    /// Texts come from boxes: no control characters for a terminal.
    var printable: String {
        String(
            UnicodeScalarView(
                unicodeScalars.map {
                    $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : $0
                }))
    }
}
