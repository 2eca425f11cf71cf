extension String {
    /// As a cell of a file that a spreadsheet opens: an apostrophe before what it would take for a formula,
    /// at the beginning, and after whatever may end a cell there.
    package var guardedForSpreadsheet: String {
        mayHoldFormula ? mapCells { isRisk, cell in isRisk ? ["'"] + cell : Array(cell) } : self
    }

    /// What ``guardedForSpreadsheet`` was made of.
    package var unguardedForSpreadsheet: String {
        guard utf8.contains(UInt8(ascii: "'")) else { return self }
        return mapCells { isRisk, cell in
            Array(isRisk && cell.first == "'" ? cell.dropFirst() : cell)
        }
    }

    /// Each part that a spreadsheet may take for a cell, with what ends it. Apostrophes before it make no
    /// difference to whether it is a risk.
    private func mapCells(
        _ change: (_ isRisk: Bool, Substring.UnicodeScalarView) -> [Unicode.Scalar]
    ) -> String {
        var text = UnicodeScalarView()
        var rest = Substring(self).unicodeScalars
        var isFirst = true
        while !rest.isEmpty {
            let end = rest.firstIndex(where: \.endsCell).map(rest.index(after:)) ?? rest.endIndex
            let cell = rest[..<end]
            let bare = cell.drop { $0 == "'" }
            // Spreadsheets drop what is blank at the beginning.
            let isBlank = isFirst && bare.first?.endsCell == true && bare.first != ";"
            let isRisk = isBlank || bare.first { !$0.isUnseen }?.beginsFormula == true
            text.append(contentsOf: change(isRisk, cell))
            rest = rest[end...]
            isFirst = false
        }
        return String(text)
    }

    /// Of most texts the answer is no, and found by their bytes.
    private var mayHoldFormula: Bool {
        guard let first = utf8.first else { return false }
        let isPlain =
            (0x30...0x39).contains(first) || (0x41...0x5A).contains(first)
            || (0x61...0x7A).contains(first)
        return !isPlain || utf8.contains { [0x09, 0x0A, 0x0D, 0x3B].contains($0) }
    }
}

extension Unicode.Scalar {
    fileprivate var endsCell: Bool { "\t\n\r;".unicodeScalars.contains(self) }

    /// Also as the wide and the small letters, which become these.
    fileprivate var beginsFormula: Bool {
        "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{FE66}\u{FE62}\u{FE63}\u{FE6B}\u{2212}"
            .unicodeScalars.contains(self)
    }

    /// Blank, or nothing that is seen.
    fileprivate var isUnseen: Bool {
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint
            || [.control, .format].contains(properties.generalCategory)
    }
}
