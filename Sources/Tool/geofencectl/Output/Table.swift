import Bytes

/// Rows of text. On a terminal in columns under a header, cut to its width; elsewhere one row per
/// line with tabs between, for programs.
struct Table {
    /// One column.
    struct Column {
        var title: String
        /// Numbers are aligned to the right.
        var isNumber = false
    }

    let columns: [Column]
    private(set) var rows: [[(text: String, colour: Colour?)]] = []

    init(_ columns: [Column]) { self.columns = columns }

    init(_ titles: String...) { columns = titles.map { Column(title: $0) } }

    /// As many cells as there are columns.
    mutating func add(_ cells: [(text: String, colour: Colour?)]) {
        rows.append(cells.map { ($0.text.printable, $0.colour) })
    }

    mutating func add(_ cells: String...) { add(cells.map { ($0, nil) }) }

    /// The lines, without newlines.
    func lines(_ terminal: Terminal, width: Int, hasHeader: Bool = true) -> [String] {
        guard terminal.isTerminal else {
            return rows.map { row in row.map(\.text).joined(separator: "\t") }
        }
        let widths = columns.indices.map { index in
            rows.reduce(columns[index].title.columns) { max($0, $1[index].text.columns) }
        }
        let header = hasHeader ? [columns.map { ($0.title, Colour?.some(.bold)) }] : []
        return (header + rows).map { line($0, widths, terminal, width) }
    }

    private func line(
        _ cells: [(text: String, colour: Colour?)], _ widths: [Int], _ terminal: Terminal,
        _ width: Int
    ) -> String {
        var line = ""
        var left = width
        for (index, cell) in cells.enumerated() where left > 0 {
            let isLast = index == cells.count - 1
            let text =
                columns[index].isNumber
                ? cell.text.aligned(to: widths[index])
                : isLast ? cell.text : cell.text.padded(to: widths[index])
            let cut = text.truncated(to: left)
            line += terminal.coloured(cut, cell.colour)
            left -= cut.columns
            if !isLast, left > 0 {
                let gap = min(2, left)
                line += String(repeating: " ", count: gap)
                left -= gap
            }
        }
        return line
    }
}

extension Table {
    /// Prints it to standard output.
    @MainActor
    func print(hasHeader: Bool = true) throws {
        let width = Terminal.size.columns
        for line in lines(.output, width: width, hasHeader: hasHeader) {
            try StandardOutput.line(line)
        }
    }
}
