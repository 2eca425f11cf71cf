import Formats
import Geodesy
import JSON
import Law
import Model
import Time

/// The lines of a replay: events, with `--fixes` each fix, and the summary.
@MainActor
struct ReplayLines {
    let selection: EventSelection
    let isJSON: Bool
    /// Each fix is a line, too.
    let hasFixes: Bool
    /// Standard output is for something else.
    let isSilent: Bool
    /// Each fix says how far from these it was.
    let fences: [Fence]

    func write(_ events: [LoggedEvent]) throws {
        guard !isSilent else { return }
        for event in events where selection.admits(event.event) {
            try StandardOutput.write(
                isJSON
                    ? EventJSON.line(event)
                    : Array((EventLine.text(event, .output) + "\n").utf8))
        }
    }

    /// What became of a report: nothing is said of one that is held or repeated.
    func write(_ report: PositionReport, _ verdict: ReportVerdict) throws {
        guard hasFixes, !isSilent else { return }
        for dropped in verdict.dropped { try write(dropped) }
        for fix in verdict.accepted { try write(fix, nil) }
        guard case .refused(let reason) = verdict.fate else { return }
        try line(
            report.time, report.coordinate.flatMap { $0.isValid ? $0 : nil }, report.error,
            report.speed, report.course, reason)
    }

    /// A fix that was held, and does not count.
    func write(_ dropped: ReportVerdict.Dropped) throws {
        guard hasFixes, !isSilent else { return }
        try write(dropped.fix, dropped.reason)
    }

    func write(_ summary: ReplaySummary, fences count: Int) throws {
        guard !isSilent else { return }
        try StandardOutput.write(
            isJSON
                ? ReplayReport.json(summary, fences: count)
                : Array(ReplayReport.text(summary, fences: count).utf8))
    }

    private func write(_ fix: Fix, _ reason: Refusal?) throws {
        try line(fix.time, fix.coordinate, fix.error, fix.speed, fix.course, reason)
    }

    /// `{"fix":{…}}`: with `reason` where it did not count, and distances to ``fences``.
    private func line(
        _ time: UTCTime?, _ place: Coordinate?, _ error: Double?, _ speed: Double?,
        _ course: Double?, _ reason: Refusal?
    ) throws {
        var json = JSONWriter()
        json.beginObject()
        json.key("fix")
        json.beginObject()
        json.key("time")
        json.optional(time?.iso8601)
        json.key("latitude")
        json.optional(place?.latitude, decimals: 7)
        json.key("longitude")
        json.optional(place?.longitude, decimals: 7)
        json.key("error_m")
        json.optional(error, decimals: 1)
        json.key("speed_mps")
        json.optional(speed, decimals: 1)
        json.key("course_deg")
        json.optional(course, decimals: 1)
        json.key("accepted")
        json.bool(reason == nil)
        if let reason {
            json.key("reason")
            json.string(reason.name)
        }
        if !fences.isEmpty, let place {
            let point = SurfacePoint(place)
            json.key("distance_m")
            json.beginObject()
            for fence in fences {
                guard let area = fence.area else { continue }
                json.key(fence.id)
                json.number(area.signedDistance(to: point), decimals: 1)
            }
            json.endObject()
        }
        json.endObject()
        json.endObject()
        json.endLine()
        try StandardOutput.write(json.bytes)
    }
}
