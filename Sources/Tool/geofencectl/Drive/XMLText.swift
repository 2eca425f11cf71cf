import Bytes

/// Text of XML 1.0: of elements and of attributes in double quotes.
enum XMLText {
    /// Escaped; characters that no XML 1.0 document can have (section 2.2) become U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.escapedForMarkup.unicodeScalars {
            switch scalar {
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
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
