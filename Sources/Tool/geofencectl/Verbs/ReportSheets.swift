import JSON
import Law
import Model
import Program
import Reports
import Systemd
import Time

extension Invocation {
    /// The form of a report.
    /// - Throws: ``Failure`` for an unknown one, or one beside `--json`.
    var reportForm: Report {
        get throws {
            guard let name = value("format") else { return isJSON ? .json : .table }
            guard let form = Report(rawValue: name) else {
                throw Failure.usage("not table, csv, json or html", "--format \(name)")
            }
            guard !isJSON else {
                throw Failure.usage("not together with --json", "--format \(name)")
            }
            return form
        }
    }
}

extension Report {
    /// To standard output; a table as all of the tool are.
    @MainActor
    func print(_ sheet: Sheet, since: UTCTime?) throws {
        guard self == .table else {
            var sheet = sheet
            let now = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds).iso8601
            sheet.notes = [
                since.map { "From \($0.iso8601) to \(now)." } ?? "Up to \(now).",
                "All times are UTC.",
            ]
            return try StandardOutput.write(Array(text(sheet).utf8))
        }
        var table = Table(sheet.titles.map { Table.Column(title: $0) })
        for line in sheet.lines { table.add(line.map { ($0, nil) }) }
        try table.print()
    }
}

extension StayMetres {
    /// Nil: nothing is known.
    init(_ way: WayDetails?) {
        self.init(way: way?.metres, bound: way?.bound, gap: way?.gap)
    }
}

extension Sheet {
    /// Each stay.
    init(_ stays: [Stay]) {
        var total = StayTotal()
        for stay in stays { total.add(stay.length, stay.metres) }
        self.init(
            heading: "Stays",
            titles: ["PLACE", "ENTERED", "LEFT", "STAY", "WAY", "GAP", "DRIVER"],
            keys: ["place", "title", "entered", "left", "stay_s", "inferred"] + StayMetres.keys
                + ["driver"],
            rows: stays.map { stay in
                Row(
                    cells: [
                        stay.title.isEmpty ? stay.fence : stay.title, stay.entered?.iso8601 ?? "–",
                        stay.left?.iso8601 ?? "still there", stay.length.map(\.text) ?? "–",
                        stay.metres.wayText, stay.metres.gapText, stay.driver ?? "",
                    ],
                    members: [
                        Member("place", stay.fence),
                        Member("title", stay.title.isEmpty ? nil : stay.title),
                        Member("entered", stay.entered?.iso8601),
                        Member("left", stay.left?.iso8601), Member("stay_s", seconds: stay.length),
                        Member("inferred", raw: stay.inferred ? "true" : "false"),
                    ] + stay.metres.members + [Member("driver", stay.driver)])
            },
            total: [
                total.text(of: "stay"), "", "", total.length.text, total.metres.wayText,
                total.metres.gapText, "",
            ])
    }
}
