import Bytes
import JSON

/// Visits as text of several kinds.
package enum Report: String, CaseIterable, Sendable {
    case table
    case csv
    case json
    /// A page to print, with a bar for each stay.
    case html

    /// The whole text, with a line break at its end.
    package func text(_ visits: [Visit]) -> String {
        switch self {
        case .table: Self.table(visits)
        case .csv: Self.csv(visits)
        case .json: Self.json(visits)
        case .html: Self.html(visits)
        }
    }

    private static func table(_ visits: [Visit]) -> String {
        let titles = ["PLACE", "BOX", "DRIVER", "ENTERED", "LEFT", "STAY", "WAY", "GAP"]
        let rows: [[String]] =
            [titles]
            + visits.map { visit -> [String] in
                let cells: [String] = [
                    visit.title ?? visit.fence, visit.box, visit.driver ?? "–", visit.entered,
                    visit.left ?? "still there", visit.stayText,
                    Visit.kilometres(visit.way) ?? "–", Visit.kilometres(visit.gap) ?? "",
                ]
                return cells.map(\.printable)
            }
        let widths = (0..<8).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                column == 7 ? cell : cell + padding(widths[column] - cell.count)
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }

    /// RFC 4180. A cell that a spreadsheet would take for a formula begins with an apostrophe.
    private static func csv(_ visits: [Visit]) -> String {
        let head = "place,title,box,driver,entered,left,stay_s,inferred,way_m,way_error_m,gap_m\r\n"
        return head
            + visits.map { visit in
                let cells =
                    [
                        visit.fence, visit.title ?? "", visit.box, visit.driver ?? "",
                        visit.entered,
                        visit.left ?? "", visit.stayNumber, visit.inferred ? "true" : "false",
                    ]
                    + visit.metres.map { $0.number ?? "" }
                return cells.map(cell).joined(separator: ",") + "\r\n"
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
    private static func json(_ visits: [Visit]) -> String {
        var json = JSONWriter()
        for visit in visits {
            json.beginObject()
            let texts: [(String, String?)] = [
                ("place", visit.fence), ("title", visit.title), ("box", visit.box),
                ("driver", visit.driver), ("entered", visit.entered), ("left", visit.left),
            ]
            for (key, text) in texts {
                json.key(key)
                if let text { json.string(text) } else { json.null() }
            }
            json.key("stay_s")
            json.raw(visit.stayNumber)
            json.key("inferred")
            json.bool(visit.inferred)
            for (key, number) in visit.metres {
                json.key(key)
                json.raw(number ?? "null")
            }
            json.endObject()
            json.endLine()
        }
        return json.text
    }

    /// Without scripts, and without anything from elsewhere.
    private static func html(_ visits: [Visit]) -> String {
        let longest = max(visits.map(\.stay).max() ?? 0, 1)
        var text = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Visits</title><style>
            body{font:10pt sans-serif;margin:1.5cm}table{border-collapse:collapse;width:100%}
            td,th{text-align:left;padding:2pt 6pt;border-bottom:1px solid #ccc;white-space:nowrap}
            h2{font-size:12pt;margin:14pt 0 4pt;break-after:avoid}td.b{width:40%}
            .s{display:block;height:8pt;background:#36c;print-color-adjust:exact}.o{background:#c63}
            tr{break-inside:avoid}</style></head><body><h1>Visits</h1>

            """
        var place: String?
        for visit in visits {
            if place != visit.fence {
                if place != nil { text += "</table>\n" }
                place = visit.fence
                text += "<h2>\((visit.title ?? visit.fence).escapedForMarkup)</h2>\n"
                text += "<table><tr><th>Box<th>Driver<th>Entered<th>Left<th>Stay<th>Way<th></tr>\n"
            }
            let cells = [
                visit.box, visit.driver ?? "–", visit.entered, visit.left ?? "still there",
                visit.stayText + (visit.inferred ? " (inferred)" : ""),
                (Visit.kilometres(visit.way) ?? "–")
                    + (Visit.kilometres(visit.gap).map { " + \($0)" } ?? ""),
            ]
            let width = Int((visit.stay / longest * 100).rounded())
            text += "<tr>" + cells.map { "<td>\($0.escapedForMarkup)" }.joined()
            text += "<td class=b><span class=\"s\(visit.left == nil ? " o" : "")\" "
            text += "style=\"width:\(max(0, min(100, width)))%\"></span></tr>\n"
        }
        return text + (place == nil ? "<p>None.</p>" : "</table>") + "\n</body></html>\n"
    }

    private static func padding(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
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
