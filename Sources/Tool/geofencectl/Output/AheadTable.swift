import BusClient
import Bytes
import Formats
import JSON
import Model
import Sentences

/// What is ahead as a table, for `window` and `watch`.
enum AheadTable {
    static func table(_ hazards: [Ahead]) -> Table {
        var table = Table([
            .init(title: "AHEAD"), .init(title: "LIMIT"), .init(title: "TO GO", isNumber: true),
            .init(title: "SECONDS", isNumber: true), .init(title: "WAY OUT"),
            .init(title: "HAZARD"),
        ])
        for hazard in hazards {
            let details = hazard.details
            table.add([
                (hazard.stage?.kind.name ?? "–", hazard.stage?.kind.colour),
                ("\(details.kind.name) \(limit(details))", nil),
                (ApproachDetails.distance(details.toGo, details.units), nil),
                (details.toGoTime.map { decimal($0, 0) } ?? "–", nil),
                (wayOut(details), nil),
                (hazard.title.isEmpty ? hazard.hazard : hazard.title, nil),
            ])
        }
        return table
    }

    /// `height 4.00 m in 1.2 km, 68 s, way out in 800 m, left, Mill Lane: Low bridge`
    static func line(_ hazard: Ahead) -> String {
        let details = hazard.details
        var text = "\(details.kind.name) \(limit(details)) in "
        text += ApproachDetails.distance(details.toGo, details.units)
        if let time = details.toGoTime { text += ", \(decimal(time, 0)) s" }
        let title = hazard.title.isEmpty ? hazard.hazard : hazard.title
        return text + ", way out \(wayOut(details)): \(title)".printable
    }

    /// `4.00 m`, or the text of the sign.
    static func limit(_ details: ApproachDetails) -> String {
        guard let limit = details.limit else { return "unknown" }
        return details.sign.isEmpty || details.units == .metric
            ? ApproachDetails.value(limit, details.kind, .metric, up: false) : details.sign
    }

    /// `in 800 m, left, Mill Lane`
    private static func wayOut(_ details: ApproachDetails) -> String {
        guard let toEscape = details.toEscape else { return "none" }
        guard toEscape > 0 else { return "passed" }
        var text = "in " + ApproachDetails.distance(toEscape, details.units)
        if let side = details.escape?.side { text += ", \(side.name)" }
        if let road = details.escape?.road, !road.isEmpty { text += ", \(road)" }
        return text
    }
}
