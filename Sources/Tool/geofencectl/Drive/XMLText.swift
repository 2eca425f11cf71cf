import Bytes

/// Text of XML 1.0: of elements and of attributes in double quotes.
enum XMLText {
    /// Escaped; characters that no XML 1.0 document can have (section 2.2) become U+FFFD. What a terminal
    /// would interpret stands there as a reference, and reads back as the same.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\u{0}"..<"\t", "\u{B}", "\u{C}", "\u{E}"..<" ", "\u{FFFE}", "\u{FFFF}":
                escaped += "\u{FFFD}"
            case _ where !scalar.isPrintable: escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// `<name>text</name>`
    static func element(_ name: String, _ text: String) -> String {
        "<\(name)>\(escaped(text))</\(name)>"
    }
}
