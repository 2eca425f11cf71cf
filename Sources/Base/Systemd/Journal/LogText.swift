/// Text for the log, as it may be shown to people: much of it was said by somebody else.
package enum LogText {
    /// Bytes of UTF-8; of a longer line its beginning is kept.
    package static let longest = 2048

    /// One line of bounded length without anything that a terminal would obey: each line break is a
    /// space, each other control or format character a `?`.
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
            // They reorder or hide what stands beside them.
            case .format, .unassigned, .privateUse: line += "?"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}
