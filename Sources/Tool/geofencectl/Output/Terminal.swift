import Glibc
import Systemd

// Unsafe: ioctl(2) fills a struct of ours.

/// Whether standard output is a terminal, and what it can show.
struct Terminal: Sendable {
    /// A terminal: tables, and a progress bar.
    var isTerminal: Bool
    /// Colours and emphasis.
    var hasColour: Bool

    /// The terminal of a descriptor. No colours if NO_COLOR is set and not empty (no-color.org) or
    /// the terminal is dumb.
    init(_ descriptor: Int32) {
        isTerminal = isatty(descriptor) == 1
        let isDumb = environment("TERM").map { $0 == "dumb" } ?? true
        hasColour = isTerminal && environment("NO_COLOR") == nil && !isDumb
    }

    static let output = Terminal(STDOUT_FILENO)
    static let errors = Terminal(STDERR_FILENO)

    /// Columns and rows now; 80 × 24 if unknown.
    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        if unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
            size.ws_row > 0
        {
            return (Int(size.ws_col), Int(size.ws_row))
        }
        let columns = environment("COLUMNS").flatMap { Int($0) } ?? 80
        let rows = environment("LINES").flatMap { Int($0) } ?? 24
        return (max(1, min(columns, 1000)), max(1, min(rows, 1000)))
    }

    /// The text in a colour, if there are colours.
    func coloured(_ text: String, _ colour: Colour?) -> String {
        guard hasColour, let colour else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }

    /// Whether it goes on, after an escape, as ``coloured(_:_:)`` writes it.
    func isColour(_ rest: Substring) -> Bool {
        hasColour
            && (rest.hasPrefix("[0m")
                || Colour.allCases.contains { rest.hasPrefix("[\($0.rawValue)m") })
    }
}

/// One of the eight colours that every terminal has.
enum Colour: String, Sendable, CaseIterable {
    case bold = "1"
    case faint = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
}
