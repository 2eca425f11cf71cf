/// A peer's text made safe for display: one short line without anything that a terminal would
/// interpret.
enum PeerText {
    /// Bytes of UTF-8.
    static let longest = 200

    /// The beginning of `text`, with `?` for each control character.
    static func shown(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            guard shown.utf8.count + 4 <= longest else { return shown + "…" }
            switch scalar.properties.generalCategory {
            // Format characters too: they reorder adjacent text.
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
                shown.unicodeScalars.append("?")
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
