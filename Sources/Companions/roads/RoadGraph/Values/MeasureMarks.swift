extension MeasureText {
    /// Lower case, typewriter marks and hyphens, without spaces at the ends. The rest of a text of more
    /// than 255 characters, which OpenStreetMap does not store, is cut off.
    static func normalized(_ text: String) -> String {
        var result = ""
        for character in unescaped(text.prefix(255)).map(narrowed) {
            switch character {
            case "′", "‵", "’", "‘", "‛", "´", "`", "ʹ", "ʼ", "ˈ", "\u{92}": result.append("'")
            case "″", "‶", "”", "“", "„", "‟", "ʺ", "ˮ", "〃", "\u{94}": result.append("\"")
            case "–", "—", "−", "‐", "‑", "‒", "―": result.append("-")
            case "½": result += " 1/2"
            case "¼": result += " 1/4"
            case "¾": result += " 3/4"
            case "⅛": result += " 1/8"
            case "⅜": result += " 3/8"
            case "⅝": result += " 5/8"
            case "⅞": result += " 7/8"
            case "⁄": result.append("/")
            // As Britain wrote a decimal point.
            case "·": result.append(".")
            case "\u{A0}", "\u{202F}", "\u{2009}", "\u{2007}", "\u{3000}", "\t", "\n", "\r", "\r\n":
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
        // Quotation marks around the whole are none of feet and inches.
        let whole = marks.trimmed
        guard let mark = whole.first, mark == "'" || mark == "\"", whole.last == mark,
            whole.count > 2
        else { return whole }
        return String(whole.dropFirst().dropLast()).trimmed
    }

    /// Of the wide forms of letters, digits and marks, as keyboards of East Asia have them, the narrow one.
    private static func narrowed(_ character: Character) -> Character {
        guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1,
            (0xFF01...0xFF5E).contains(scalar.value),
            let narrow = Unicode.Scalar(scalar.value - 0xFEE0)
        else { return character }
        return Character(narrow)
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
