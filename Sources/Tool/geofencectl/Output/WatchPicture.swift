import BusClient
import Bytes
import Geofence1
import Model
import Time

/// The screen of `watch`: the state of the daemon, the window, and the latest events. Made for
/// 80 × 24; a smaller terminal shows the most important parts, a larger one more.
struct WatchPicture {
    var status: DaemonStatus?
    /// Nearest first.
    var regions: [ToldRegion] = []
    /// Of the fences that have one, by id.
    var titles: [ExactText: String] = [:]
    /// Only ASCII is shown.
    var isASCII = false
    /// Of the nearest fence.
    var sparkline = Sparkline()
    /// Oldest first.
    var events: [LoggedEvent] = []
    /// Why there is no status.
    var problem: String?
    /// For how long the daemon has not answered; nil if it does. Then all of this is the past.
    var silence: TimeSpan?

    /// - Parameter age: time since the last fix arrived.
    func lines(
        columns: Int, rows: Int, age: TimeSpan?, _ terminal: Terminal
    ) -> [String] {
        var lines = head(age, terminal).map { text, colour in
            terminal.coloured(
                text.printable.truncated(to: columns),
                silence == nil || colour == .red ? colour : .faint)
        }
        if let ahead = status?[.ahead], !ahead.isEmpty {
            lines.append("")
            lines += AheadTable.table(ahead).lines(terminal, width: columns)
        }
        // Two headers, two blank lines, the footer.
        let room = max(0, rows - lines.count - 5)
        var shownRegions = min(regions.count, max(room - min(events.count, room * 2 / 5), 0))
        let shownEvents = min(events.count, room - shownRegions)
        if shownRegions > 0 {
            // A row says how many do not fit.
            if shownRegions < regions.count, shownRegions > 1 { shownRegions -= 1 }
            lines.append("")
            lines += WindowTable.table(Array(regions.prefix(shownRegions)), titles: titles)
                .lines(terminal, width: columns)
            let rest = regions.count - shownRegions
            if rest > 0, shownRegions > 0 {
                lines.append(terminal.coloured("\(rest) more".truncated(to: columns), .faint))
            }
        }
        if shownEvents > 0 {
            lines.append("")
            lines += Self.table(events.suffix(shownEvents).reversed())
                .lines(terminal, width: columns)
        }
        while lines.count < rows - 1 { lines.append("") }
        lines = Array(lines.prefix(max(1, rows - 1)))
        lines.append(terminal.coloured("q quits".truncated(to: columns), .faint))
        return isASCII ? lines.map(\.inASCII) : lines
    }

    private func head(_ age: TimeSpan?, _ terminal: Terminal) -> [(String, Colour?)] {
        guard let status else { return [("geofenced: \(problem ?? "waiting")", .red)] }
        let troubles = status[.degraded]
        let state =
            troubles.isEmpty
            ? status[.state] : "degraded: " + troubles.joined(separator: ", ")
        var lines: [(String, Colour?)] = [
            ("geofenced \(state)   \(status[.source])", troubles.isEmpty ? .bold : .red)
        ]
        if let silence {
            lines = [("geofenced does not answer, for \(silence.text)", .red)]
        }
        if let problem { lines.append((problem, .red)) }
        let known = status[.positionState]
        let place = status.position.map { "   \($0.text)" } ?? ""
        let quality = age.map { "   \($0.text) ago" } ?? ""
        let isOld = age.map { $0 > DaemonStatus.oldestFix } ?? false
        let rest = isOld && status[.resting] ? "   parked; the receiver may sleep" : ""
        let isPast = known != "known" || isOld && rest.isEmpty
        lines.append(("position \(known)\(place)\(quality)\(rest)", isPast ? .yellow : nil))
        let reasons = status.refused.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }
        lines.append(
            ("fixes    \(status.accepted) accepted" + reasons.map { ", \($0)" }.joined(), nil))
        let metafence = status[.metafenceRadius].map { "metafence \(WindowTable.length($0))" }
        lines.append(
            (
                "window   \(status[.window].count) of \(status[.fenceCount]) fences, "
                    + (metafence ?? "the whole catalogue"), nil
            ))
        if !sparkline.text.isEmpty, let distance = sparkline.values.last {
            let length = WindowTable.length(distance)
            let name = titles[sparkline.fence] ?? sparkline.fence
            lines.append(("nearest  \(sparkline.text) \(length)   \(name)", nil))
        }
        let isMissing = troubles.contains("vehicle-unset")
        if let vehicle = status.vehicle, isMissing || vehicle.certainty != .assumed {
            let colour: Colour? = vehicle.certainty == .confirmed ? nil : .red
            lines.append(("vehicle  \(vehicle.summary)", colour))
        }
        return lines
    }

    private static func table(_ events: some Sequence<LoggedEvent>) -> Table {
        var table = Table([
            .init(title: "TIME (UTC)"), .init(title: "EVENT"),
            .init(title: "DISTANCE", isNumber: true), .init(title: "FENCE"),
        ])
        for logged in events {
            let event = logged.event
            let name = event.title.isEmpty ? event.fence ?? "" : event.title
            table.add([
                (String(event.time.iso8601.dropFirst(5).prefix(14)), nil),
                (event.kind.name, event.kind.colour),
                (event.distance.map(WindowTable.length) ?? "", nil),
                (name, nil),
            ])
        }
        return table
    }
}
