extension String {
    /// As text of HTML, and of what desktops take for markup, also in an attribute between double
    /// quotes: `&`, `<`, `>` and `"` become entities, and of controls only lines stay.
    package var escapedForMarkup: String {
        var escaped = ""
        for scalar in printableLines.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
