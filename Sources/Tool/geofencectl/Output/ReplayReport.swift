import Formats
import JSON
package import Law
import Model
import Time

/// The summary at the end of a replay.
package enum ReplayReport {
    /// `{"summary":{…}}` and a line end: with every reason and every kind, also those that are 0.
    package static func json(_ summary: ReplaySummary, fences: Int) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("summary")
        write(summary, fences: fences, to: &json)
        json.endObject()
        json.endLine()
        return json.bytes
    }

    /// The object alone.
    static func write(_ summary: ReplaySummary, fences: Int, to json: inout JSONWriter) {
        json.beginObject()
        json.key("duration_s")
        json.number(summary.duration.roundedSeconds)
        json.key("distance_m")
        json.number(summary.distance, decimals: 1)
        json.key("reports")
        json.integer(summary.reports)
        json.key("accepted")
        json.integer(summary.fixes.accepted)
        json.key("refused")
        json.beginObject()
        for reason in Refusal.allCases {
            json.key(reason.name)
            json.integer(summary.fixes[reason])
        }
        json.endObject()
        json.key("events")
        json.beginObject()
        for kind in EventKind.allCases {
            json.key(kind.name)
            json.integer(summary.events[kind] ?? 0)
        }
        json.endObject()
        json.key("fences")
        json.integer(fences)
        json.key("refills")
        json.integer(summary.refills)
        json.endObject()
    }

    /// Why no fix of a recording could be used.
    static func uselessness(_ summary: ReplaySummary) -> String {
        if summary.reports == 0 { return "there is no position in the recording" }
        let refused = Refusal.allCases.filter { summary.fixes[$0] > 0 }
        let reasons = refused.map { "\(summary.fixes[$0]) \($0.name)" }.joined(separator: ", ")
        return "not one of \(summary.reports) positions in the recording could be used (\(reasons))"
    }

    /// For people: a blank line, then one line each; counts of 0 are left out.
    static func text(_ summary: ReplaySummary, fences: Int) -> String {
        let refused = Refusal.allCases.filter { summary.fixes[$0] > 0 }
        let kinds = EventKind.allCases.compactMap { kind in
            summary.events[kind].map { "\($0) \(kind.name)" }
        }
        let total = refused.reduce(0) { $0 + summary.fixes[$1] }
        let reasons = refused.map { "\(summary.fixes[$0]) \($0.name)" }.joined(separator: ", ")
        return """

            driven    \(decimal(summary.distance / 1000, 3)) km in \
            \(summary.duration.text)
            fixes     \(counted(summary.reports, "report")), \(summary.fixes.accepted) accepted, \
            \(total) refused\(total > 0 ? " (\(reasons))" : "")
            events    \(kinds.isEmpty ? "none" : kinds.joined(separator: ", "))
            fences    \(fences), the window refilled \(counted(summary.refills, "time"))

            """
    }
}
