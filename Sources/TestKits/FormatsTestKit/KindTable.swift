import Formats
import Model

/// The kinds of events, as the pages list them.
package enum KindTable {
    /// For the manual pages that know them by name.
    package static var manual: String {
        lines(EventKind.allCases.map(\.name), beginning: ".Cm ", comma: " ,", end: " .")
    }

    /// For the pages about the bus, with their numbers.
    package static var numbers: String {
        lines(
            EventKind.allCases.map { "\($0.rawValue) \($0)" }, beginning: "", comma: ",", end: ".")
    }

    /// For the map: colour class and sign.
    package static var page: String {
        let rows = EventKind.allCases.map { kind in
            "    '\(kind)': { look: '\(look(of: kind.tone))', sign: '\(sign(of: kind))' },\n"
        }
        return "/** Colour class and sign of each kind of event. */\n"
            + "const KINDS = {\n" + rows.joined() + "};\n"
    }

    private static func lines(
        _ names: [String], beginning: String, comma: String, end: String
    ) -> String {
        var lines: [String] = []
        for (index, name) in names.enumerated() {
            let word = name + (index == names.count - 1 ? end : comma)
            if let last = lines.last, last.count + word.count < 80 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(beginning + word)
            }
        }
        return lines.map { "\($0)\n" }.joined()
    }

    /// Of the page's colours.
    private static func look(of tone: EventKind.Tone) -> String {
        switch tone {
        case .arrival: "inside"
        case .departure: "leave"
        case .stay, .recovery: "note"
        case .warning: "hazard"
        case .alarm: "lost"
        }
    }

    private static func sign(of kind: EventKind) -> String {
        switch kind.tone {
        case .arrival where kind == .enter: "→"
        // No crossing was seen.
        case .arrival where kind == .initial: "●"
        case .arrival, .recovery: "✓"
        case .departure: "←"
        case .stay: "◷"
        case .warning: "▲"
        case .alarm: "!"
        }
    }
}
