import JSON
import Reports
import Testing

@testable import Ingesting

@Suite("Who was where how long")
struct ReportTests {
    private var visit: Visit {
        get throws {
            try #require(
                Visit([
                    "b1", nil, "wh", "=1+1 <b>\u{1B}[2J", "2026-11-22T06:00:00Z", nil, "93600.25",
                    "t", "12345.67", "130", nil,
                ]))
        }
    }

    @Test("texts from boxes reach neither a terminal, nor a spreadsheet, nor a page as commands")
    func hostile() throws {
        let visits = [try visit]
        #expect(!Report.table.text(visits).contains("\u{1B}"))
        #expect(Report.csv.text(visits).contains(",'=1+1 <b>"))
        let page = Report.html.text(visits, ["Tenant <i>."])
        #expect(page.contains("<p>Tenant &lt;i&gt;.</p>\n<p>1 visit, 1 d 02 h, 12.3 km.</p>"))
        #expect(page.contains("=1+1 &lt;b&gt;"))
        #expect(!page.contains("<b>"))
    }

    @Test("a line break or a quotation mark in a title is no end of a cell, whatever is beside it")
    func breaks() throws {
        for title in ["a\nb", "a\r\nb", "a\"\u{301},b"] {
            let visit = try #require(
                Visit([
                    "b1", nil, "wh", title, "2026-11-22T06:00:00Z", nil, "60", "f", nil, nil, nil,
                ]))
            let quoted = title.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
            #expect(Report.csv.text([visit]).contains("wh,\"\(quoted)\",b1,"))
        }
        // By itself a CR is no line break, and a terminal obeys it.
        let returned = try #require(
            Visit([
                "b1", nil, "wh", "a\rb", "2026-11-22T06:00:00Z", nil, "60", "f", nil, nil, nil,
            ]))
        #expect(Report.csv.text([returned]).contains("wh,a\u{FFFD}b,b1,"))
        let marked = try #require(
            Visit([
                "b1", nil, "wh", "<\u{338}b>", "2026-11-22T06:00:00Z", nil, "60", "f", nil, nil,
                nil,
            ]))
        #expect(Report.html.text([marked]).contains("&lt;\u{338}b&gt;"))
    }

    @Test("a stay of more than a day, and one that is not over")
    func stays() throws {
        let table = Report.table.text([try visit])
        #expect(table.contains("1 d 02 h"))
        #expect(table.contains("still there"))
        let json = try JSONValue(parsing: Report.json.text([try visit]))
        #expect(json["left"] == .null)
        #expect(json["stay_s"]?.double == 93_600.25)
        #expect(table.contains("12.3 km"))
        #expect(json["way_m"]?.double == 12_345.7 && json["gap_m"] == .null)
        #expect(Report.csv.text([try visit]).contains(",true,12345.7,130.0,\r\n"))
    }

    @Test("sums by place, day and driver have what the tool on the vehicle has")
    func sums() throws {
        let visits = try [
            [
                "b1", "jane", "wh", "A", "2026-11-22T06:00:00.000Z", "2026-11-22T06:10:00.000Z",
                "600", "f", "1200", "20", nil,
            ],
            [
                "b2", nil, "wh", "A", "2026-11-23T06:00:00.000Z", "2026-11-23T06:01:00.000Z", "60",
                "f", "800.04", "10", "900",
            ],
            ["b2", "jane", "x", nil, "2026-11-23T07:00:00.000Z", nil, "60", "f", nil, nil, nil],
        ].map { try #require(Visit($0)) }
        let places = Report.json.text(Sheet(sumsOf: visits, by: .place))
        #expect(
            places
                == #"{"place":"wh","title":"A","stays":2,"stay_s":660,"way_m":2000.0,"#
                + #""way_error_m":30.0,"gap_m":900.0}"# + "\n")
        let drivers = Report.table.text(Sheet(sumsOf: visits, by: .driver))
        #expect(
            drivers.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
                == [
                    "DRIVER STAYS STAY WAY GAP", "– 1 1 min 00 s 0.8 km 0.9 km",
                    "jane 1 10 min 00 s 1.2 km",
                ])
        let days = Report.csv.text(Sheet(sumsOf: visits, by: .day))
        #expect(
            days.hasPrefix(
                "day,stays,stay_s,way_m,way_error_m,gap_m\r\n2026-11-22,1,600,1200.0,20.0,0.0\r\n"))
        #expect(Report.html.text(Sheet(sumsOf: visits, by: .day)).contains("<td>2026-11-23"))
        #expect(Report.html.text(Sheet([Trip]())).contains("None."))
        // How far is not known: that is not 0.
        let unknown = try #require(
            Visit([
                "b1", nil, "wh", nil, "2026-11-22T06:00:00Z", "2026-11-22T07:00:00Z", "3600", "f",
                nil,
                nil, nil,
            ]))
        #expect(Report.csv.text(Sheet(sumsOf: [unknown], by: .place)).hasSuffix(",1,3600,,,\r\n"))
        #expect(Report.html.text([unknown]).contains("<p>1 visit, 1 h 00 min, –.</p>"))
    }

    @Test("no visits are an empty report, not an error", arguments: Report.allCases)
    func empty(_ report: Report) {
        let text = report.text([])
        // A CSV ends its lines with two, which Swift counts as one character.
        #expect(report == .json ? text.isEmpty : text.utf8.last == UInt8(ascii: "\n"))
    }
}
