import JSON
import Reports
import Testing
import Time

@Suite("A report in its forms") struct SheetTests {
    private func sheet(_ title: String, total: [String]? = nil) -> Sheet {
        var sheet = Sheet(
            heading: "<Stays>", titles: ["PLACE", "WAY"], keys: ["place", "way_m", "stay_s"],
            rows: [
                Sheet.Row(
                    cells: [title, "80 m"],
                    members: [
                        Sheet.Member("place", title), Sheet.Member("way_m", metres: 80.04),
                        Sheet.Member("stay_s", seconds: nil),
                    ])
            ], total: total)
        sheet.notes = ["From <now>."]
        return sheet
    }

    @Test("a page escapes all texts, has no script, and is for A4; its total is its last line")
    func page() {
        let page = Report.html.text(sheet("<script>\u{1B}&\"", total: ["1 <stay>", "80 m"]))
        #expect(page.contains("<h1>&lt;Stays&gt;</h1>\n<p>From &lt;now&gt;.</p>\n"))
        #expect(page.contains("<title>&lt;Stays&gt;</title>"))
        #expect(page.contains("<td>&lt;script&gt;"))
        #expect(!page.contains("<script"))
        #expect(page.contains("@page{size:A4 landscape"))
        #expect(page.contains("<td>1 &lt;stay&gt;</td><td>80 m</td></tr>\n</tbody></table>"))
        #expect(!page.contains("http") && !page.contains("url("))
    }

    @Test("only a page has the total, unless the table has it, too; programs never")
    func total() {
        let text = sheet("a", total: ["all", "80 m"])
        for form in [Report.table, .csv, .json] { #expect(!form.text(text).contains("all")) }
        #expect(text.lines.count == 1)
        let sums = JurisdictionSums(of: [:]).sheet
        #expect(sums.lines.map(\.first) == ["outside", "all"])
        #expect(Report.csv.text(sums) == "jurisdiction,title,driven_m\r\n,,0.0\r\n")
    }

    @Test("members are numbers to the decimetre, and null where nothing is known")
    func members() throws {
        let json = try JSONValue(parsing: Report.json.text(sheet("a")))
        #expect(json["way_m"]?.double == 80 && json["stay_s"] == .null)
        #expect(Report.csv.text(sheet("=1")) == "place,way_m,stay_s\r\n'=1,80.0,\r\n")
    }

    @Test(
        "no form has what a terminal would interpret, and JSON reads back as it was",
        arguments: Report.allCases)
    func shown(_ form: Report) throws {
        let hostile = "a\u{1B}[2J\u{7F}\u{9B}31m\u{202E}\u{2066}\u{2028}\rb"
        var sheet = sheet(hostile, total: [hostile, hostile])
        sheet.heading = hostile
        sheet.notes = [hostile]
        let text = form.text(sheet)
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars where scalar != "\n" {
            #expect(scalar.properties.generalCategory != .control)
            #expect(!"\u{202E}\u{2066}\u{2028}".unicodeScalars.contains(scalar))
        }
        guard form == .json else { return }
        let json = try JSONValue(parsing: text)
        #expect(json["place"]?.string == hostile)
    }
}
