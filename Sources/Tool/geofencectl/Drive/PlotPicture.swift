import Bytes
import Geodesy
import Model
import Time

/// The signed distance to one fence over the time of a drive, as SVG without style sheets, scripts
/// or fonts of its own: opens anywhere, and goes into a ticket.
enum PlotPicture {
    private static let width = 960.0
    private static let height = 360.0
    private static let left = 64.0
    private static let right = 16.0
    private static let top = 40.0
    private static let bottom = 36.0
    /// The most points of the line: a picture has no more columns.
    private static let mostPoints = 900

    /// UTF-8. The whole drive if the fence has no event, else from a minute before its first to a
    /// minute after its last.
    static func svg(_ record: DriveRecord, _ fence: Fence) -> [UInt8] {
        guard let range = range(record, fence) else { return Array(frame(fence, "").utf8) }
        let plot = DrivePlot(record, fence, range)
        let step = max(1, (plot.distances.count + mostPoints - 1) / mostPoints)
        let scale = Scale(record, plot, events(record, fence))
        var body = axes(scale)
        var above: [String] = []
        var below: [String] = []
        var line: [String] = []
        for index in stride(from: 0, to: plot.distances.count, by: step) {
            let fix = record.fixes[plot.from + index]
            let distance = plot.distances[index]
            let x = decimal(scale.x(fix.time), 1)
            line.append("\(x),\(decimal(scale.y(distance), 1))")
            above.append("\(x),\(decimal(scale.y(distance + fix.error), 1))")
            below.append("\(x),\(decimal(scale.y(distance - fix.error), 1))")
        }
        body += "<polygon points=\"\((above + below.reversed()).joined(separator: " "))\" "
        body += "fill=\"#0b57d0\" fill-opacity=\"0.18\"/>\n"
        body += "<polyline points=\"\(line.joined(separator: " "))\" fill=\"none\" "
        body += "stroke=\"#0b57d0\" stroke-width=\"2\"/>\n"
        for event in events(record, fence) { body += mark(event, scale) }
        return Array(frame(fence, body).utf8)
    }

    private static func events(_ record: DriveRecord, _ fence: Fence) -> [Event] {
        record.happenings.map(\.logged.event).filter { $0.fence?.isExactly(fence.id) == true }
    }

    private static func range(_ record: DriveRecord, _ fence: Fence) -> ClosedRange<Int>? {
        guard !record.fixes.isEmpty else { return nil }
        let all = 0...(record.fixes.count - 1)
        let events = events(record, fence)
        guard let first = events.map(\.time).min(), let last = events.map(\.fixTime).max() else {
            return all
        }
        let minute = TimeSpan.seconds(60)
        let shown = all.filter {
            let time = record.fixes[$0].time
            return time - first >= -minute && time - last <= minute
        }
        guard let low = shown.first, let high = shown.last else { return all }
        return low...high
    }

    /// From times and metres to places in the picture.
    private struct Scale {
        var from: UTCTime
        var seconds: Double
        var low: Double
        var high: Double

        init(_ record: DriveRecord, _ plot: DrivePlot, _ events: [Event]) {
            let times = record.fixes[plot.from..<(plot.from + plot.distances.count)].map(\.time)
            from = times.min() ?? UTCTime(nanoseconds: 0)
            seconds = max(((times.max() ?? from) - from).seconds, 1)
            // Far away is not what is asked: what matters is how it was near the boundary.
            let depth = max(-(plot.distances.min() ?? 0), 20)
            low = -1.3 * depth
            let errors = events.compactMap(\.error).max() ?? 0
            high = max(min(plot.distances.max() ?? 0, max(4 * depth, 200)), 2 * errors, 50)
        }

        func x(_ time: UTCTime) -> Double {
            left + max(0, min((time - from).seconds / seconds, 1)) * (width - left - right)
        }

        func y(_ metres: Double) -> Double {
            let share = (max(low, min(metres, high)) - low) / (high - low)
            return height - bottom - share * (height - top - bottom)
        }
    }

    private static func axes(_ scale: Scale) -> String {
        let zero = scale.y(0)
        var text = "<rect x=\"\(decimal(left, 0))\" y=\"\(decimal(zero, 1))\" "
        text += "width=\"\(decimal(width - left - right, 0))\" "
        text += "height=\"\(decimal(height - bottom - zero, 1))\" fill=\"#00695c\" "
        text += "fill-opacity=\"0.14\"/>\n"
        let step = roundStep((scale.high - scale.low) / 6)
        var metres = (scale.low / step).rounded(.up) * step
        while metres <= scale.high {
            let y = decimal(scale.y(metres), 1)
            let isBoundary = metres.magnitude < step / 1000
            text += "<path d=\"M\(decimal(left, 0)) \(y)H\(decimal(width - right, 0))\" "
            text += "stroke=\"\(isBoundary ? "#1f2a37" : "#d6dae0")\" "
            text += "stroke-width=\"\(isBoundary ? 1.5 : 1)\"/>"
            text += label("\(decimal(metres, 0)) m", left - 6, scale.y(metres) + 4, "end")
            metres += step
        }
        for part in 0...4 {
            let time = scale.from + .seconds(scale.seconds * Double(part) / 4)
            let anchor = part == 0 ? "start" : part == 4 ? "end" : "middle"
            text += label(
                String(time.iso8601.dropFirst(11).prefix(8)), scale.x(time), height - 12, anchor)
        }
        return text + label("inside", left + 6, height - bottom - 6, "start")
    }

    /// 1, 2 or 5 times a power of ten, the next above.
    private static func roundStep(_ least: Double) -> Double {
        var step = 1.0
        while step * 10 <= least { step *= 10 }
        return [1, 2, 5, 10].map { $0 * step }.first { $0 >= least } ?? step * 10
    }

    /// A solid line where the boundary was crossed, a dotted one at the fix that proved it.
    private static func mark(_ event: Event, _ scale: Scale) -> String {
        let colour: String
        switch event.kind {
        case .enter, .initial: colour = "#00695c"
        case .exit: colour = "#8a1f46"
        default: colour = "#0b57d0"
        }
        func line(_ time: UTCTime, _ dashes: String) -> String {
            let x = decimal(scale.x(time), 1)
            return "<path d=\"M\(x) \(decimal(top, 0))V\(decimal(height - bottom, 0))\" "
                + "stroke=\"\(colour)\" stroke-width=\"2\"\(dashes)/>\n"
        }
        return line(event.time, "") + line(event.fixTime, " stroke-dasharray=\"2 4\"")
            + label(event.kind.name, scale.x(event.time) + 4, top + 12, "start")
    }

    private static func label(_ text: String, _ x: Double, _ y: Double, _ anchor: String) -> String
    {
        "<text x=\"\(decimal(x, 1))\" y=\"\(decimal(y, 1))\" text-anchor=\"\(anchor)\">"
            + XMLText.escaped(text) + "</text>\n"
    }

    private static func frame(_ fence: Fence, _ body: String) -> String {
        let title = fence.title.isEmpty ? fence.id : fence.title
        let size = "\(decimal(width, 0)) \(decimal(height, 0))"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" \
            font-family="sans-serif" font-size="13" fill="#1f2a37">
            <title>\(XMLText.escaped(title))</title>
            <rect width="100%" height="100%" fill="#ffffff"/>
            \(label("Signed distance to " + title, left, 22, "start"))\(body)</svg>

            """
    }
}
