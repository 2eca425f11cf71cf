extension String {
    /// Without control sequences: a title from the bus must not move the cursor. What a terminal
    /// would interpret becomes U+FFFD.
    package var printable: String { replacingUnprintable { _, _ in false } }

    /// The same of text that may have lines: tabs, LF and CRLF stay.
    package var printableLines: String {
        replacingUnprintable { scalar, next in
            scalar == "\t" || scalar == "\n" || scalar == "\r" && next == "\n"
        }
    }

    /// - Parameter stays: a scalar, and the next one.
    private func replacingUnprintable(
        _ stays: (Unicode.Scalar, Unicode.Scalar?) -> Bool
    ) -> String {
        guard unicodeScalars.contains(where: { !$0.isPrintable }) else { return self }
        var text = String.UnicodeScalarView()
        var rest = unicodeScalars[...]
        while let scalar = rest.popFirst() {
            text.append(scalar.isPrintable || stays(scalar, rest.first) ? scalar : "\u{FFFD}")
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal shows it, or joins it to another: no control character, no line break, and
    /// nothing that reorders a line.
    package var isPrintable: Bool {
        if value < 0x7F { return value >= 0x20 }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
        case .format:
            return !(0x202A...0x202E).contains(value) && !(0x2066...0x2069).contains(value)
        default: return true
        }
    }
}
