import Systemd

extension Terminal {
    /// Whether the locale says that text is UTF-8: the first that is set of LC_ALL, LC_CTYPE and LANG.
    static var isUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment($0) }
            .first { !$0.isEmpty }
        // `language_COUNTRY.CODESET@modifier`
        let codeset = (locale ?? "").split(separator: "@").first?.split(separator: ".").last
        return ["utf-8", "utf8"].contains(codeset?.lowercased())
    }
}

extension String {
    /// Without characters beyond ASCII, in the same number of columns: our signs become similar ones, what
    /// is written otherwise a question mark.
    package var inASCII: String {
        guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
        var text = ""
        for character in self {
            guard !character.isASCII else {
                text.append(character)
                continue
            }
            let width = String(character).columns
            text += Self.signs[character] ?? String(repeating: "?", count: max(1, width))
        }
        return text
    }

    private static let signs: [Character: String] = [
        "…": "~", "–": "-", "±": "~", "°": "d", "▁": "_", "▂": ".", "▃": ":", "▄": "-", "▅": "=",
        "▆": "+", "▇": "*", "█": "#",
    ]
}
