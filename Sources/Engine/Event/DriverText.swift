// What the driver hears: one sentence after another, in the units of the sign.
extension ApproachDetails {
    /// The text of an event of that kind: `advisory`, `urgent` or `clear`. In the units of the
    /// sign; the vehicle's own value is rounded up, the clearance and the distances down.
    package func text(of event: EventKind) -> String { text(of: event, in: units) }

    /// Units of lengths.
    package enum Units: Hashable, Sendable { case metric, imperial }

    /// Those of the sign: a text with a foot or inch mark is imperial.
    package var units: Units {
        sign.unicodeScalars.contains { "'\"′″’”".unicodeScalars.contains($0) }
            ? .imperial : .metric
    }

    /// The text in these units.
    package func text(of event: EventKind, in units: Units) -> String {
        var text = hazard(units)
        if event == .clear { return text + " is no longer ahead." }
        text += toGo > 0 ? " in " + Self.distance(toGo, units) + "." : " here."
        text +=
            certainty == .assumed && kind == .height
            ? " Your height is not set, taken as " : " You are "
        text += Self.value(vehicle, kind, units, up: true) + "."
        if event == .urgent, toEscape ?? 0 <= 0 { text += " No way out before it." }
        if let toEscape, toEscape > 0 {
            text += " Last way out in " + Self.distance(toEscape, units)
            if let side = escape?.side { text += ", " + side.name }
            if let road = escape?.road, !road.isEmpty { text += ", " + road }
            text += "."
        }
        if !condition.isEmpty { text += " Applies: " + condition + "." }
        return text
    }

    /// What it is, and what it lets pass.
    private func hazard(_ units: Units) -> String {
        var text: String
        switch kind {
        case .height: text = "Low bridge"
        case .width: text = "Narrow place"
        case .length: text = "Length limit"
        case .weight: text = "Weight limit"
        case .axleLoad: text = "Axle load limit"
        }
        guard let limit else { return text + ", clearance unknown," }
        // The sign itself, where it is in these units.
        if !sign.isEmpty, units == self.units, units == .imperial {
            text += " " + sign
        } else {
            text += " " + Self.value(limit, kind, units, up: false)
        }
        return text
    }

    /// A length or weight for people: metres to 5 cm, or feet and inches; tonnes to 0.1.
    package static func value(
        _ value: Double, _ kind: Limits.Kind, _ units: Units, up: Bool
    ) -> String {
        // 4.2 in binary is a little above 4.2: what is meant is the decimal.
        func steps(_ size: Double) -> Int {
            let exact = value / size
            let rounded = up ? (exact - 1e-6).rounded(.up) : (exact + 1e-6).rounded(.down)
            return Int(max(0, min(rounded, 1e6)))
        }
        switch (kind, units) {
        case (.weight, _), (.axleLoad, _):
            let tenths = steps(0.1)
            return "\(tenths / 10).\(tenths % 10) t"
        case (_, .imperial):
            let inches = steps(0.0254)
            return "\(inches / 12)'\(inches % 12)\""
        case (_, .metric):
            // A limit is given to the centimetre, the vehicle to 5 cm.
            let hundredths = up ? steps(0.05) * 5 : steps(0.01)
            let rest = hundredths % 100
            return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) m"
        }
    }

    /// A distance for people, rounded down: to 0.1 mile or 100 m, below that to 50 yards or 10 m.
    package static func distance(_ metres: Double, _ units: Units) -> String {
        let metres = max(0, min(metres, 1e6))
        switch units {
        case .imperial:
            let tenths = Int(metres / 160.9344)
            if tenths >= 1 { return "\(tenths / 10).\(tenths % 10) miles" }
            return "\(Int(metres / 0.9144 / 50) * 50) yards"
        case .metric:
            if metres >= 1_000 {
                let hundreds = Int(metres / 100)
                return "\(hundreds / 10).\(hundreds % 10) km"
            }
            return metres >= 100 ? "\(Int(metres / 100) * 100) m" : "\(Int(metres / 10) * 10) m"
        }
    }
}
