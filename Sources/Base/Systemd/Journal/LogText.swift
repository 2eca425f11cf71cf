/// Text that is safe in the log: much of it comes from other programs.
package enum LogText {
    /// Bytes of UTF-8; longer lines are truncated.
    package static let longest = 2048

    /// One line of limited length without anything that a terminal would interpret: each line break
    /// becomes a space, each other control or format character a `?`.
    package static func line(_ text: String) -> String {
        if text.utf8.count <= longest, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            return text
        }
        var line = ""
        for scalar in text.unicodeScalars {
            guard line.utf8.count + 4 <= longest else { return line + "…" }
            switch scalar.properties.generalCategory {
            case .lineSeparator, .paragraphSeparator: line += " "
            case .control: line += ["\n", "\r", "\t"].contains(scalar) ? " " : "?"
            // These reorder or hide adjacent text.
            case .format, .unassigned, .privateUse: line += "?"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}
