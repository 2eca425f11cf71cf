extension MeasureText {
    /// Lower case, typewriter marks and hyphens, without spaces at the ends. The rest of a text of more
    /// than 255 characters, which OpenStreetMap does not store, is cut off.
    static func normalized(_ text: String) -> String {
        var result = ""
        for character in unescaped(text.prefix(255)) {
            switch character {
            case "′", "’", "‘", "‛", "´", "`", "ʹ", "ʼ", "ˈ", "＇", "\u{92}": result.append("'")
            case "″", "”", "“", "„", "‟", "ʺ", "ˮ", "＂", "〃", "\u{94}": result.append("\"")
            case "–", "—", "−", "‐", "‑", "‒", "―": result.append("-")
            case "½": result += " 1/2"
            case "¼": result += " 1/4"
            case "¾": result += " 3/4"
            case "\u{A0}", "\u{202F}", "\u{2009}", "\u{2007}", "\t", "\n", "\r", "\r\n":
                result.append(" ")
            // As others escape the mark of inches.
            case "\\": break
            default: result += character.lowercased()
            }
        }
        // Two apostrophes are one mark of inches.
        var marks = ""
        for character in result {
            if character == "'", marks.last == "'" {
                marks.removeLast()
                marks.append("\"")
            } else {
                marks.append(character)
            }
        }
        return marks.trimmed
    }

    /// Marks as markup writes them.
    private static func unescaped(_ text: Substring) -> Substring {
        guard text.contains("&") else { return text }
        var rest = text
        var result: Substring = ""
        next: while let first = rest.first {
            for (entity, mark) in [
                ("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&#39;", "'"),
            ]
            where rest.hasPrefix(entity) {
                result += mark
                rest = rest.dropFirst(entity.count)
                continue next
            }
            result.append(first)
            rest = rest.dropFirst()
        }
        return result
    }
}
