import Bytes
import Formats
import Model
import Time

/// An event as one line for people: time, kind, fence, rule, distance, error, stay, what the driver
/// hears of a hazard, title.
enum EventLine {
    static func text(_ logged: LoggedEvent, _ terminal: Terminal) -> String {
        let event = logged.event
        let kind = terminal.coloured(event.kind.name.padded(to: 8), event.kind.colour)
        guard let fence = event.fence else {
            return [event.time.iso8601, kind, trip(event)].compactMap(\.self)
                .joined(separator: "  ")
        }
        var line = [
            event.time.iso8601, kind, fence.printable.padded(to: 20),
            (event.reasonName ?? "").padded(to: 9),
            (event.distance.map(metres) ?? "").aligned(to: 10),
            (event.error.map { "±" + metres($0) } ?? "").aligned(to: 8),
        ]
        if let stay = event.stay { line.append("stay \(stay.text)") }
        if event.inferred { line.append("inferred") }
        if !event.announced { line.append("silent") }
        if let approach = event.approach {
            line.append(approach.text(of: event.kind).printable)
        }
        if let terms = event.terms.flatMap(TermsText.text) { line.append(terms) }
        if !event.title.isEmpty { line.append(event.title.printable) }
        if let driver = logged.driver { line.append("driver \(driver.printable)") }
        return line.joined(separator: "  ")
    }

    /// Without colours and columns: `certain, -12.4 m, ±5.0 m, stay 10.8 s`.
    static func plain(_ logged: LoggedEvent) -> String {
        let event = logged.event
        var parts: [String] = []
        if let reason = event.reason { parts.append(reason.name) }
        if let distance = event.distance { parts.append(metres(distance)) }
        if let error = event.error { parts.append("±" + metres(error)) }
        if let stay = event.stay { parts.append("stay \(stay.text)") }
        if let approach = event.approach { parts.append(approach.text(of: event.kind)) }
        return parts.joined(separator: ", ")
    }

    /// `1 h 02 min, from Depot, to dock-3, 12.3 km, 4 stops`; nil for another kind.
    private static func trip(_ event: Event) -> String? {
        guard let trip = event.trip, let length = event.stay else { return nil }
        var parts = ["\(length.text)"]
        for (word, place) in [("from", trip.from), ("to", trip.to)] {
            guard let place else { continue }
            parts.append("\(word) \((place.title.isEmpty ? place.fence : place.title).printable)")
        }
        if let way = event.way { parts.append(LengthText.of(metres: way.metres + way.gap)) }
        parts.append("\(trip.stops) stop\(trip.stops == 1 ? "" : "s")")
        return parts.joined(separator: ", ")
    }

    /// `-12.4 m`
    static func metres(_ value: Double) -> String { "\(decimal(value, 1)) m" }
}

/// With that many decimals, never `-0.0`.
func decimal(_ value: Double, _ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    guard value.isFinite, value.magnitude * scale < 1e18 else { return "\(value)" }
    let scaled = Int64((value.magnitude * scale).rounded())
    let whole = scaled / Int64(scale)
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(whole)" }
    let rest = String(scaled % Int64(scale))
    return "\(sign)\(whole)." + String(repeating: "0", count: decimals - rest.utf8.count) + rest
}

extension EventKind {
    var colour: Colour {
        switch tone {
        case .arrival, .recovery: .green
        case .departure, .warning: .yellow
        case .stay: .cyan
        case .alarm: .red
        }
    }
}
